// Which parameters does a URL have, and what is its hash without one of them? Found in one pass over the bytes as they
// are in the list, in collation order.
//
//   http://h/forum;jsessionid=F3/list?id=7&sid=a
//        |||     |              |    |    |        a piece begins with its separator, and has no other in it
//
// Pieces are cut at `/` and `;` before the query, at `&` and `;` in it. A parameter is a piece of its own, so the URL
// without it consists of the remaining pieces, byte for byte; only the first piece of a query then begins with `?`,
// whatever it began with. So the hash of the base is chained from the hashes of pieces, without building the base:
//
//   state 0 -piece 0-> state 1 -piece 1-> state 2 …      without piece 1: state 1 -piece 2-> …
//
// `url/fields` defines fields and parameters.
import { sameRange } from '../base/bytes.js';
import { FNV_PRIME, FNV_SEED, mixed } from '../base/hash.js';
import type { SiteUrls } from '../table/site-urls.js';
import { collate, FIRST_RUN_BYTE, fromCollationByte } from '../url/token.js';

/** Only the first names of a URL are considered: a hostile one has a thousand. */
export const MAX_NAMES = 32;

const collated = (char: string) => collate(Buffer.from(char, 'latin1'))[0]!;
const [SLASH, SEMICOLON, QUESTION] = [collated('/'), collated(';'), collated('?')];
const [AMPERSAND, EQUALS, FRAGMENT, COLON] = [collated('&'), collated('='), collated('#'), collated(':')];
const HTTP = Buffer.from('http', 'latin1');

/** Two independent 32-bit hashes, by two multipliers. */
const [BEGIN_A, BEGIN_B] = [FNV_SEED, 0x297a2d39];
const [PRIME_A, PRIME_B] = [FNV_PRIME, 0x2c1b3c6d];

function chained(state: number, piece: number, separator: number): number {
  const product = Math.imul(state ^ piece ^ (separator << 16), 0x9e3779b1);
  return (product << 13) | (product >>> 19);
}

/** Allocated once, refilled for each URL. Offsets are relative to the URL. */
export class UrlScan {
  bytes: Uint8Array = new Uint8Array(0);
  /** Where the URL starts in `bytes`, and how long it is. */
  at = 0;
  length = 0;
  hasHost = false;
  /** The parameters: each name once, at its first field that a rule can express. */
  count = 0;
  readonly nameAt = new Int32Array(MAX_NAMES);
  readonly nameEnd = new Int32Array(MAX_NAMES);
  readonly end = new Int32Array(MAX_NAMES);
  readonly nameHash = new Int32Array(MAX_NAMES);
  /** Of name and value. */
  readonly fieldHash = new Int32Array(MAX_NAMES);
  /** Result of the last {@link hashUrl} or {@link hashWithout}. */
  hashA = 0;
  hashB = 0;

  readonly #piece = new Int32Array(MAX_NAMES);
  /** How many fields have the name, and whether one of them is in the query. */
  readonly #fields = new Int32Array(MAX_NAMES);
  readonly #isInQuery = new Uint8Array(MAX_NAMES);
  #pieces = 0;
  #firstInQuery = 0;
  #hasEmpty = false;
  #columns = pieceColumns(64);

  read(urls: SiteUrls, row: number): this {
    this.at = urls.at(row);
    this.bytes = urls.bytes;
    this.length = urls.lengthOf(row);
    this.#pieces = this.count = 0;
    const pathAt = this.#pathStart();
    const queryAt = this.#cut(0, 0, SLASH, QUESTION);
    this.#firstInQuery = this.#pieces;
    if (queryAt < this.length) this.#cut(QUESTION, queryAt + 1, AMPERSAND, -1);
    this.#findParameters(pathAt);
    return this;
  }

  /** True if the URL without a parameter is the URL without one range of bytes. */
  isSimple(parameter: number): boolean {
    return this.#fields[parameter] === 1 && !(this.#hasEmpty && this.#isInQuery[parameter] === 1);
  }

  /** Hashes the URL itself. */
  hashUrl(): void {
    const { separator, hashA, hashB, stateA, stateB } = this.#columns;
    let [a, b] = [BEGIN_A, BEGIN_B];
    for (let k = 0; k < this.#pieces; k++) {
      stateA[k] = a;
      stateB[k] = b;
      a = chained(a, hashA[k]!, separator[k]!);
      b = chained(b, hashB[k]!, separator[k]!);
    }
    this.#setHash(a, b);
  }

