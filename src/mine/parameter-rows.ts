// Which URLs have which parameter, and which of them are the same but for it (SPEC 9)? Two external sorts say it.
//
//   by value   name | 00 | length of the value + 1, 0 if it is bare, u16 | value | hash of the base
//   by base    hash of the base | 00                                                    the URL itself: a member without
//              hash of the base | 01 | name u32 | ~groups of the value u32 | value u32
//
// The base is the URL once the parameter is taken out; what is called its hash are 8 bytes of it and 8 of hash. The first sort counts in how many groups a value is, and so gives
// the order of the members of a group: without the parameter first, then the value that most groups have, ties to the
// shortest, then the first. Names and values that go on are numbered in that order. The payload of all rows is the row of
// the URL, u32, and offset and length of the first name in it, u16 each.
import { hashBytes, mixed, sameBytes } from '../base/hash.js';
import { readU32, SpillSorter, writeU32, type Row, type RowReader } from '../base/spill.js';
import type { SiteUrls } from '../table/site-urls.js';
import { emptyFields, hasName, isParameter, splitFields, withoutParameter, type Fields } from '../url/fields.js';
import { hostStart } from '../url/form.js';
import { collate, fromCollationByte, uncollate } from '../url/token.js';
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
  /** Raw bytes, good until the next URL is read. */
  url: Uint8Array = new Uint8Array(0);
  readonly #buffer = new UrlBuffer();
  count = 0;
  readonly fields = emptyFields();
  /** Field numbers. */
  readonly first = new Int32Array(MAX_NAMES);

  read(urls: SiteUrls, row: number): this {
    this.url = this.#buffer.read(urls, row);
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

/** Raw URLs one after another in one buffer: for passes over all URLs, where {@link rawUrl} would allocate each. */
class UrlBuffer {
  #bytes = new Uint8Array(4096);

  read(urls: SiteUrls, row: number): Uint8Array {
    const length = urls.lengthOf(row);
    if (length > this.#bytes.length) this.#bytes = new Uint8Array(2 * length);
    const at = urls.at(row);
    const { bytes } = urls;
    for (let k = 0; k < length; k++) this.#bytes[k] = fromCollationByte(bytes[at + k]!);
    return this.#bytes.subarray(0, length);
  }
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

/** Bytes of a base that stand before its hash, so that bases come in about the order of the list: its pages are near then. */
const NEAR_BYTES = 8;
export const HASH_BYTES = NEAR_BYTES + 8;
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
  const hasher = new BaseHasher(options.hashMask ?? -1, commonStart(urls));
  const seen = new SeenHashes();
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
      hasher.writeWithout(url, parameters.fields, name, line, length);
      seen.add(line, length);
      length += HASH_BYTES;
      const end = writePlace(line, length, row, parameters.nameAt(k), name.length);
      byValue.add(line, 0, end, length);
    }
  }
  const byBase = new SpillSorter(half, room.stats);
  const names = new ValueCounter(urls, options.paramMinUrls, half, byBase).countAll(byValue.finish());
  if (names.count === 0) return undefined;
  const buffer = new UrlBuffer();
  for (let row = 0; row < urls.count; row++) {
    hasher.writeUrl(buffer.read(urls, row), line, 0);
    if (!seen.mayHave(line, 0)) continue;
    line[HASH_BYTES] = 0;
    byBase.add(line, 0, writePlace(line, HASH_BYTES + 1, row, 0, 0), HASH_BYTES + 1);
  }
  return { names, byBase, withHost };
}

function writePlace(line: Buffer, at: number, row: number, nameAt: number, nameLength: number): number {
  writeU32(line, at, row);
  writeU32(line, at + 4, (nameLength << 16) | nameAt);
  return at + PAYLOAD;
}

/** Bytes that all URLs of the list begin with. */
function commonStart(urls: SiteUrls): number {
  const [first, last] = [rawUrl(urls, 0), rawUrl(urls, urls.count - 1)];
  let same = 0;
  while (same < first.length && first[same] === last[same]) same++;
  return same;
}

/** Hashes bases into keys, without making them. */
class BaseHasher {
  readonly #mask: number;
  /** Bytes that all URLs begin with; those behind are kept, as raw bytes. */
  readonly #common: number;
  readonly #near = new Uint8Array(NEAR_BYTES);
  #length = 0;
  #a = 0;
  #b = 0;

