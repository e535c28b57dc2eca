// Rows of a URL table as runs have them (`table/merged-sites`): makes them from sites, and merges those of several runs
// to one row per URL.
import { encodeText } from '../base/bytes.js';
import type { RunsReader } from '../base/merge.js';
import type { Row } from '../base/row.js';
import { PAYLOAD, type SiteReader } from '../table/merged-sites.js';
import { type Choice, chooseLabel } from '../table/facts.js';
import type { SiteUrls } from '../table/site-urls.js';
import { NONE } from '../table/url-table.js';
import { MAX_VISITS_BYTES, sketchStart, Visits } from './visits.js';

/** The rows of all sites in key order. A row is valid until the next one. */
export function* rowsOfSites(sites: SiteReader): Generator<Row> {
  let row = new Uint8Array(4096);
  const numbers = new Float64Array(3);
  const numberBytes = new Uint8Array(numbers.buffer);
  for (let urls = sites.next(); urls !== undefined; urls = sites.next()) {
    const site = encodeText(`${urls.site}\0`);
    for (let k = 0; k < urls.count; k++) {
      const at = urls.at(k);
      const urlLength = urls.lengthOf(k);
      const sketchLength = urls.labelLengthAt(at);
      const keyEnd = site.length + urlLength;
      const end = keyEnd + PAYLOAD + sketchLength;
      if (end > row.length) row = new Uint8Array(2 * end);
      row.set(site);
      copy(urls.bytes, at, row, site.length, urlLength);
      numbers[0] = urls.hitsAt(at);
      numbers[1] = urls.minSizeAt(at);
      numbers[2] = urls.maxSizeAt(at);
      row.set(numberBytes, keyEnd);
      copySketch(urls, at, sketchLength, row, keyEnd + PAYLOAD);
      yield { bytes: row, keyStart: 0, keyEnd, end };
    }
  }
}

function copySketch(urls: SiteUrls, at: number, length: number, target: Uint8Array, to: number): void {
  if (length > 0) copy(urls.bytes, urls.sketchEndAt(at) - length, target, to, length);
}

function copy(bytes: Uint8Array, from: number, target: Uint8Array, to: number, length: number): void {
  for (let k = 0; k < length; k++) target[to + k] = bytes[from + k]!;
}

/** Rows of several runs, and the night of each run: that of its rows without visits of their own. */
interface NightlyRows {
  readonly rows: Pick<RunsReader, 'next' | 'run'>;
  /** A day since 1970 for each run. */
  readonly days: readonly number[];
}

/**
 * Merges rows with the same key, in the order they come: hits add up, size ranges are united, the last sketch counts
 * (of captures with a time the newest, and its sizes alone), and visits are appended. `day`: the reader of the merged rows will take rows without visits for rows of this night.
 */
export function* joined({ rows, days }: NightlyRows, day: number): Generator<Row> {
  const held = new HeldRow(day);
  for (let row = rows.next(); row !== undefined; row = rows.next()) {
    if (held.isOf(row)) {
      held.join(row, days[rows.run]!);
      continue;
    }
    if (held.isHeld) yield held.row();
    held.hold(row, days[rows.run]!);
  }
  if (held.isHeld) yield held.row();
}

/**
 * One URL while its rows are merged:
 *
 *   key | hits | min | max | length | visits | sketch      `length | visits` only if the visits need it
 */
class HeldRow {
  isHeld = false;
  readonly #day: number;
  readonly #visits = new Visits();
  readonly #later = new Visits();
  #bytes = new Uint8Array(4096);
  #keyLength = 0;
  #sketch = new Uint8Array(1024);
  #sketchLength = 0;
  readonly #numbers = new Float64Array(3);
  readonly #numberBytes = new Uint8Array(this.#numbers.buffer);

  constructor(day: number) {
    this.#day = day;
  }

