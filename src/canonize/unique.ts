// Which lines does `--unique` write? The first line of each canonical form.
//
// While the forms fit in memory, each line is decided at once. After the first form that does not fit, lines that
// cannot be decided wait for the end, on disk if necessary. So do all lines after them, as the order must be kept.
//
//     form is kept         dropped
//     form is not kept ->  by form: [form] [position, line] …  the first of each form ┐
//     not a URL        ->                                                             ├> by position: [position] [line]
//                                                                                     ┘
import { ByteBuffer } from '../base/buffer.js';
import { type RowReader, RowWriter } from '../base/row.js';
import { SpillSorter, type SpillOptions } from '../base/spill.js';
import { bytesFor, roomFor } from '../memory-plan.js';
import { blockBytes } from './blocks.js';
import { FirstSeen } from './first-seen.js';
import { type Keeping, type MappedLines, MARKS } from './lines.js';
import type { Savings } from './savings.js';

export class UniqueLines implements Keeping {
  readonly #seen: FirstSeen;
  readonly #room: SpillOptions;
  readonly #row = new RowWriter();
  #byForm: SpillSorter | undefined;
  #byPosition: SpillSorter | undefined;
  readonly #keyOf: ((form: Uint8Array) => Uint8Array) | undefined;
  readonly #savings: Savings | undefined;
  #position = 0;
  /** Is the form of the last line in the set? */
  #isKnown = false;
  /** Lines dropped because their form occurred before; for waiting lines this is known at the end. */
  dropped = 0;

  /**
   * With `keyOf`, which gives forms of one page the same key, only the first form with each key is written: for lines
   * that cannot wait for the rest of the list (canonize/named-groups).
   */
  constructor(
    room: SpillOptions,
    { keyOf, savings }: { readonly keyOf?: (form: Uint8Array) => Uint8Array; readonly savings?: Savings } = {},
  ) {
    this.#keyOf = keyOf;
    this.#savings = savings;
    this.#seen = new FirstSeen(bytesFor('canonize/forms', room.memoryBytes));
    this.#room = roomFor('canonize/sort', room);
  }

  /** The mapped lines that can be written now, compacted in place. */
  keep({ bytes, marks }: MappedLines): Uint8Array {
    if (marks === undefined) return bytes;
    let used = 0;
    let start = 0;
    for (let at = 0; at < marks.length; at += MARKS) {
      const end = marks[at]!;
      const isOut = this.#isOut(bytes, start, end, marks[at + 1]!, marks[at + 2]!);
      if (marks[at + 1]! >= 0) this.#savings?.add(bytes, marks, at, this.#isKnown ? this.#seen : undefined);
      if (isOut) {
        if (used < start) bytes.copyWithin(used, start, end);
        used += end - start;
      }
      start = marks[at + MARKS - 1]!;
    }
    // A line without marks is a part of a line that is too long to be a URL.
    if (marks.length === 0) used = this.#isOut(bytes, 0, bytes.length, -1, -1) ? bytes.length : 0;
    return bytes.subarray(0, used);
  }

  /**
   * False for the line bytes[start, end) if it is dropped or has to wait. `formStart` is -1 for a line that is no URL.
   */
  #isOut(bytes: Uint8Array, start: number, end: number, formStart: number, formEnd: number): boolean {
    const key = formStart < 0 ? undefined : this.#keyOf?.(bytes.slice(formStart, formEnd));
    if (key !== undefined) return this.#isFirst(bytes, start, end, key, 0, key.length);
    return this.#isFirst(bytes, start, end, bytes, formStart, formEnd);
  }

  /** The form or key is forms[formStart, formEnd). */
  #isFirst(
    bytes: Uint8Array,
    start: number,
    end: number,
    forms: Uint8Array,
    formStart: number,
    formEnd: number,
  ): boolean {
    const sight = formStart < 0 ? 'first' : this.#seen.add(forms, formStart, formEnd);
    this.#isKnown = sight !== 'unknown' && this.#keyOf === undefined;
    if (sight === 'again') this.dropped++;
    if (sight === 'again') return false;
    if (sight === 'unknown') this.#byPosition ??= new SpillSorter(this.#room);
    if (this.#byPosition === undefined) return true;
    const row = this.#row.clear();
    if (sight === 'unknown') row.raw(forms.subarray(formStart, formEnd));
    pushPosition(row, this.#position++).raw(bytes.subarray(start, end));
    if (sight === 'unknown') {
      this.#byForm ??= new SpillSorter(this.#room);
      this.#byForm.add(row.bytes, 0, row.length, formEnd - formStart);
    } else this.#byPosition.add(row.bytes, 0, row.length, POSITION_BYTES);
    return false;
  }

  /** Yields the lines that had to wait, in their order. Each piece is valid until the next one. */
  *end(): Iterable<Uint8Array> {
    if (this.#byPosition === undefined) return;
    if (this.#byForm !== undefined) this.dropped += addFirst(this.#byForm.finish(), this.#byPosition);
    yield* payloads(this.#byPosition.finish());
  }
}

/**
 * Adds the first line of each form to `byPosition`; equal forms come in the order of the lines. Returns how many lines
 * are not the first.
 */
function addFirst(byForm: RowReader, byPosition: SpillSorter): number {
  const form = new ByteBuffer(1 << 12);
  let isFirst = true;
  let others = 0;
  for (let row = byForm.next(); row !== undefined; row = byForm.next()) {
    const { bytes, keyStart, keyEnd, end } = row;
    if (!isFirst && isForm(form, bytes, keyStart, keyEnd)) {
      others++;
      continue;
    }
    isFirst = false;
    form.used = 0;
    form.add(bytes, keyStart, keyEnd);
    byPosition.add(bytes, keyEnd, end, POSITION_BYTES);
  }
  byForm.close();
  return others;
}

function isForm(form: ByteBuffer, bytes: Uint8Array, start: number, end: number): boolean {
  if (form.used !== end - start) return false;
  for (let at = start; at < end; at++) if (bytes[at] !== form.bytes[at - start]) return false;
  return true;
}

export const POSITION_BYTES = 6;

/** The place of a line. Big endian, so that byte order is numeric order. */
export function pushPosition(row: RowWriter, position: number): RowWriter {
  const high = Math.floor(position / 2 ** 32);
  return row
    .byte(high >>> 8)
    .byte(high & 0xff)
    .bigEndian(position % 2 ** 32);
}

/** The payloads of all rows, in pieces that are valid until the next. Closes the reader. */
export function* payloads(rows: RowReader): Iterable<Uint8Array> {
  const out = new ByteBuffer(2 * blockBytes);
  for (let row = rows.next(); row !== undefined; row = rows.next()) {
    out.add(row.bytes, row.keyEnd, row.end);
    if (out.used < blockBytes) continue;
    yield out.bytes.subarray(0, out.used);
    out.used = 0;
  }
  if (out.used > 0) yield out.bytes.subarray(0, out.used);
  rows.close();
}
