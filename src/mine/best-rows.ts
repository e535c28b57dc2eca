// Keeps the best of millions of likely rules, as many as a file may have (most-rules). A list of five million URLs has
// nine million likely rules, of which 250,000 are written. A rule that ranks below these is not even made.
//
// Rows are sorted as they come. When there are twice as many as needed, only the best are kept. From then on, a row is
// accepted only if it sorts before the first dropped row.
import { compareKeys, eachRow, type HeapRowReader, type Row } from '../base/row.js';
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
  /** The key of the first dropped row, as a row. */
  #end: Row | undefined;

  constructor(most: MostRules, room: SpillRoom) {
    this.#most = most;
    // There are two sorters while the best rows move from one to the next.
    this.#room = roomFor('rows/sort', room);
    this.#sorter = this.#newSorter();
  }

  wants(bytes: Uint8Array, keyLength: number): boolean {
    return this.#end === undefined || compareKeys(keyRow(bytes, keyLength), this.#end) < 0;
  }

  add(bytes: Uint8Array, length: number, keyLength: number): void {
    if (!this.wants(bytes, keyLength)) return;
    this.#put(bytes, 0, length, keyLength);
    if (this.#rules >= 2 * this.#most.rules || this.#bytes >= 2 * this.#most.bytes) this.#cut();
  }

  /** Rows that {@link best} would read, or a few more. */
  get rules(): number {
    return this.#rules;
  }

  /** The best rows in order, at most the number wanted. No more can be added afterwards. */
  *best(): Generator<Row> {
    yield* this.#best(this.#sorter.finish());
  }

  /** Stops after the last row that is needed. */
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
    const next = ({ bytes, keyStart, keyEnd }: Row) =>
      (this.#end = keyRow(bytes.slice(keyStart, keyEnd), keyEnd - keyStart));
    for (const { bytes, keyStart, keyEnd, end } of this.#best(reader, next)) {
      this.#put(bytes, keyStart, end, keyEnd - keyStart);
    }
  }

  #put(bytes: Uint8Array, start: number, end: number, keyLength: number): void {
    this.#sorter.add(bytes, start, end, keyLength);
    this.#rules++;
    this.#bytes += end - start - keyLength;
  }

  #newSorter(): SpillSorter {
    return new SpillSorter(this.#room, this.#room.stats);
  }
}

/** A row with the key bytes[0, keyLength) and no payload. */
function keyRow(bytes: Uint8Array, keyLength: number): Row {
  return { bytes, keyStart: 0, keyEnd: keyLength, end: keyLength };
}
