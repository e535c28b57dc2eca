// Which URLs have which parameter, and which of them are the same but for it (SPEC 9)? Two external sorts say it.
//
//   by value   name | 00 | length of the value + 1, 0 if it is bare, u16 | value | hash of the base
//   by base    hash of the base | 00                                                    the URL itself: a member without
//              hash of the base | 01 | name u32 | ~groups of the value u32 | value u32
//
// The base is the URL once the parameter is taken out. The first sort counts in how many groups a value is, and so gives
// the order of the members of a group: without the parameter first, then the value that most groups have, ties to the
// shortest, then the first. Names and values that go on are numbered in that order. The payload of all rows is the row of
// the URL, u32, and offset and length of the first name in it, u16 each.
import { hashBytes, sameBytes } from '../base/hash.js';
import { SpillSorter, type Row, type RowReader } from '../base/spill.js';
import type { SiteUrls } from '../table/site-urls.js';
import { emptyFields, isParameter, splitFields, withoutParameter } from '../url/fields.js';
import { hostStart } from '../url/form.js';
import { uncollate } from '../url/token.js';
import type { Room } from './engine.js';
import { RowQueue } from './parameter-queue.js';

/** Of a URL with more names only the first are looked at: a hostile one has a thousand. */
export const MAX_NAMES = 32;

export interface MemberOptions {
  /** A parameter that stands in fewer URLs is left alone. */
  readonly paramMinUrls: number;
  /** Laid on hashes of bases; tests make them meet, so that bytes have to decide. */
  readonly hashMask?: number;
}

/** The first names of a URL, each once, with the place of the first field of that name. Filled anew for each URL. */
export class UrlParameters {
  /** Raw bytes. */
  url: Uint8Array = new Uint8Array(0);
  count = 0;
  readonly fields = emptyFields();
  /** Field numbers. */
  readonly first = new Int32Array(MAX_NAMES);

  read(urls: SiteUrls, row: number): this {
    this.url = rawUrl(urls, row);
    splitFields(this.url, this.fields);
    this.count = 0;
    for (let field = 0; field < this.fields.count && this.count < MAX_NAMES; field++) {
      if (isParameter(this.fields, field) && this.#isSayable(field) && this.#isNew(field)) {
        this.first[this.count++] = field;
      }
    }
    return this;
  }

  nameAt(k: number): number {
    return this.fields.start[this.first[k]!]!;
  }

  nameLength(k: number): number {
    return this.fields.nameEnd[this.first[k]!]! - this.nameAt(k);
  }

  name(k: number): Uint8Array {
    return this.url.subarray(this.nameAt(k), this.fields.nameEnd[this.first[k]!]);
  }

  /** Null for a bare name. */
  value(k: number): Uint8Array | null {
    return valueOf(this.url, this.fields.nameEnd[this.first[k]!]!, this.fields.end[this.first[k]!]!);
  }

  /** No `&` in name and value, as there can be in a path, and no `#`: rules that the file could not hold (`rule/file`). */
  #isSayable(field: number): boolean {
    for (let at = this.fields.start[field]!; at < this.fields.end[field]!; at++) {
      if (this.url[at] === 0x26 || this.url[at] === 0x23) return false;
    }
    return true;
  }

  #isNew(field: number): boolean {
    const { start, nameEnd } = this.fields;
    const length = nameEnd[field]! - start[field]!;
    for (let k = 0; k < this.count; k++) {
      if (this.nameLength(k) !== length) continue;
      if (sameBytes(this.url, this.nameAt(k), this.url, start[field]!, length)) return false;
    }
    return true;
  }
}

export function rawUrl(urls: SiteUrls, row: number): Uint8Array {
  const at = urls.at(row);
  return uncollate(urls.bytes, at, at + urls.lengthOf(row));
}

export function valueOf(url: Uint8Array, nameEnd: number, end: number): Uint8Array | null {
  return nameEnd === end ? null : url.subarray(nameEnd + 1, end);
}

const fields = emptyFields();

/** The URL of a row without the parameter whose name stands there; the URL itself for length 0. Raw bytes. */
export function baseOf(urls: SiteUrls, row: number, nameAt: number, nameLength: number): Uint8Array {
  const url = rawUrl(urls, row);
  if (nameLength === 0) return url;
  return withoutParameter(url, splitFields(url, fields), url.subarray(nameAt, nameAt + nameLength));
}

/** The parameters that stand in enough URLs, by number, which is the order of their names. */
export interface Names {
  count: number;
  readonly place: Place[];
  /** URLs that have it. */
  readonly urls: number[];
}

const BUCKETS = 1 << 16;

/** Of how many URLs have names with this hash: never fewer than have the name. Tells most names apart from parameters. */
class NameFilter {
  readonly #counts = new Uint32Array(BUCKETS);
  readonly #least: number;

