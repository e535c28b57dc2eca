// Counts how often a URL was visited, and how often its page had changed since the visit before.
//
// A visit is a night in which the size or the sketch (or digest) of the page was seen. Each visit is compared with the
// one before it:
//
//   night of November     1       2       4       5           comparisons 3    days between them 1 + 2 + 1 = 4
//   size                  100     100     120     120         changes     1    days before a change    2
//
// A row of one night has all of that in its numbers and its sketch. A row of several nights also has
//
//   flags | first day | days to the last | comparisons | changes | days compared | days changed | first | last
//
// Numbers have 7 bits per byte. `first` and `last`, what was seen first and last, take 8 bytes each, or none if the row
// itself has the same: so a page that never changed takes some ten bytes.
//
// Visits of consecutive stretches of nights add up, in any grouping, as long as the order is kept: only the last visit
// of one stretch and the first of the next have to be compared.
import { hashBytes } from '../base/hash.js';
import { readU32, type Row } from '../base/row.js';
import { factsBytes } from '../table/facts.js';
import { PAYLOAD } from '../table/merged-sites.js';

/** The counts from which the rate of change is estimated. Days are whole days between two visits. */
export interface VisitCounts {
  readonly comparisons: number;
  readonly changes: number;
  /** Days between compared visits, and days between those that differed. */
  readonly daysCompared: number;
  readonly daysChanged: number;
}

/** A URL in collation bytes and its visits. The day of the last visit is since 1970, or -1 for never. */
export interface SeenUrl {
  readonly bytes: Uint8Array;
  readonly urlStart: number;
  readonly urlEnd: number;
  readonly visits: VisitCounts & { readonly lastDay: number };
}

/**
 * What a visit saw, as two numbers: the least and the greatest size, or the hash of a sketch and SKETCH. All sizes from
 * 4 GiB on count as equal.
 */
interface Seen {
  a: number;
  b: number;
}

const SKETCH = 0xffffffff;
const MOST_BYTES = SKETCH - 1;
const NOTHING = -1;

/** Flags: the row itself has what was seen last; the first visit saw the same as the last. */
const LAST_IS_ROW = 1;
const FIRST_IS_LAST = 2;

export class Visits implements VisitCounts {
  comparisons = 0;
  changes = 0;
  daysCompared = 0;
  daysChanged = 0;
  /** Days since 1970; -1 if nothing was ever seen. */
  firstDay = NOTHING;
  lastDay = NOTHING;
  readonly #first: Seen = { a: 0, b: NOTHING };
  readonly #last: Seen = { a: 0, b: NOTHING };

