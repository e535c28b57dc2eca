// Groups instances that are in memory by their cores, each group in the order of its URLs, as `InstanceReader` gives them from
// sorted runs. A hash table finds the groups; within one, 64-bit numbers are sorted in place of rows:
//
//   of row i   | i u32 | from u32 |      and where `from` is the same   | i u32 | to u32 |
//
// (384,508 rows of one core: 40 ms, where the sort of byte strings takes 250 ms.)
import { mixed } from '../base/hash.js';
import { readU32 } from '../base/spill.js';
import { fromOf, InstanceColumns, ROW, toOf, type Instances } from './instance.js';

/** One of several shares of the cores. */
export interface Share {
  readonly part: number;
  readonly parts: number;
}

const NONE = -1;

/**
 * Visits the groups of at least `least` instances among rows of whole chunks, in columns that are reused. Of several shares,
 * each core is in one.
 */
export function eachGroup(
  chunks: readonly Uint8Array[],
  { part, parts }: Share,
  least: number,
  visit: (group: Instances) => void,
): void {
  const rows = new RowGroups(countRows(chunks, part, parts));
  chunks.forEach((bytes, chunk) => {
    for (let at = 0; at < bytes.length; at += ROW) {
      if (readU32(bytes, at) % parts === part) rows.add(chunk, at, readU32(bytes, at), readU32(bytes, at + 4));
    }
  });
  const columns = new InstanceColumns();
  for (const places of rows.grouped(chunks, least)) {
    for (let k = 0; k < places.length; k += 2) {
      const row = places[k]!;
      columns.set(k / 2, chunks[rows.chunk[row]!]!, rows.at[row]!);
    }
    visit(columns.first(places.length / 2));
  }
}

function countRows(chunks: readonly Uint8Array[], part: number, parts: number): number {
  let count = 0;
  for (const bytes of chunks) {
    for (let at = 0; at < bytes.length; at += ROW) if (readU32(bytes, at) % parts === part) count++;
  }
  return count;
}

/** Where rows lie, and which core each has. */
class RowGroups {
  readonly chunk: Int32Array;
  readonly at: Int32Array;
  readonly #groupOf: Int32Array;
  readonly #slots: Int32Array;
  /** Of each group: its hash, its size, and where it ends once rows are put in order. */
  readonly #hash: Int32Array;
  readonly #cursor: Int32Array;
  #rows = 0;
  #groups = 0;

  constructor(rows: number) {
    this.chunk = new Int32Array(rows);
    this.at = new Int32Array(rows);
    this.#groupOf = new Int32Array(rows);
    this.#slots = new Int32Array(2 ** Math.ceil(Math.log2(2 * rows + 2))).fill(NONE);
    this.#hash = new Int32Array(2 * rows);
    this.#cursor = new Int32Array(rows + 1);
  }

  add(chunk: number, at: number, hash: number, more: number): void {
    const row = this.#rows++;
    const group = this.#group(hash | 0, more | 0);
    this.chunk[row] = chunk;
    this.at[row] = at;
    this.#groupOf[row] = group;
    this.#cursor[group + 1]!++;
  }

  #group(hash: number, more: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = mixed(hash ^ more) & mask; ; slot = (slot + 1) & mask) {
      const group = this.#slots[slot]!;
      if (group === NONE) {
        this.#hash[2 * this.#groups] = hash;
        this.#hash[2 * this.#groups + 1] = more;
        return (this.#slots[slot] = this.#groups++);
      }
      if (this.#hash[2 * group] === hash && this.#hash[2 * group + 1] === more) return group;
    }
  }

  /** Each group as the places of its rows, with another number behind each. */
  *grouped(chunks: readonly Uint8Array[], least: number): Generator<Uint32Array> {
    const cursor = this.#cursor;
    for (let group = 1; group <= this.#groups; group++) cursor[group]! += cursor[group - 1]!;
    const keys = new BigUint64Array(this.#rows);
    const places = new Uint32Array(keys.buffer);
    for (let row = 0; row < this.#rows; row++) {
      const place = cursor[this.#groupOf[row]!]!++;
      places[2 * place] = row;
      places[2 * place + 1] = fromOf(chunks[this.chunk[row]!]!, this.at[row]!);
    }
    for (let group = 0, from = 0; group < this.#groups; from = cursor[group++]!) {
      const to = cursor[group]!;
      if (to - from < least) continue;
      keys.subarray(from, to).sort();
      this.#sortByTo(chunks, keys, places, from, to);
      yield places.subarray(2 * from, 2 * to);
    }
  }

  #sortByTo(chunks: readonly Uint8Array[], keys: BigUint64Array, places: Uint32Array, from: number, to: number): void {
    for (let start = from; start < to;) {
      let end = start + 1;
      while (end < to && places[2 * end + 1] === places[2 * start + 1]) end++;
      if (end - start > 1) {
        for (let k = start; k < end; k++) {
          const row = places[2 * k]!;
          places[2 * k + 1] = toOf(chunks[this.chunk[row]!]!, this.at[row]!);
        }
        keys.subarray(start, end).sort();
      }
      start = end;
    }
  }
}