  isOf(row: Row): boolean {
    const { bytes, keyStart, keyEnd } = row;
    const length = keyEnd - keyStart;
    // Rows of one URL and the next mostly differ at the end of the key: comparing from the front would be slow.
    if (!this.isHeld || length !== this.#keyLength) return false;
    for (let k = length - 1; k >= 0; k--) if (this.#bytes[k] !== bytes[keyStart + k]) return false;
    return true;
  }

  hold(row: Row, day: number): void {
    const { bytes, keyStart, keyEnd } = row;
    this.isHeld = true;
    this.#keyLength = keyEnd - keyStart;
    this.#bytes = wideEnough(this.#bytes, this.#keyLength + PAYLOAD + 1 + MAX_VISITS_BYTES);
    copy(bytes, keyStart, this.#bytes, 0, this.#keyLength);
    readNumbers(row, this.#numbers, this.#numberBytes);
    this.#keepSketch(row, true);
    this.#visits.read(row, day);
  }

  join(row: Row, day: number): void {
    const numbers = this.#numbers;
    const hits = numbers[0]!;
    readNumbers(row, theirs, theirBytes);
    numbers[0] = hits + theirs[0]!;
    const choice = this.#choose(row);
    if (choice?.stays !== 'before') {
      if (choice?.sizes === 'one') numbers[1] = numbers[2] = NONE;
      const [, min, max] = numbers as unknown as Three;
      numbers[1] = min < 0 || (theirs[1]! >= 0 && theirs[1]! < min) ? theirs[1]! : min;
      numbers[2] = Math.max(max, theirs[2]!);
      this.#keepSketch(row, false);
    }
    this.#visits.append(this.#later.read(row, day));
  }

  /** The merged row, valid until the next call. */
  row(): Row {
    const keyEnd = this.#keyLength;
    const at = keyEnd + PAYLOAD;
    this.#bytes = wideEnough(this.#bytes, at + 1 + MAX_VISITS_BYTES + this.#sketchLength);
    const numbers = this.#numbers;
    copy(this.#numberBytes, 0, this.#bytes, keyEnd, PAYLOAD);
    copy(this.#sketch, 0, this.#bytes, at, this.#sketchLength);
    const plain = { bytes: this.#bytes, keyStart: 0, keyEnd, end: at + this.#sketchLength };
    const visits = this.#visits.encode(plain, this.#day);
    if (visits === undefined) return plain;
    numbers[0] = -numbers[0]!;
    copy(this.#numberBytes, 0, this.#bytes, keyEnd, PAYLOAD);
    this.#bytes[at] = visits.length;
    copy(visits, 0, this.#bytes, at + 1, visits.length);
    copy(this.#sketch, 0, this.#bytes, at + 1 + visits.length, this.#sketchLength);
    return { ...plain, end: plain.end + 1 + visits.length };
  }

  /** Chooses between the sketches of the row and of the rows before; undefined if one of them has none. */
  #choose(row: Row): Choice | undefined {
    const start = sketchStart(row);
    if (this.#sketchLength === 0 || start === row.end) return undefined;
    const before = { bytes: this.#sketch, start: 0, end: this.#sketchLength };
    return chooseLabel(before, { bytes: row.bytes, start, end: row.end });
  }

  #keepSketch(row: Row, isFirst: boolean): void {
    const start = sketchStart(row);
    const length = row.end - start;
    if (length === 0 && !isFirst) return;
    this.#sketch = wideEnough(this.#sketch, length);
    this.#sketchLength = length;
    copy(row.bytes, start, this.#sketch, 0, length);
  }
}

type Three = [number, number, number];
const theirs = new Float64Array(3);
const theirBytes = new Uint8Array(theirs.buffer);

function readNumbers({ bytes, keyEnd }: Row, target: Float64Array, targetBytes: Uint8Array): void {
  copy(bytes, keyEnd, targetBytes, 0, PAYLOAD);
  target[0] = Math.abs(target[0]!);
}

function wideEnough(bytes: Uint8Array<ArrayBuffer>, length: number): Uint8Array<ArrayBuffer> {
  if (length <= bytes.length) return bytes;
  const wider = new Uint8Array(2 * length);
  wider.set(bytes);
  return wider;
}

/** Rows in memory, as bytes like those of a run. */
export class RowBytes {
  readonly #parts: Buffer[] = [];

  add({ bytes, keyStart, keyEnd, end }: Row): void {
    const lengths = Buffer.alloc(8);
    lengths.writeUInt32LE(keyEnd - keyStart, 0);
    lengths.writeUInt32LE(end - keyStart, 4);
    this.#parts.push(lengths, Buffer.from(bytes.subarray(keyStart, end)));
  }

  toBase64(): string {
    return Buffer.concat(this.#parts).toString('base64');
  }
}
