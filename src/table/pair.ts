// A pair of substrings with its support, and its encoding in the rows of an external sort.
import { giveBack, kernel, newU32 } from '../base/heap.js';
import { type HeapRowReader, readU32, type Row, type RowWriter } from '../base/row.js';
import { type SpillRoom, SpillSorter } from '../base/spill.js';
import * as PAIR from '../kernel/layout/pair.js';
import type { Anchor } from '../rule/rule.js';

/** (α, β), a rule in each direction; α → β shrinks. Raw bytes; START and END are in `anchor`. */
export interface Pair {
  readonly from: Uint8Array;
  readonly to: Uint8Array;
  readonly anchor: Anchor;
  readonly low: number;
  readonly high: number;
  readonly against: number;
  /** The first instances that count for `low`, up to three, as rows of the site's URL list. */
  readonly examples: readonly (readonly [number, number])[];
}

/** The index of an anchor is its number in the kernel. */
const ANCHORS: readonly Anchor[] = ['both', 'end', 'none', 'start'];

/**
 * Writes a side of a pair into a key, in code-point order: nothing, then START, then END come before every byte. UTF-8
 * sorts in code-point order. The low bytes that serve as marks are escaped. The kernel writes the same bytes
 * (write/pair-rows).
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

/** Takes pairs end to end, each after its length. They are valid until it returns. */
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

// Sorts the pairs of a site for the next step, printing or elimination. The kernel writes their rows
// (kernel/write/pair-rows), and an external sort orders these (base/spill).

export type PairOrder = 'printed' | 'elimination';

/** Room to request from the sort: a pair rarely needs more. */
const ROOM_BYTES = 1 << 12;
/** A pair that does not fit gets this many times the room: a row has both sides twice, and may escape each byte. */
const ROW_FACTOR = 4;

export class PairSorter {
  readonly #order: PairOrder;
  readonly #sorter: SpillSorter;
  /** The number of bytes and of rows that the kernel has written (kernel/write/pair-rows). */
  readonly #result = newU32(2);
  count = 0;

  constructor(order: PairOrder, room: SpillRoom) {
    this.#order = order;
    this.#sorter = new SpillSorter(room, room.stats);
  }

  /** Adds pairs, which are end to end in the heap. */
  add(pairs: Uint8Array<SharedArrayBuffer>): void {
    const end = pairs.byteOffset + pairs.length;
    const sort = kernel();
    let most = ROOM_BYTES;
    for (let at = pairs.byteOffset; at < end;) {
      const room = this.#sorter.room(most);
      const from = at;
      at =
        sort.pairRows(at, end, this.#order === 'printed' ? 1 : 0, room.address, room.end, this.#result.byteOffset) >>>
        0;
      const [bytes, rows] = this.#result as unknown as readonly [number, number];
      this.#sorter.wrote(bytes, rows);
      this.count += rows;
      // The pair was larger than the room.
      most = at === from ? most * ROW_FACTOR : ROOM_BYTES;
    }
  }

  /** All rows in order. No pairs can be added after this. */
  finish(): HeapRowReader {
    giveBack(this.#result);
    return this.#sorter.finish();
  }
}
