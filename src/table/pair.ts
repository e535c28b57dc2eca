// A pair of substrings with its support, and its encoding in the rows of an external sort.
import { readU32, type Row } from '../base/row.js';
import type { RowWriter } from '../base/row-writer.js';
import * as PAIR from '../kernel/layout/pair.js';
import type { Anchor } from '../rule/rule.js';

/** (α, β), a rule in each direction, written so that α → β shrinks. Raw bytes; START and END are in `anchor`. */
export interface Pair {
  readonly from: Uint8Array;
  readonly to: Uint8Array;
  readonly anchor: Anchor;
  readonly low: number;
  readonly high: number;
  readonly against: number;
  /** Rows of up to three instances in the site's URL list, the first of those that count for `low`. */
  readonly examples: readonly (readonly [number, number])[];
}

/** Indexed by their numbers. */
const ANCHORS: readonly Anchor[] = ['both', 'end', 'none', 'start'];

/**
 * One side of a pair in code-point order, as a part of a key: nothing, then START, then END, before every byte. UTF-8
 * sorts in code-point order; the low bytes that serve as marks are escaped. The kernel writes the same (write/pair-rows).
 */
export function putSide(row: RowWriter, text: Uint8Array, anchor: Anchor): RowWriter {
  if (anchor === 'start' || anchor === 'both') row.byte(1);
  for (const byte of text) {
    if (byte <= 3) row.byte(3);
    row.byte(byte);
  }
  if (anchor === 'end' || anchor === 'both') row.byte(2);
  return row.byte(0);
}

/** Takes pairs end to end as they are in the heap, each after its length. Valid until it returns. */
export type TakePairs = (pairs: Uint8Array<SharedArrayBuffer>) => void;

/** Reads the payload (kernel/layout/pair) after the key of a row. */
export function readPair(row: Row): Pair {
  const { bytes, keyEnd } = row;
  const anchor = ANCHORS[bytes[keyEnd + PAIR.ANCHOR]!]!;
  const examples: [number, number][] = [];
  let at = keyEnd + PAIR.FIXED;
  for (let left = bytes[keyEnd + PAIR.EXAMPLES]!; left > 0; left--, at += PAIR.EXAMPLE) {
    examples.push([readU32(bytes, at), readU32(bytes, at + 4)]);
  }
  const fromEnd = at + 4 + readU32(bytes, at);
  return {
    from: bytes.slice(at + 4, fromEnd),
    to: bytes.slice(fromEnd, row.end),
    anchor,
    low: readU32(bytes, keyEnd + PAIR.LOW),
    high: readU32(bytes, keyEnd + PAIR.HIGH),
    against: readU32(bytes, keyEnd + PAIR.AGAINST),
    examples,
  };
}
