// Which of millions of likely rules can still be among the best that a file has (most-rules)? A list of five million
// URLs has nine million, of which 250,000 are written: a rule that comes after so many others is not even made.
//
// Rows are sorted as they come. Once there are twice as many as wanted, only the best stay, and from then on only a row
// before the first one that went is wanted.
import { eachRow, type HeapRowReader, type Row } from '../base/row.js';
import { SpillSorter, type SpillRoom } from '../base/spill.js';
import { roomFor } from '../memory-plan.js';
import type { MostRules } from './most-rules.js';

/** Takes rules as rows: bytes[0, length), whose key (rank-key) is bytes[0, keyLength). */
export interface RuleRows {
  /** False if a row with the key bytes[0, keyLength) cannot be among the best; it need not be added. */
  wants(bytes: Uint8Array, keyLength: number): boolean;
  /** The bytes are only read until it returns. */
  add(bytes: Uint8Array, length: number, keyLength: number): void;
}

export class BestRows implements RuleRows {
  readonly #most: MostRules;
  readonly #room: SpillRoom;
  #sorter: SpillSorter;
  #rules = 0;
  #bytes = 0;
  /** The key of the first row that went. */
  #end: Uint8Array | undefined;

  constructor(most: MostRules, room: SpillRoom) {
    this.#most = most;
    // Two while the best of one go to the next.
    this.#room = roomFor('rows/sort', room);
    this.#sorter = this.#newSorter();
  }

  wants(bytes: Uint8Array, keyLength: number): boolean {
    return this.#end === undefined || isBefore(bytes, keyLength, this.#end);
  }

  add(bytes: Uint8Array, length: number, keyLength: number): void {
    if (!this.wants(bytes, keyLength)) return;
    this.#sorter.add(bytes, 0, length, keyLength);
    this.#rules++;
    this.#bytes += length - keyLength;
    if (this.#rules >= 2 * this.#most.rules || this.#bytes >= 2 * this.#most.bytes) this.#cut();
  }

  /** Rows that {@link best} would read, or a few more. */
  get rules(): number {
    return this.#rules;
  }

  /** The best in order, at most as many as are wanted. No more can be added. */
  *best(): Generator<Row> {
    yield* this.#best(this.#sorter.finish());
  }

  /** Ends after the last one that is wanted. */
  *#best(reader: HeapRowReader, onNext?: (row: Row) => void): Generator<Row> {
    let [rules, bytes] = [0, 0];
    for (const row of eachRow(reader)) {
      bytes += row.end - row.keyEnd;
      if (rules++ === this.#most.rules || bytes > this.#most.bytes) {
        onNext?.(row);
        reader.close();
        return;
      }
      yield row;
    }
  }

  #cut(): void {
    const reader = this.#sorter.finish();
    this.#sorter = this.#newSorter();
    this.#rules = this.#bytes = 0;
    const end = ({ bytes, keyStart, keyEnd }: Row) => (this.#end = bytes.slice(keyStart, keyEnd));
    for (const { bytes, keyStart, keyEnd, end: rowEnd } of this.#best(reader, end)) {
      this.#sorter.add(bytes, keyStart, rowEnd, keyEnd - keyStart);
      this.#rules++;
      this.#bytes += rowEnd - keyEnd;
    }
  }

  #newSorter(): SpillSorter {
    return new SpillSorter(this.#room, this.#room.stats);
  }
}

/** True if the key bytes[0, length) comes before another, in the order of external sorts. */
function isBefore(bytes: Uint8Array, length: number, other: Uint8Array): boolean {
  const common = Math.min(length, other.length);
  for (let k = 0; k < common; k++) if (bytes[k] !== other[k]) return bytes[k]! < other[k]!;
  return length < other.length;
}