  constructor(mask: number, common: number) {
    this.#mask = mask;
    this.#common = common;
  }

  /** Of a URL that is a base itself. */
  writeUrl(url: Uint8Array, line: Buffer, at: number): void {
    this.#begin();
    this.#feed(url, 0, url.length);
    this.#write(line, at);
  }

  /** Of what `withoutParameter` makes of the URL: byte for byte the same, else its group would fall apart. */
  writeWithout(url: Uint8Array, fields: Fields, name: Uint8Array, line: Buffer, at: number): void {
    const { start, end, firstInQuery, queryStart, count } = fields;
    this.#begin();
    let from = 0;
    for (let field = 0; field < firstInQuery; field++) {
      if (!hasName(url, fields, field, name)) continue;
      this.#feed(url, from, start[field]! - 1);
      from = end[field]!;
    }
    this.#feed(url, from, queryStart);
    let drops = false;
    for (let field = firstInQuery; field < count && !drops; field++) drops = hasName(url, fields, field, name);
    let kept = 0;
    for (let field = firstInQuery; field < count; field++) {
      if (drops && (start[field] === end[field] || hasName(url, fields, field, name))) continue;
      this.#byte(kept++ === 0 ? QUESTION : url[start[field]! - 1]!);
      this.#feed(url, start[field]!, end[field]!);
    }
    this.#write(line, at);
  }

  #begin(): void {
    this.#a = 0x811c9dc5;
    this.#b = 0x9e3779b9;
    this.#length = 0;
    this.#near.fill(0);
  }

  #byte(byte: number): void {
    const near = this.#length++ - this.#common;
    if (near >= 0 && near < NEAR_BYTES) this.#near[near] = byte;
    this.#a = Math.imul(this.#a ^ byte, 0x01000193);
    this.#b = Math.imul(this.#b ^ byte, 0x01000193);
  }

  #feed(bytes: Uint8Array, start: number, end: number): void {
    const shift = this.#length - this.#common - start;
    const last = Math.min(end, NEAR_BYTES - shift);
    for (let at = Math.max(start, -shift); at < last; at++) this.#near[at + shift] = bytes[at]!;
    this.#length += end - start;
    let a = this.#a;
    let b = this.#b;
    for (let at = start; at < end; at++) {
      a = Math.imul(a ^ bytes[at]!, 0x01000193);
      b = Math.imul(b ^ bytes[at]!, 0x01000193);
    }
    this.#a = a;
    this.#b = b;
  }

  #write(line: Buffer, at: number): void {
    line.set(this.#near, at);
    collate(line, at, at + NEAR_BYTES);
    if (this.#mask !== -1) line.fill(0, at, at + NEAR_BYTES);
    writeBigEndian(line, at + NEAR_BYTES, mixed(this.#a) & this.#mask);
    writeBigEndian(line, at + NEAR_BYTES + 4, mixed(this.#b) & this.#mask);
  }
}

const QUESTION = 0x3f;

function writeBigEndian(line: Uint8Array, at: number, value: number): void {
  line[at] = value >>> 24;
  line[at + 1] = value >>> 16;
  line[at + 2] = value >>> 8;
  line[at + 3] = value;
}

/** Says of most hashes that no base has them: one bit for each of 4 million parts. */
class SeenHashes {
  readonly #bits = new Uint8Array(1 << 19);

  add(line: Uint8Array, at: number): void {
    const bit = this.#bitOf(line, at);
    this.#bits[bit >>> 3]! |= 1 << (bit & 7);
  }

  mayHave(line: Uint8Array, at: number): boolean {
    const bit = this.#bitOf(line, at);
    return (this.#bits[bit >>> 3]! & (1 << (bit & 7))) !== 0;
  }

  #bitOf(line: Uint8Array, at: number): number {
    const hash = at + NEAR_BYTES;
    return (line[hash]! << 14) | (line[hash + 1]! << 6) | (line[hash + 2]! >>> 2);
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
  const name = readU32(bytes, at + 4);
  return { row: readU32(bytes, at), at: name & 0xffff, length: name >>> 16 };
}