  constructor(least: number) {
    this.#least = least;
  }

  count(url: Uint8Array, at: number, length: number): void {
    this.#counts[hashBytes(url, at, at + length) & (BUCKETS - 1)]!++;
  }

  passes(url: Uint8Array, at: number, length: number): boolean {
    return this.#counts[hashBytes(url, at, at + length) & (BUCKETS - 1)]! >= this.#least;
  }

  get passesAny(): boolean {
    return this.#counts.some((count) => count > 0 && count >= this.#least);
  }
}

export interface Members {
  readonly names: Names;
  /** Rows of the second sort. */
  readonly byBase: SpillSorter;
  /** URLs with a host. */
  readonly withHost: number;
}

const HASH_BYTES = 8;
const PAYLOAD = 8;

/** Both sorts; undefined for a list in which no parameter stands in enough URLs. */
export function collectMembers(urls: SiteUrls, options: MemberOptions, room: Room): Members | undefined {
  const parameters = new UrlParameters();
  const filter = new NameFilter(options.paramMinUrls);
  let withHost = 0;
  for (let row = 0; row < urls.count; row++) {
    parameters.read(urls, row);
    if (hostStart(parameters.url) > 0) withHost++;
    for (let k = 0; k < parameters.count; k++) {
      filter.count(parameters.url, parameters.nameAt(k), parameters.nameLength(k));
    }
  }
  if (!filter.passesAny) return undefined;
  const hasher = new BaseHasher(options.hashMask ?? -1);
  const half = { ...room, memoryBytes: room.memoryBytes / 2 };
  const byValue = new SpillSorter(half, room.stats);
  let line = Buffer.alloc(4096);
  for (let row = 0; row < urls.count; row++) {
    const { url } = parameters.read(urls, row);
    if (line.length < 2 * url.length + 64) line = Buffer.alloc(4 * url.length + 64);
    for (let k = 0; k < parameters.count; k++) {
      if (!filter.passes(url, parameters.nameAt(k), parameters.nameLength(k))) continue;
      const name = parameters.name(k);
      const value = parameters.value(k);
      let length = name.length;
      line.set(name);
      line[length++] = 0;
      length = line.writeUInt16BE(value === null ? 0 : value.length + 1, length);
      if (value !== null) line.set(value, length);
      length += value?.length ?? 0;
      hasher.write(withoutParameter(url, parameters.fields, name), line, length);
      length += HASH_BYTES;
      const end = writePlace(line, length, row, parameters.nameAt(k), name.length);
      byValue.add(line, 0, end, length);
    }
  }
  const byBase = new SpillSorter(half, room.stats);
  const names = new ValueCounter(urls, options.paramMinUrls, half, byBase).countAll(byValue.finish());
  if (names.count === 0) return undefined;
  for (let row = 0; row < urls.count; row++) {
    hasher.write(rawUrl(urls, row), line, 0);
    line[HASH_BYTES] = 0;
    byBase.add(line, 0, writePlace(line, HASH_BYTES + 1, row, 0, 0), HASH_BYTES + 1);
  }
  return { names, byBase, withHost };
}

function writePlace(line: Buffer, at: number, row: number, nameAt: number, nameLength: number): number {
  return line.writeUInt16LE(nameLength, line.writeUInt16LE(nameAt, line.writeUInt32LE(row, at)));
}

class BaseHasher {
  readonly #mask: number;

  constructor(mask: number) {
    this.#mask = mask;
  }

