// What does a rule do to a URL (SPEC 7)? The one answer, for validation, canonization and `explain` alike: {@link imageOf}.
// What parameter rules do is said in `parameter.ts`. Of substring rules:
//
// `from` has to stand in the URL as whole tokens, at the ends that the anchor names, and the leftmost such place becomes
// `to`. A lengthening rule such as `story` → `my-story` would feed on its own result; so a place is skipped when it is
// already the `story` of a `my-story`: with k the offset of `from` in `to`, when an occurrence of `to` (as whole tokens,
// anchors included) starts k bytes before it.
//
// SPEC 7 asks for whole tokens of `from` only. So `to` may melt into what stands around it (`-` → `` makes `ab` of `a-b`),
// and a lengthening rule that melts (`-` → `-a` on `x-b`) does feed on its result; canonization then leaves such a URL alone.
import { encodeText } from '../base/bytes.js';
import { hostStart, isClean } from '../url/form.js';
import { isBoundary } from '../url/token.js';
import { compileParameter, editFields, type FieldEdit } from './parameter.js';
import type { Rule, SubstringRule } from './rule.js';

/** A substring rule made ready to be applied to very many URLs. */
export interface Substitution {
  readonly kind: 'substring';
  readonly from: Uint8Array;
  readonly to: Uint8Array;
  readonly atStart: boolean;
  readonly atEnd: boolean;
  /** Every byte offset at which `to` has `from`, as whole tokens and with the same anchors. */
  readonly inside: readonly number[];
}

/** `except` has the URLs that the rule leaves alone, one char a byte; undefined where there are none. */
export type CompiledRule = (Substitution | FieldEdit) & { readonly except?: ReadonlySet<string> };

export function compileRule(rule: Rule): CompiledRule {
  const compiled = rule.kind === 'parameter' ? compileParameter(rule) : compileSubstring(rule);
  if (rule.except === undefined || rule.except.length === 0) return compiled;
  return { ...compiled, except: new Set(rule.except.map((url) => charsOf(encodeText(url)))) };
}

function charsOf(url: Uint8Array): string {
  return Buffer.from(url.buffer, url.byteOffset, url.length).toString('latin1');
}

/**
 * What the rule makes of a URL, or `url` itself, the same object, where it changes nothing or would leave no URL. START
 * stands at `origin`: 0, or where the path starts if the rule is one of paths (`urlForm` path) and the URL is absolute.
 */
export function imageOf(rule: CompiledRule, url: Uint8Array, origin: number): Uint8Array {
  const image = rule.kind === 'parameter' ? editFields(rule, url) : substitute(rule, url, origin);
  return image !== url && rule.except?.has(charsOf(url)) === true ? url : image;
}

function substitute(rule: Substitution, url: Uint8Array, origin: number): Uint8Array {
  const at = findMatch(rule, url, origin);
  return at < 0 || !givesUrl(rule, url, at, origin) ? url : replaceAt(rule, url, at);
}

const slash = 0x2f;
/** `https://` is this long: a replacement behind it leaves the beginning of a URL alone. */
const originBytes = 8;
const head = new Uint8Array(originBytes);

/** Whether the image is a URL, without making it: rules that would break all URLs of a site are tried on all of them. */
function givesUrl(rule: Substitution, form: Uint8Array, place: number, origin: number): boolean {
  if (!isClean(rule.to)) return false;
  const shift = rule.to.length - rule.from.length;
  if (origin > 0) return place > origin || byteOfImage(origin) === slash;
  if (place >= originBytes) return true;
  for (let at = 0; at < originBytes; at++) head[at] = byteOfImage(at) ?? 0;
  return head[0] === slash || hostStart(head) > 0;

  function byteOfImage(at: number): number | undefined {
    if (at < place) return form[at];
    return at < place + rule.to.length ? rule.to[at - place] : form[at - shift];
  }
}

export function compileSubstring(rule: Pick<SubstringRule, 'from' | 'to' | 'anchor'>): Substitution {
  const from = encodeText(rule.from);
  const to = encodeText(rule.to);
  const atStart = rule.anchor === 'start' || rule.anchor === 'both';
  const atEnd = rule.anchor === 'end' || rule.anchor === 'both';
  const inside: number[] = [];
  for (let at = 0; at + from.length <= to.length; at++) {
    if (standsAt(to, at, from, 0, atStart, atEnd)) inside.push(at);
  }
  return { kind: 'substring', from, to, atStart, atEnd, inside };
}

/** The image of `url`, or `url` itself, the same object, where the rule changes nothing. START stands at `start`. */
export function applyRule(rule: Substitution, url: Uint8Array, start = 0): Uint8Array {
  const at = findMatch(rule, url, start);
  return at < 0 ? url : replaceAt(rule, url, at);
}

/** The image of `url` where `at` is what {@link findMatch} found. */
export function replaceAt({ from, to }: Substitution, url: Uint8Array, at: number): Uint8Array {
  const shift = to.length - from.length;
  const image = new Uint8Array(url.length + shift);
  // Loops, for at the length of a URL two `set(subarray)` take twice as long as this.
  for (let k = 0; k < at; k++) image[k] = url[k]!;
  for (let k = 0; k < to.length; k++) image[at + k] = to[k]!;
  for (let k = at + to.length; k < image.length; k++) image[k] = url[k - shift]!;
  return image;
}

/** The offset that the rule replaces `from` at, or -1. */
export function findMatch(rule: Substitution, url: Uint8Array, start = 0): number {
  const { from, atStart, atEnd } = rule;
  const last = url.length - from.length;
  if (from.length === 0 && !atStart && !atEnd) return -1;
  const first = atEnd ? last : start;
  const stop = atStart ? start : last;
  for (let at = first; at >= start && at <= stop; at++) {
    if (standsAt(url, at, from, start, atStart, atEnd) && !isOwnResult(rule, url, at, start)) return at;
  }
  return -1;
}

function isOwnResult(rule: Substitution, url: Uint8Array, at: number, start: number): boolean {
  for (const offset of rule.inside) {
    if (standsAt(url, at - offset, rule.to, start, rule.atStart, rule.atEnd)) return true;
  }
  return false;
}

/** True if `part` stands at `at` in the URL that goes from `start` to the end of `url`, as whole tokens and anchored. */
function standsAt(
  url: Uint8Array,
  at: number,
  part: Uint8Array,
  start: number,
  atStart: boolean,
  atEnd: boolean,
): boolean {
  const end = at + part.length;
  if (at < start || end > url.length) return false;
  for (let k = 0; k < part.length; k++) if (url[at + k] !== part[k]) return false;
  if ((atStart && at !== start) || (atEnd && end !== url.length)) return false;
  return (at === start || isBoundary(url, at)) && isBoundary(url, end);
}
