// When are all instances of one rule instances of another (paper, Lemma 5.3)?
//
// α' → β' refines α → β exactly if there are γ and δ with α' = γαδ and β' = γβδ, all of them sequences of tokens, START
// and END among them. So: for every occurrence of α in α', replace it by β and check whether the result is β'. An
// anchored α contains START, which α' can only have at its own outer end, so γ is empty there. Equal bytes are not
// enough: with γ = `a`, β = `b` the bytes `ab` are another token.
import { encodeText } from '../base/bytes.js';
import { isBoundary } from '../url/token.js';
import type { Anchor, SubstringRule } from './rule.js';

/** Two substrings in raw bytes, and the outer ends at which both have START or END. */
export interface SubstringPair {
  readonly from: Uint8Array;
  readonly to: Uint8Array;
  readonly anchor: Anchor;
}

/**
 * True if every instance of the pair `fine` is an instance of the pair `broad`, in either direction. A pair refines
 * itself.
 */
export function refinesPair(fine: SubstringPair, broad: SubstringPair): boolean {
  return (
    refinesDirected(fine.from, fine.to, fine.anchor, broad.from, broad.to, broad.anchor) ||
    refinesDirected(fine.from, fine.to, fine.anchor, broad.to, broad.from, broad.anchor)
  );
}

/** {@link refinesPair} on rules, which hold text. The site is ignored. */
export function refines(fine: RuleText, broad: RuleText): boolean {
  return refinesPair(encodePair(fine), encodePair(broad));
}

/** {@link refines} in this direction alone: `broad` gives the same image as `fine`. */
export function refinesOneWay(fine: RuleText, broad: RuleText): boolean {
  const [a, b] = [encodePair(fine), encodePair(broad)];
  return refinesDirected(a.from, a.to, a.anchor, b.from, b.to, b.anchor);
}

type RuleText = Pick<SubstringRule, 'from' | 'to' | 'anchor'>;

function encodePair(rule: RuleText): SubstringPair {
  return { from: encodeText(rule.from), to: encodeText(rule.to), anchor: rule.anchor };
}

/** Lemma 5.3 for the one direction: does α' → β' refine α → β? */
function refinesDirected(
  fineFrom: Uint8Array,
  fineTo: Uint8Array,
  fineAnchor: Anchor,
  from: Uint8Array,
  to: Uint8Array,
  anchor: Anchor,
): boolean {
  const room = fineFrom.length - from.length;
  if (room < 0 || fineTo.length - to.length !== room) return false;
  if ((hasStart(anchor) && !hasStart(fineAnchor)) || (hasEnd(anchor) && !hasEnd(fineAnchor))) return false;
  const first = hasEnd(anchor) ? room : 0;
  const last = hasStart(anchor) ? 0 : room;
  for (let at = first; at <= last; at++) {
    if (isPart(fineFrom, at, from) && isPart(fineTo, at, to) && sameAround(fineFrom, fineTo, at, from, to)) return true;
  }
  return false;
}

function hasStart(anchor: Anchor): boolean {
  return anchor === 'start' || anchor === 'both';
}

function hasEnd(anchor: Anchor): boolean {
  return anchor === 'end' || anchor === 'both';
}

function isPart(bytes: Uint8Array, at: number, part: Uint8Array): boolean {
  for (let k = 0; k < part.length; k++) if (bytes[at + k] !== part[k]) return false;
  return isBoundary(bytes, at) && isBoundary(bytes, at + part.length);
}

/** True if γ before and δ after are equal on both sides. */
function sameAround(fineFrom: Uint8Array, fineTo: Uint8Array, at: number, from: Uint8Array, to: Uint8Array): boolean {
  for (let k = 0; k < at; k++) if (fineFrom[k] !== fineTo[k]) return false;
  const shift = to.length - from.length;
  for (let k = at + from.length; k < fineFrom.length; k++) if (fineFrom[k] !== fineTo[k + shift]) return false;
  return true;
}
