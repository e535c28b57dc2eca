// The text that a `set` rule writes, and which other rules could change it. A substring rule leaves `sort=1` unchanged
// unless a match overlaps it, with its ends between tokens.
import { encodeText } from '../base/bytes.js';
import { takeStep, type StepEdit } from '../rule/step.js';
import { isBoundary } from '../url/token.js';

export interface SetText {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** True if a match of `from` could overlap the text. */
  isHitBy(from: Uint8Array): boolean;
  /** True if the step would change the text, as a field of a query or of a path. */
  isHitByStep(step: StepEdit): boolean;
  /** True if the other text is for the same parameter, or the two could overlap. */
  meets(other: SetText): boolean;
}

export function encodeSet(name: string, value: string): SetText {
  const bytes = encodeText(`${name}=${value}`);
  const text: SetText = {
    name,
    bytes,
    isHitBy: (from) => overlaps(bytes, from, { asTokens: true }),
    isHitByStep: (step) =>
      [`/x?k~=1&${name}=${value}`, `/x;${name}=${value}`].map(encodeText).some((url) => takeStep(step, url) !== url),
    meets: (other) => other.name === name || overlaps(bytes, other.bytes, { asTokens: false }),
  };
  return text;
}

/** Whether `other`, at some offset from before the text to after it, agrees with it wherever they overlap. */
function overlaps(text: Uint8Array, other: Uint8Array, { asTokens }: { readonly asTokens: boolean }): boolean {
  for (let at = 1 - other.length; at < text.length; at++) {
    const stop = at + other.length;
    if (asTokens && !(isBoundary(text, at) && isBoundary(text, stop))) continue;
    let k = Math.max(at, 0);
    while (k < Math.min(stop, text.length) && text[k] === other[k - at]) k++;
    if (k === Math.min(stop, text.length)) return true;
  }
  return false;
}
