// Finds the values of columns in a JSON object in one pass over its bytes, without building an object: a line of Caddy
// has 1.5 KB, and only four of its values are needed.
//
// Names are a trie: a name, and the node of the object that it is in, lead to a node with the meaning of the name.
// Lines repeat their names in the same order, so the n-th name of a line is first compared with the n-th name of the
// last line.
//
//   {"status":200,"request":{"uri":"/a", "headers":{"User-Agent":["x"]}}}
//     status      request ─┬─ request.uri
//                          └─ request.headers ── request.headers.User-Agent     the first text in a list (headers)
//
// It accepts exactly the objects that JSON.parse accepts, up to a depth of MAX_DEPTH.
import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  DASH,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from '../../base/ascii.js';
import { decodeText, isText, sameRange } from '../../base/bytes.js';
import { COLUMNS, type Column, type ColumnReader, type Meaning } from './column.js';

const MAX_DEPTH = 100;
const SLOTS = 4096;
const PROBES = 4;

const FAILED = -1;

/** The rank of a missing value: greater (weaker) than any other, and a small integer like them. */
export const NONE = 1 << 20;

type ValueKind = 'number' | 'plain' | 'escaped';

/** The value of a column, from its strongest field: a range of the line, without quotes. */
export interface FoundValue {
  /** {@link NONE} if there is no value. */
  rank: number;
  start: number;
  end: number;
  /** `escaped`: a string with backslashes. */
  kind: ValueKind;
}

interface Node {
  readonly parent: Node | null;
  readonly key: Uint8Array;
  readonly hash: number;
  /** The name with those of the enclosing objects: `request.uri`. */
  readonly name: string;
  readonly meaning: Meaning | null;
}

export class JsonScanner {
  readonly found: Readonly<Record<Column, FoundValue>> = emptyRow();
  readonly #row = Object.values(this.found);
  readonly #meaningOf: ColumnReader;
  /** Made by the first line: most scanners are made for a format that is not the one of the log. */
  #slots: (Node | undefined)[] = [];
  readonly #root: Node = { parent: null, key: new Uint8Array(0), hash: 17, name: '', meaning: null };
  /** The nodes of the last line, in order. */
  readonly #order: Node[] = [];
  #names = 0;
  #bytes: Uint8Array = this.#root.key;
  #end = 0;
  #hasEscapes = false;
  /** True if the last line has two values of the same name that differ, where a record needs one. */
  isAmbiguous = false;
  /** True if the last line was not scanned because of its depth. */
  isTooDeep = false;

  constructor(meaningOf: ColumnReader) {
    this.#meaningOf = meaningOf;
  }

  /** Scans bytes[start, end). False if that is not one JSON object; `found` is then meaningless. */
  scan(bytes: Uint8Array, start: number, end: number): boolean {
    for (let column = 0; column < this.#row.length; column++) this.#row[column]!.rank = NONE;
    this.#bytes = bytes;
    this.#end = end;
    this.#names = 0;
    this.isAmbiguous = this.isTooDeep = false;
    if (this.#slots.length === 0) this.#slots = Array<Node | undefined>(SLOTS).fill(undefined);
    const open = this.#skip(start);
    if (open >= end || bytes[open] !== OPEN_BRACE) return false;
    const behind = this.#object(open + 1, this.#root, 0);
    return behind !== FAILED && behind <= end && this.#skip(behind) === end;
  }

  #skip(start: number): number {
    const bytes = this.#bytes;
    let at = start;
    while (at < this.#end) {
      const byte = bytes[at];
      if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d && byte !== 0x0a) break;
      at++;
    }
    return at;
  }

