// Rows of a URL table as in runs (see `table/merged-sites`): from its sites, one after another; and those of several
// runs merged to one row per URL.
import { encodeText } from '../base/bytes.js';
import { compareKeys, type Row, type RowReader } from '../base/row.js';
import { PAYLOAD, type SiteReader } from '../table/merged-sites.js';
import type { SiteUrls } from '../table/site-urls.js';

/** The rows of all sites in the order of their keys. A row is valid until the next one. */
export function* rowsOfSites(sites: SiteReader): Generator<Row> {
  let row = new Uint8Array(4096);
  const numbers = new Float64Array(3);
  const numberBytes = new Uint8Array(numbers.buffer);
  for (let urls = sites.next(); urls !== undefined; urls = sites.next()) {
    const site = encodeText(`${urls.site}\0`);
    for (let k = 0; k < urls.count; k++) {
      const at = urls.at(k);
      const urlLength = urls.lengthOf(k);
      const sketchLength = urls.sketchLengthAt(at);
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

/** Merges rows with the same key, in the order they come: hits add up, sizes span, and the last sketch counts. */
export function* joined(rows: Pick<RowReader, 'next'>): Generator<Row> {
  const held = new HeldRow();
  for (let row = rows.next(); row !== undefined; row = rows.next()) {
    if (held.isOf(row)) {
      held.join(row);
      continue;
    }
    if (held.row !== undefined) yield held.row;
    held.hold(row);
  }
  if (held.row !== undefined) yield held.row;
}

class HeldRow {
  row: Row | undefined;
  #bytes = new Uint8Array(4096);

  isOf(row: Row): boolean {
    return this.row !== undefined && compareKeys(this.row, row) === 0;
  }

  hold({ bytes, keyStart, keyEnd, end }: Row): void {
    const length = end - keyStart;
    this.#reserve(length);
    copy(bytes, keyStart, this.#bytes, 0, length);
    this.row = { bytes: this.#bytes, keyStart: 0, keyEnd: keyEnd - keyStart, end: length };
  }

  join(row: Row): void {
    const { keyEnd } = this.row!;
    const [ours, theirs] = [numbersOf(this.row!), numbersOf(row)];
    const hits = ours[0]! + theirs[0]!;
    const min = ours[1]! < 0 || (theirs[1]! >= 0 && theirs[1]! < ours[1]!) ? theirs[1]! : ours[1]!;
    const max = Math.max(ours[2]!, theirs[2]!);
    const sketchLength = row.end - row.keyEnd - PAYLOAD;
    if (sketchLength > 0) {
      const end = keyEnd + PAYLOAD + sketchLength;
      this.#reserve(end);
      copy(row.bytes, row.keyEnd + PAYLOAD, this.#bytes, keyEnd + PAYLOAD, sketchLength);
      this.row = { bytes: this.#bytes, keyStart: 0, keyEnd, end };
    }
    this.#bytes.set(new Uint8Array(Float64Array.of(hits, min, max).buffer), keyEnd);
  }

  #reserve(length: number): void {
    if (length <= this.#bytes.length) return;
    const wider = new Uint8Array(2 * length);
    wider.set(this.#bytes);
    this.#bytes = wider;
  }
}

function numbersOf({ bytes, keyEnd }: Row): Float64Array {
  return new Float64Array(bytes.slice(keyEnd, keyEnd + PAYLOAD).buffer);
}

/** Bytes of rows as in a run, for rows in memory. */
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