  write(base: Uint8Array, line: Buffer, at: number): void {
    line.writeInt32BE(hashBytes(base, 0, base.length) & this.#mask, at);
    line.writeInt32BE(hashBytes(base, 0, base.length, 0x9e3779b9) & this.#mask, at + 4);
  }
}

/** Bytes of a row on its way from one sort to the other: hash, place; then groups and number of its value too. */
const MEMBER = HASH_BYTES + PAYLOAD;
const NUMBERED = MEMBER + 8;

/**
 * Reads rows by value. Those of one value wait until it is known how many groups have it, those of one name until there
 * are enough of them.
 */
class ValueCounter {
  readonly #urls: SiteUrls;
  readonly #least: number;
  readonly #out: SpillSorter;
  readonly #names: Names = { count: 0, place: [], urls: [] };
  readonly #ofValue: RowQueue;
  readonly #ofName: RowQueue;
  readonly #line = Buffer.alloc(64);
  /** Name and value of the row before. */
  #key: Uint8Array = new Uint8Array(0);
  #nameLength = 0;
  #rowsOfName = 0;
  #values = 0;
  #isOpen = false;
  /** Groups of the value; of the last hash, a row for each base that has it. */
  #groups = 0;
  readonly #hash = new Uint8Array(HASH_BYTES);
  readonly #bases: Place[] = [];

  constructor(urls: SiteUrls, least: number, room: Room, out: SpillSorter) {
    this.#urls = urls;
    this.#least = least;
    this.#out = out;
    const share = { ...room, memoryBytes: room.memoryBytes / 8 };
    this.#ofValue = new RowQueue(MEMBER, share);
    this.#ofName = new RowQueue(NUMBERED, share);
  }

  countAll(reader: RowReader): Names {
    for (let row = reader.next(); row !== undefined; row = reader.next()) {
      const keyLength = row.keyEnd - row.keyStart - HASH_BYTES;
      if (keyLength !== this.#key.length || !sameBytes(row.bytes, row.keyStart, this.#key, 0, keyLength)) {
        this.#endValue();
        const nameLength = nameLengthOf(row);
        const isSameName =
          nameLength === this.#nameLength && sameBytes(row.bytes, row.keyStart, this.#key, 0, nameLength);
        if (!isSameName) this.#endName();
        this.#nameLength = nameLength;
        this.#key = row.bytes.slice(row.keyStart, row.keyStart + keyLength);
      }
      if (this.#isNewBase(row)) this.#groups++;
      this.#ofValue.add(row.bytes, row.keyEnd - HASH_BYTES);
    }
    reader.close();
    this.#endValue();
    this.#endName();
    return this.#names;
  }

  /** One hash is nearly always one base; where it is not, bytes decide. */
  #isNewBase({ bytes, keyEnd }: Row): boolean {
    const place = readPlace(bytes, keyEnd);
    let isSameHash = this.#bases.length > 0;
    for (let k = 0; k < HASH_BYTES; k++) {
      const byte = bytes[keyEnd - HASH_BYTES + k]!;
      if (byte !== this.#hash[k]) isSameHash = false;
      this.#hash[k] = byte;
    }
    if (!isSameHash) this.#bases.length = 0;
    else {
      const base = this.#baseOf(place);
      if (this.#bases.some((other) => Buffer.compare(this.#baseOf(other), base) === 0)) return false;
    }
    this.#bases.push(place);
    return true;
  }

  #baseOf({ row, at, length }: Place): Uint8Array {
    return baseOf(this.#urls, row, at, length);
  }

  #endValue(): void {
    this.#rowsOfName += this.#ofValue.count;
    if (!this.#isOpen && this.#rowsOfName >= this.#least && this.#ofValue.count > 0) this.#openName();
    const line = this.#line;
    this.#ofValue.drain((bytes, at) => {
      for (let k = 0; k < MEMBER; k++) line[k] = bytes[at + k]!;
      line.writeUInt32BE(~this.#groups >>> 0, MEMBER);
      line.writeUInt32BE(this.#values, MEMBER + 4);
      if (this.#isOpen) this.#write(line, 0);
      else this.#ofName.add(line, 0);
    });
    this.#values++;
    this.#groups = 0;
    this.#bases.length = 0;
  }

  #openName(): void {
    this.#isOpen = true;
    this.#ofValue.peek((bytes, at) => this.#names.place.push(readPlace(bytes, at + HASH_BYTES)));
    this.#names.count++;
    this.#ofName.drain((bytes, at) => this.#write(bytes, at));
  }

  #endName(): void {
    if (this.#isOpen) this.#names.urls.push(this.#rowsOfName);
    this.#ofName.clear();
    this.#isOpen = false;
    this.#rowsOfName = this.#values = 0;
  }

  readonly #row = Buffer.alloc(64);

  #write(member: Uint8Array, at: number): void {
    const row = this.#row;
    for (let k = 0; k < HASH_BYTES; k++) row[k] = member[at + k]!;
    row[HASH_BYTES] = 1;
    row.writeUInt32BE(this.#names.count - 1, HASH_BYTES + 1);
    for (let k = 0; k < 8; k++) row[HASH_BYTES + 5 + k] = member[at + MEMBER + k]!;
    const keyLength = HASH_BYTES + 13;
    for (let k = 0; k < PAYLOAD; k++) row[keyLength + k] = member[at + HASH_BYTES + k]!;
    this.#out.add(row, 0, keyLength + PAYLOAD, keyLength);
  }
}

function nameLengthOf({ bytes, keyEnd }: Row): number {
  return bytes[keyEnd + 6]! | (bytes[keyEnd + 7]! << 8);
}

/** Where a name stands: the row of a URL, offset and length in it. Length 0 is no name. */
export interface Place {
  readonly row: number;
  readonly at: number;
  readonly length: number;
}

/** The payload of a row. */
export function readPlace(bytes: Uint8Array, at: number): Place {
  const row = (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
  return { row, at: bytes[at + 4]! | (bytes[at + 5]! << 8), length: bytes[at + 6]! | (bytes[at + 7]! << 8) };
}