  /** Returns the offset after the object, or FAILED. The methods below do the same for other values. */
  #object(start: number, node: Node | null, depth: number): number {
    const bytes = this.#bytes;
    let at = this.#skip(start);
    if (bytes[at] === CLOSE_BRACE) return at + 1;
    for (;;) {
      if (bytes[at] !== QUOTE) return FAILED;
      const child = node === null ? null : this.#expected(at + 1, node);
      let close: number;
      if (child === null) {
        close = this.#string(at + 1);
        if (close === FAILED) return FAILED;
      } else close = at + 1 + child.key.length;
      const field = child ?? (node === null ? null : this.#find(at + 1, close, node));
      at = bytes[close + 1] === COLON ? close + 1 : this.#skip(close + 1);
      if (bytes[at] !== COLON) return FAILED;
      at = this.#value(this.#skip(at + 1), field, depth);
      if (at === FAILED) return FAILED;
      at = this.#skip(at);
      if (bytes[at] === CLOSE_BRACE) return at + 1;
      if (bytes[at] !== COMMA) return FAILED;
      at = this.#skip(at + 1);
    }
  }

  /** The node of the name at this position in the last line, if this line repeats the name. */
  #expected(start: number, parent: Node): Node | null {
    const node = this.#order[this.#names];
    if (node === undefined || node.parent !== parent) return null;
    const { key } = node;
    const bytes = this.#bytes;
    if (bytes[start + key.length] !== QUOTE) return null;
    for (let k = 0; k < key.length; k++) if (bytes[start + k] !== key[k]) return null;
    this.#names++;
    return node;
  }

  #find(start: number, end: number, parent: Node): Node {
    const bytes = this.#bytes;
    let hash = parent.hash;
    for (let at = start; at < end; at++) hash = (Math.imul(hash, 31) + bytes[at]!) | 0;
    const slot = (hash ^ (hash >>> 12)) & (SLOTS - 1);
    for (let probe = 0; probe < PROBES; probe++) {
      const node = this.#slots[(slot + probe) & (SLOTS - 1)];
      if (node === undefined) return this.#add((slot + probe) & (SLOTS - 1), hash, start, end, parent);
      if (node.parent === parent && node.hash === hash && isText(bytes, start, end, node.key)) return this.#note(node);
    }
    return this.#add(slot, hash, start, end, parent); // if names come from the data, they never end: evict the oldest
  }

  #add(slot: number, hash: number, start: number, end: number, parent: Node): Node {
    const key = Uint8Array.from(this.#bytes.subarray(start, end));
    const own = JSON.parse(`"${decodeText(key)}"`) as string;
    const name = parent === this.#root ? own : `${parent.name}.${own}`;
    const node = { parent, key, hash, name, meaning: this.#meaningOf(name) };
    this.#slots[slot] = node;
    return this.#note(node);
  }

  #note(node: Node): Node {
    if (this.#names < SLOTS) this.#order[this.#names++] = node;
    return node;
  }

  #value(at: number, node: Node | null, depth: number): number {
    const bytes = this.#bytes;
    const byte = bytes[at];
    if (byte === QUOTE) {
      const close = this.#string(at + 1);
      if (close === FAILED) return FAILED;
      if (node !== null && node.meaning !== null) {
        this.#take(node.meaning, at + 1, close, this.#hasEscapes ? 'escaped' : 'plain');
      }
      return close + 1;
    }
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      this.isTooDeep = depth === MAX_DEPTH;
      if (this.isTooDeep) return FAILED;
      return byte === OPEN_BRACE ? this.#object(at + 1, node, depth + 1) : this.#list(at + 1, node, depth + 1);
    }
    if (byte === 0x74) return this.#word(at, 'true');
    if (byte === 0x66) return this.#word(at, 'false');
    if (byte === 0x6e) return this.#word(at, 'null');
    const end = this.#number(at);
    if (end !== FAILED && node !== null && node.meaning !== null) this.#take(node.meaning, at, end, 'number');
    return end;
  }

  #list(start: number, node: Node | null, depth: number): number {
    let at = this.#skip(start);
    if (this.#bytes[at] === CLOSE_BRACKET) return at + 1;
    const header = node !== null && node.parent !== this.#root && this.#bytes[at] === QUOTE ? node : null;
    for (let isFirst = true; ; isFirst = false) {
      at = this.#value(at, isFirst ? header : null, depth);
      if (at === FAILED) return FAILED;
      at = this.#skip(at);
      if (this.#bytes[at] === CLOSE_BRACKET) return at + 1;
      if (this.#bytes[at] !== COMMA) return FAILED;
      at = this.#skip(at + 1);
    }
  }

  #take({ column, rank }: Meaning, start: number, end: number, kind: ValueKind): void {
    const value = this.found[column];
    if (rank >= value.rank) {
      if (rank === value.rank && !MAY_REPEAT.has(column)) this.#compare(value, start, end);
      return;
    }
    value.rank = rank;
    value.start = start;
    value.end = end;
    value.kind = kind;
  }

  #compare(value: FoundValue, start: number, end: number): void {
    const length = value.end - value.start;
    if (length !== end - start || !sameRange(this.#bytes, value.start, this.#bytes, start, length))
      this.isAmbiguous = true;
  }

  /** Returns the offset of the quote that closes the string. */
  #string(start: number): number {
    const bytes = this.#bytes;
    const end = this.#end;
    let hasEscapes = false;
    for (let at = start; at < end; at++) {
      const byte = bytes[at]!;
      if (byte === QUOTE) {
        this.#hasEscapes = hasEscapes;
        return at;
      }
      if (byte < 0x20) return FAILED;
      if (byte !== BACKSLASH) continue;
      hasEscapes = true;
      at++;
      if (bytes[at] === 0x75) {
        for (let k = 1; k <= 4; k++) if (!isHex(bytes[at + k])) return FAILED;
        at += 4;
      } else if (!isEscape(bytes[at])) return FAILED;
    }
    return FAILED;
  }

  #number(start: number): number {
    const bytes = this.#bytes;
    let at = bytes[start] === DASH ? start + 1 : start;
    const digits = at;
    at = this.#digits(at);
    if (at === digits || (bytes[digits] === 0x30 && at > digits + 1)) return FAILED;
    if (bytes[at] === 0x2e) {
      const fraction = at + 1;
      at = this.#digits(fraction);
      if (at === fraction) return FAILED;
    }
    if ((bytes[at]! | 0x20) !== 0x65) return at;
    const sign = bytes[at + 1];
    const exponent = sign === 0x2b || sign === DASH ? at + 2 : at + 1;
    at = this.#digits(exponent);
    return at === exponent ? FAILED : at;
  }

  #digits(start: number): number {
    const bytes = this.#bytes;
    let at = start;
    while (at < this.#end && bytes[at]! >= 0x30 && bytes[at]! <= 0x39) at++;
    return at;
  }

  #word(at: number, word: string): number {
    for (let k = 0; k < word.length; k++) if (this.#bytes[at + k] !== word.charCodeAt(k)) return FAILED;
    return at + word.length;
  }
}

/** Columns whose first value is good enough. */
const MAY_REPEAT: ReadonlySet<Column> = new Set(['time', 'agent', 'duration', 'client', 'referrer', 'line', 'sketch']);

function emptyRow(): Record<Column, FoundValue> {
  const value = (): FoundValue => ({ rank: NONE, start: 0, end: 0, kind: 'plain' });
  return Object.fromEntries(COLUMNS.map((column) => [column, value()])) as Record<Column, FoundValue>;
}

function isHex(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  return (byte >= 0x30 && byte <= 0x39) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);
}

/** `"`, `\`, `/`, `b`, `f`, `n`, `r`, `t`. */
function isEscape(byte: number | undefined): boolean {
  switch (byte) {
    case QUOTE:
    case BACKSLASH:
    case 0x2f:
    case 0x62:
    case 0x66:
    case 0x6e:
    case 0x72:
    case 0x74:
      return true;
    default:
      return false;
  }
}