  /** Reads the visits of a row. A row without visits of its own is a visit on `day`. */
  read(row: Row, day: number): this {
    this.comparisons = this.changes = this.daysCompared = this.daysChanged = 0;
    this.firstDay = this.lastDay = NOTHING;
    see(this.#last, row);
    if (hasVisits(row)) return this.#decode(row);
    copySeen(this.#first, this.#last);
    if (this.#last.b !== NOTHING) this.firstDay = this.lastDay = day;
    return this;
  }

  /** Appends the visits of later nights. All visits of one night are one visit, which saw what the last of them saw. */
  append(later: Visits): void {
    if (later.firstDay === NOTHING) return;
    if (this.firstDay === NOTHING) {
      this.firstDay = later.firstDay;
      copySeen(this.#first, later.#first);
    } else this.#compare(later.#first, later.firstDay - this.lastDay);
    this.lastDay = later.lastDay;
    copySeen(this.#last, later.#last);
    this.comparisons += later.comparisons;
    this.changes += later.changes;
    this.daysCompared += later.daysCompared;
    this.daysChanged += later.daysChanged;
  }

  /** Does not compare a sketch with sizes. */
  #compare(next: Seen, days: number): void {
    if (days <= 0 || (next.b === SKETCH) !== (this.#last.b === SKETCH)) return;
    this.comparisons++;
    this.daysCompared += days;
    if (!hasChanged(this.#last, next)) return;
    this.changes++;
    this.daysChanged += days;
  }

  /** The visits to store in a row; undefined if reading the row as one of `day` gives the same without them. */
  encode(row: Row, day: number): Uint8Array | undefined {
    if (this.firstDay === NOTHING) return undefined;
    see(own, row);
    const lastIsRow = isSame(this.#last, own);
    const firstIsLast = isSame(this.#first, this.#last);
    if (lastIsRow && firstIsLast && this.firstDay === day && this.lastDay === day) return undefined;
    let at = 0;
    encoded[at++] = (lastIsRow ? LAST_IS_ROW : 0) | (firstIsLast ? FIRST_IS_LAST : 0);
    const { firstDay, lastDay, comparisons, changes, daysCompared, daysChanged } = this;
    for (const value of [firstDay, lastDay - firstDay, comparisons, changes, daysCompared, daysChanged])
      at = putVarint(value, at);
    if (!firstIsLast) at = putSeen(this.#first, at);
    if (!lastIsRow) at = putSeen(this.#last, at);
    return encoded.subarray(0, at);
  }

  #decode({ bytes, keyEnd }: Row): this {
    cursor = keyEnd + PAYLOAD + 1;
    const flags = bytes[cursor++]!;
    this.firstDay = varint(bytes);
    this.lastDay = this.firstDay + varint(bytes);
    this.comparisons = varint(bytes);
    this.changes = varint(bytes);
    this.daysCompared = varint(bytes);
    this.daysChanged = varint(bytes);
    if ((flags & FIRST_IS_LAST) === 0) readSeen(this.#first, bytes);
    if ((flags & LAST_IS_ROW) === 0) readSeen(this.#last, bytes);
    if ((flags & FIRST_IS_LAST) !== 0) copySeen(this.#first, this.#last);
    return this;
  }
}

/** True if the row stores visits: its hits are negative then. */
function hasVisits({ bytes, keyEnd }: Row): boolean {
  return (bytes[keyEnd + 7]! & 0x80) !== 0;
}

/** Where the sketch of a row begins. */
export function sketchStart(row: Row): number {
  const at = row.keyEnd + PAYLOAD;
  return hasVisits(row) ? at + 1 + row.bytes[at]! : at;
}

/**
 * A page whose size changes between two requests of one night has two sizes on that night. If the next night has one of
 * them, that is no change. So a change counts once, whatever the time of day.
 */
function hasChanged(before: Seen, next: Seen): boolean {
  if (next.b === SKETCH) return next.a !== before.a;
  const isKnown = (size: number) => size === before.a || size === before.b;
  return !isKnown(next.a) || !isKnown(next.b);
}

const numbers = new Float64Array(2);
const numberBytes = new Uint8Array(numbers.buffer);
const own: Seen = { a: 0, b: NOTHING };
/** Flags, six numbers, and what was seen first and last. */
export const MAX_VISITS_BYTES = 1 + 6 * 5 + 16;
const encoded = new Uint8Array(MAX_VISITS_BYTES);
const encodedView = new DataView(encoded.buffer);
let cursor = 0;

/** What the row itself has: its sketch, or else its sizes. */
function see(seen: Seen, row: Row): void {
  const { bytes, keyEnd, end } = row;
  const start = sketchStart(row);
  const sketchAt = start + factsBytes(bytes, start, end);
  if (end > sketchAt) {
    seen.a = hashBytes(bytes, sketchAt, end) >>> 0;
    seen.b = SKETCH;
    return;
  }
  for (let k = 0; k < 16; k++) numberBytes[k] = bytes[keyEnd + 8 + k]!;
  seen.a = Math.min(MOST_BYTES, numbers[0]!);
  seen.b = Math.min(MOST_BYTES, numbers[1]!);
}

function isSame(one: Seen, other: Seen): boolean {
  return one.a === other.a && one.b === other.b;
}

function copySeen(target: Seen, source: Seen): void {
  target.a = source.a;
  target.b = source.b;
}

function putVarint(value: number, at: number): number {
  for (; value >= 0x80; value = Math.floor(value / 0x80)) encoded[at++] = (value & 0x7f) | 0x80;
  encoded[at++] = value;
  return at;
}

function varint(bytes: Uint8Array): number {
  let value = 0;
  for (let unit = 1; ; unit *= 0x80) {
    const byte = bytes[cursor++]!;
    value += (byte & 0x7f) * unit;
    if (byte < 0x80) return value;
  }
}

function putSeen({ a, b }: Seen, at: number): number {
  encodedView.setUint32(at, a, true);
  encodedView.setUint32(at + 4, b, true);
  return at + 8;
}

function readSeen(seen: Seen, bytes: Uint8Array): void {
  seen.a = readU32(bytes, cursor);
  seen.b = readU32(bytes, cursor + 4);
  cursor += 8;
}