  /** Hashes the URL without a parameter. Call {@link hashUrl} first. */
  hashWithout(parameter: number): void {
    if (!this.isSimple(parameter)) return this.#hashKept(parameter);
    const { separator, hashA, hashB, stateA, stateB } = this.#columns;
    const piece = this.#piece[parameter]!;
    let a = stateA[piece]!;
    let b = stateB[piece]!;
    let next = piece + 1;
    if (piece === this.#firstInQuery && next < this.#pieces) {
      a = chained(a, hashA[next]!, QUESTION);
      b = chained(b, hashB[next]!, QUESTION);
      next++;
    }
    for (; next < this.#pieces; next++) {
      a = chained(a, hashA[next]!, separator[next]!);
      b = chained(b, hashB[next]!, separator[next]!);
    }
    this.#setHash(a, b);
  }

  /** The same if there are several fields of the name, or empty ones, which are removed with it. */
  #hashKept(parameter: number): void {
    const { separator, hashA, hashB, start, stop, parameterOf } = this.#columns;
    const drops = this.#isInQuery[parameter] === 1;
    let [a, b] = [BEGIN_A, BEGIN_B];
    let kept = 0;
    for (let k = 0; k < this.#pieces; k++) {
      const isField = k >= this.#firstInQuery;
      if (parameterOf[k] === parameter || (isField && drops && start[k] === stop[k])) continue;
      const mark = isField && kept++ === 0 ? QUESTION : separator[k]!;
      a = chained(a, hashA[k]!, mark);
      b = chained(b, hashB[k]!, mark);
    }
    this.#setHash(a, b);
  }

  #setHash(a: number, b: number): void {
    this.hashA = mixed(a);
    this.hashB = mixed(b);
  }

  #pathStart(): number {
    const host = this.#hostStart();
    this.hasHost = host > 0;
    if (host < 0) return 0;
    for (let k = host; k < this.length; k++) {
      const byte = this.bytes[this.at + k]!;
      if (byte === SLASH || byte === QUESTION) return k;
    }
    return this.length;
  }

  #hostStart(): number {
    const { bytes, at, length } = this;
    if (bytes[at] === SLASH || length < 7) return -1;
    for (let k = 0; k < 4; k++) if ((fromCollationByte(bytes[at + k]!) | 0x20) !== HTTP[k]) return -1;
    const colon = (fromCollationByte(bytes[at + 4]!) | 0x20) === 0x73 ? 5 : 4;
    const isHost = bytes[at + colon] === COLON && bytes[at + colon + 1] === SLASH && bytes[at + colon + 2] === SLASH;
    return isHost && colon + 3 <= length ? colon + 3 : -1;
  }

  /**
   * Adds the pieces from `start` on, the first with that separator, up to `stop` or the end; returns where it stopped.
   */
  #cut(separator: number, start: number, delimiter: number, stop: number): number {
    const { bytes, at } = this;
    const end = at + this.length;
    let [a, b] = [BEGIN_A, BEGIN_B];
    let equals = -1;
    let name = 0;
    let isSayable = 1;
    let k = at + start;
    for (; k < end; k++) {
      const byte = bytes[k]!;
      // Only bytes that are tokens of their own can be separators.
      if (byte < FIRST_RUN_BYTE) {
        if (byte === delimiter || byte === SEMICOLON) {
          this.#addPiece(separator, start, k - at, equals, equals < 0 ? a : name, a, b, isSayable);
          separator = byte;
          start = k - at + 1;
          a = BEGIN_A;
          b = BEGIN_B;
          equals = -1;
          isSayable = 1;
          continue;
        }
        if (byte === stop) break;
        if (byte === EQUALS && equals < 0) {
          equals = k - at;
          name = a;
        } else if (byte === AMPERSAND || byte === FRAGMENT) isSayable = 0;
      }
      a = Math.imul(a ^ byte, PRIME_A);
      b = Math.imul(b ^ byte, PRIME_B);
    }
    this.#addPiece(separator, start, k - at, equals, equals < 0 ? a : name, a, b, isSayable);
    return k - at;
  }

  #addPiece(
    separator: number,
    start: number,
    stop: number,
    equals: number,
    name: number,
    a: number,
    b: number,
    isSayable: number,
  ): void {
    const piece = this.#pieces++;
    if (piece === this.#columns.start.length) this.#columns = wider(this.#columns);
    const columns = this.#columns;
    columns.separator[piece] = separator;
    columns.start[piece] = start;
    columns.stop[piece] = stop;
    columns.equals[piece] = equals;
    columns.nameHash[piece] = name;
    columns.hashA[piece] = a;
    columns.hashB[piece] = b;
    columns.isSayable[piece] = isSayable;
  }

  #findParameters(pathAt: number): void {
    const { start, stop, equals, parameterOf, separator, isSayable } = this.#columns;
    const isBare = this.#lookAtQuery();
    let hasOthers = false;
    for (let k = 0; k < this.#pieces; k++) {
      parameterOf[k] = -1;
      if (k < this.#firstInQuery) {
        if (separator[k] !== SEMICOLON || start[k]! <= pathAt || equals[k]! <= start[k]!) continue;
      } else {
        if (equals[k]! < 0) equals[k] = stop[k]!;
        if (isBare || equals[k] === start[k]) continue;
      }
      const parameter = this.#find(k);
      if (parameter >= 0) this.#join(k, parameter);
      else if (isSayable[k] === 0) {
        parameterOf[k] = UNSAYABLE;
        hasOthers = true;
      } else if (this.count < MAX_NAMES) this.#begin(k);
    }
    // A field that no rule can express is removed with the others of its name, wherever they are.
    for (let k = 0; hasOthers && k < this.#pieces; k++) {
      if (parameterOf[k] !== UNSAYABLE) continue;
      parameterOf[k] = -1;
      const parameter = this.#find(k);
      if (parameter >= 0) this.#join(k, parameter);
    }
  }

  /** Finds whether a field of the query is empty; true for a bare query, a single field without `=`. */
  #lookAtQuery(): boolean {
    const { start, stop, equals } = this.#columns;
    let filled = 0;
    let hasEquals = false;
    this.#hasEmpty = false;
    for (let k = this.#firstInQuery; k < this.#pieces; k++) {
      if (start[k] === stop[k]) this.#hasEmpty = true;
      else filled++;
      if (equals[k]! >= 0) hasEquals = true;
    }
    return filled === 1 && !hasEquals;
  }

  /** The parameter with the name of a piece, or -1. */
  #find(piece: number): number {
    const { start, equals, nameHash } = this.#columns;
    const at = start[piece]!;
    const length = equals[piece]! - at;
    for (let k = 0; k < this.count; k++) {
      if (this.nameHash[k] !== nameHash[piece] || this.nameEnd[k]! - this.nameAt[k]! !== length) continue;
      if (sameRange(this.bytes, this.at + this.nameAt[k]!, this.bytes, this.at + at, length)) return k;
    }
    return -1;
  }

  #begin(piece: number): void {
    const { start, stop, equals, nameHash, hashA, hashB } = this.#columns;
    const parameter = this.count++;
    this.nameAt[parameter] = start[piece]!;
    this.nameEnd[parameter] = equals[piece]!;
    this.end[parameter] = stop[piece]!;
    this.nameHash[parameter] = nameHash[piece]!;
    this.fieldHash[parameter] = mixed(hashA[piece]! ^ Math.imul(hashB[piece]!, 0x9e3779b1));
    this.#piece[parameter] = piece;
    this.#fields[parameter] = this.#isInQuery[parameter] = 0;
    this.#join(piece, parameter);
  }

  #join(piece: number, parameter: number): void {
    this.#columns.parameterOf[piece] = parameter;
    this.#fields[parameter]!++;
    if (piece >= this.#firstInQuery) this.#isInQuery[parameter] = 1;
  }
}

const UNSAYABLE = -2;

/** Per piece: its separator; start and end of the text after it, and the first `=` or -1; hashes of name and text. */
function pieceColumns(length: number) {
  const column = () => new Int32Array(length);
  const places = { start: column(), stop: column(), equals: column() };
  const hashes = { nameHash: column(), hashA: column(), hashB: column() };
  // Number of the parameter, -1 for none; and the chained hash up to the piece, exclusive.
  const found = { isSayable: new Uint8Array(length), parameterOf: new Int8Array(length) };
  return { separator: new Uint8Array(length), ...places, ...hashes, ...found, stateA: column(), stateB: column() };
}

type PieceColumns = ReturnType<typeof pieceColumns>;

function wider(columns: PieceColumns): PieceColumns {
  const doubled = pieceColumns(2 * columns.start.length);
  for (const name of Object.keys(columns) as (keyof PieceColumns)[]) doubled[name].set(columns[name]);
  return doubled;
}

/**
 * One per thread, reused for all sites: allocating thirty columns takes longer than reading a small site. One for
 * iterating over a list, one for a single URL of it meanwhile.
 */
export const listScan = new UrlScan();
export const urlScan = new UrlScan();
