// The orders of pairs, in the plainest form: keys of rows are compared with them.
import { decodeText } from '../src/base/bytes.js';
import type { Anchor } from '../src/rule/rule.js';
import type { Pair } from '../src/table/pair.js';

type Sides = Pick<Pair, 'from' | 'to' | 'anchor' | 'high'>;

/** SPEC 4: `high` descending, total length descending, then (α, β). */
export function inEliminationOrder(a: Sides, b: Sides): number {
  const [aFrom, bFrom] = [numbers(a.from, a.anchor), numbers(b.from, b.anchor)];
  const [aTo, bTo] = [numbers(a.to, a.anchor), numbers(b.to, b.anchor)];
  return b.high - a.high || lengthOf(b) - lengthOf(a) || compare(aFrom, bFrom) || compare(aTo, bTo);
}

/** From, to, anchor as printed. */
export function inPrintedOrder(a: Sides, b: Sides): number {
  return Buffer.compare(a.from, b.from) || Buffer.compare(a.to, b.to) || (a.anchor < b.anchor ? -1 : 1);
}

/** One side as numbers: START, then END, before every byte. */
function numbers(text: Uint8Array, ends: Anchor): number[] {
  const open = ends === 'start' || ends === 'both' ? [-2] : [];
  const close = ends === 'end' || ends === 'both' ? [-1] : [];
  return [...open, ...text, ...close];
}

/** In code points, where a byte that is not UTF-8 is one; START and END count one each. */
function lengthOf({ from, to, anchor }: Sides): number {
  const marks = { none: 0, start: 2, end: 2, both: 4 }[anchor];
  return Array.from(decodeText(from)).length + Array.from(decodeText(to)).length + marks;
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (let k = 0; k < Math.min(a.length, b.length); k++) if (a[k] !== b[k]) return a[k]! - b[k]!;
  return a.length - b.length;
}
