// Aggregation by key, for very many keys in bounded memory: a hash table of numbers that is spilled as sorted runs.
//
//   keys        | key | key | … texts, numbered as they come        (base/text-table)
//   numbers     | n | n | n | n | … a fixed number of f64 for each key
//   notes       bytes that a key may have as well; the last ones count
//
// When it outgrows its share it is written to disk as rows, sorted by key, and emptied; at the end rows with the same
// key are merged. The caller defines the merge, as some numbers are added, and of others the minimum is taken.
import { RowWriter } from '../../../base/row.js';
import { Run } from '../../../base/run.js';
import { type SpillRoom, SpillSorter } from '../../../base/spill.js';
import { type SharedTexts, TextTable } from '../../../base/text-table.js';
import { bytesFor, roomFor } from '../../../memory-plan.js';

/** What is kept for a key. */
export interface TallyShape {
  /** The numbers of a new key. */
  readonly initial: readonly number[];
  /** Merges the numbers `more` into those at `at` in `numbers`. */
  merge(numbers: Float64Array, at: number, more: Float64Array): void;
}

/** Called for each key with its text, numbers and note, all valid during the call only. */
export type VisitTally = (key: Uint8Array, numbers: Float64Array, note: Uint8Array) => void;

/** A complete table that other threads can read. */
export interface SharedTally {
  readonly keys: SharedTexts;
  readonly numbers: Float64Array<SharedArrayBuffer>;
  readonly width: number;
  /** By key, where it has a note. */
  readonly notes: readonly (Uint8Array | undefined)[];
}

/** Numbers that all add up. */
export function sums(count: number): TallyShape {
  return {
    initial: Array.from({ length: count }, () => 0),
    merge(numbers, at, more) {
      for (let k = 0; k < count; k++) numbers[at + k]! += more[k]!;
    },
  };
}

const MAX_TABLE_BYTES = 2 ** 29;
const NO_NOTE = new Uint8Array(0);

/** Visits every key once, in any order. */
export function eachShared({ keys, numbers, width, notes }: SharedTally, visit: VisitTally): void {
  // One array is reused and each key's numbers are copied into it: making a view for each key takes longer.
  const own = new Float64Array(width);
  for (let key = 0; key < keys.start.length - 1; key++) {
    for (let k = 0; k < width; k++) own[k] = numbers[key * width + k]!;
    visit(keys.bytes.subarray(keys.start[key], keys.start[key + 1]), own, notes[key] ?? NO_NOTE);
  }
}

/** Build (`entry`, `note`), then read (`each`). */
export class TallyTable {
  /** `entry` returns indexes into this. */
  numbers = new Float64Array(64);
  readonly #shape: TallyShape;
  readonly #width: number;
  readonly #room: SpillRoom;
  readonly #mostBytes: number;
  #keys = new TextTable();
  #notes: (Uint8Array | undefined)[] = [];
  #noteBytes = 0;
  #sorter: SpillSorter | undefined;

  constructor(shape: TallyShape, room: SpillRoom) {
    this.#shape = shape;
    this.#width = shape.initial.length;
    this.#room = room;
    this.#mostBytes = Math.min(bytesFor('tally/table', room.memoryBytes), MAX_TABLE_BYTES);
  }

  /** Where the numbers of the key bytes[start, end) begin; valid until the next call. */
  entry(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const length = end - start;
    if (this.#keys.count > 0 && this.#heldBytes + length > this.#mostBytes) {
      const known = this.#keys.find(bytes, start, length, hash);
      if (known >= 0) return known * this.#width;
      this.#flush();
    }
    const { count } = this.#keys;
    const key = this.#keys.intern(bytes, start, length, hash);
    const at = key * this.#width;
    if (key < count) return at;
    if (at + this.#width > this.numbers.length) this.#widen();
    for (let k = 0; k < this.#width; k++) this.numbers[at + k] = this.#shape.initial[k]!;
    return at;
  }

  /** Returns the key whose numbers begin at `at` bytes of its own. */
  note(at: number, bytes: Uint8Array, start: number, end: number): void {
    const key = at / this.#width;
    this.#noteBytes += end - start - (this.#notes[key]?.length ?? 0);
    this.#notes[key] = Uint8Array.prototype.slice.call(bytes, start, end);
  }

  /** Undefined if it outgrew its memory. The table is empty afterwards: the copy has what it had. */
  share(): SharedTally | undefined {
    if (this.#sorter !== undefined) return undefined;
    const width = this.#width;
    const numbers = new Float64Array(new SharedArrayBuffer(8 * width * this.#keys.count));
    numbers.set(this.numbers.subarray(0, numbers.length));
    const shared = { keys: this.#keys.share(), numbers, width, notes: this.#notes };
    this.#empty();
    this.numbers = new Float64Array(0);
    return shared;
  }

  /** Visits every key once, in any order, and empties the table. */
  eachInAnyOrder(visit: VisitTally): void {
    const shared = this.share();
    if (shared === undefined) this.each(visit);
    else eachShared(shared, visit);
  }

  /** Visits every key once, in the order of their bytes, and empties the table. */
  each(visit: VisitTally): void {
    this.#flush();
    this.numbers = new Float64Array(0);
    const rows = this.#sorter!.finish();
    const key = new Run();
    const [sum, more] = [new Float64Array(this.#width), new Float64Array(this.#width)];
    const moreBytes = new Uint8Array(more.buffer);
    let note = NO_NOTE;
    let isOpen = false;
    for (let row = rows.next(); row !== undefined; row = rows.next()) {
      const isFirst = !key.is(row, row.keyStart, row.keyEnd);
      if (isFirst && isOpen) visit(key.view, sum, note);
      if (isFirst) key.remember(row, row.keyStart, row.keyEnd);
      for (let k = 0; k < moreBytes.length; k++) moreBytes[k] = row.bytes[row.keyEnd + k]!;
      if (isFirst) sum.set(more);
      else this.#shape.merge(sum, 0, more);
      const noteAt = row.keyEnd + moreBytes.length;
      if (isFirst || row.end > noteAt) note = row.bytes.slice(noteAt, row.end);
      isOpen = true;
    }
    if (isOpen) visit(key.view, sum, note);
    rows.close();
  }

  get #heldBytes(): number {
    return this.#keys.heldBytes + this.#keys.count * this.#width * 8 + this.#noteBytes;
  }

  #widen(): void {
    const wider = new Float64Array(2 * this.numbers.length);
    wider.set(this.numbers);
    this.numbers = wider;
  }

  #flush(): void {
    this.#sorter ??= new SpillSorter(roomFor('tally/sort', this.#room), this.#room.stats);
    const line = new RowWriter();
    const bytes = new Uint8Array(this.numbers.buffer);
    for (let key = 0; key < this.#keys.count; key++) {
      const keyLength = line.clear().raw(this.#keys.text(key)).length;
      line.raw(bytes.subarray(key * this.#width * 8, (key + 1) * this.#width * 8)).raw(this.#notes[key] ?? NO_NOTE);
      this.#sorter.add(line.bytes, 0, line.length, keyLength);
    }
    this.#empty();
  }

  #empty(): void {
    this.#keys = new TextTable();
    this.#notes = [];
    this.#noteBytes = 0;
  }
}
