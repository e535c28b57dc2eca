// JSON Lines: one object per line, with fields by name; fields of nested objects by path (`request.uri`). If the names
// are those of a known server, the format is that server's, with its own list of names (json-servers.ts).
import { SLASH, BACKSLASH } from '../../base/ascii.js';
import { decodeText, encodeText, isDigit } from '../../base/bytes.js';
import { type Column, type ColumnNames, type ColumnReader, createColumnReader, type NameLists } from './column.js';
import {
  type Fields,
  type FormatName,
  type LineFormat,
  NOT_IN_FORMAT,
  readDigits,
  readDuration,
  setSpan,
  type Span,
  UNIT,
} from './format.js';
import { type FoundValue, JsonScanner, NONE } from './json-scan.js';
import { methodIn, UrlPieces } from './request.js';
import { setSketch, setValue } from './table.js';
import { TargetFields } from './target.js';

/** Causes for objects that are not read. A name that stands twice, with different values, says nothing. */
const REPEATED_FIELD = 'repeated-field';
const TOO_DEEP = 'nested-too-deep';
const LONE_SURROGATE = 'lone-surrogate';

/** Names of the columns, if they are not the usual ones. */
export interface JsonNames {
  readonly name: FormatName;
  readonly names: NameLists;
  /** Milliseconds in the unit of its durations. */
  readonly unitMs: number;
  /** True if a path has no slash at its beginning. */
  readonly pathsLackSlash?: true;
}

export function createJsonLines(named?: ColumnNames, known?: JsonNames): LineFormat {
  const reader = new JsonReader(named, known);
  return {
    name: known?.name ?? 'jsonl',
    plain: { kind: 'json', meaningOf: reader.meaningOf },
    parse: (bytes, start, end, fields) => reader.read(bytes, start, end, fields),
  };
}

/** The object on a line; null if it is not one. */
export function jsonObject(line: string): Readonly<Record<string, unknown>> | null {
  if (!line.trimStart().startsWith('{')) return null;
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' ? (value as Record<string, unknown> | null) : null;
  } catch {
    return null; // not JSON, so in another format or in none
  }
}

/** Reads objects into fields. A string without backslashes is not copied. */
export class JsonReader {
  readonly meaningOf: ColumnReader;
  readonly #scanner: JsonScanner;
  readonly #pieces = new UrlPieces();
  readonly #texts = new Map<Column, JsonText>();

  readonly #targets = new TargetFields();
  readonly #unitMs: number;
  readonly #lacksSlash: boolean;
  #path = Buffer.alloc(256);
  /** True if a text has half of a character. */
  #isBroken = false;

  constructor(named: ColumnNames | undefined, known?: Pick<JsonNames, 'names' | 'unitMs' | 'pathsLackSlash'>) {
    this.meaningOf = createColumnReader(named, known?.names);
    this.#scanner = new JsonScanner(this.meaningOf);
    this.#unitMs = known?.unitMs ?? UNIT.s;
    this.#lacksSlash = known?.pathsLackSlash === true;
  }

  read(bytes: Buffer, start: number, end: number, fields: Fields): string | null {
    return this.scan(bytes, start, end) ? this.take(bytes, fields) : this.refusal;
  }

  /** False if that is no object; {@link refusal} then says why. */
  scan(bytes: Buffer, start: number, end: number): boolean {
    return this.#scanner.scan(bytes, start, end);
  }

  get refusal(): string {
    return this.#scanner.isTooDeep ? TOO_DEEP : NOT_IN_FORMAT;
  }

  /** True if the object that was scanned has a URL or a request. */
  get hasUrl(): boolean {
    const { url, target, request } = this.#scanner.found;
    return url.rank < NONE || target.rank < NONE || request.rank < NONE;
  }

  /** Fills the fields from the object that was scanned. */
  take(bytes: Buffer, fields: Fields): string | null {
    const { found, isAmbiguous } = this.#scanner;
    if (isAmbiguous) return REPEATED_FIELD;
    const { method, status, size, host, sketch, duration, query, scheme } = found;
    if (method.rank < NONE) fields.method = methodIn(bytes, method.start, method.end);
    if (duration.rank < NONE) fields.duration = readDuration(bytes, duration.start, duration.end, this.#unitMs);
    const cause = this.#setNumber('status', status, bytes, fields) ?? this.#setNumber('size', size, bytes, fields);
    if (cause !== null) return cause;
    this.#isBroken = false;
    this.#pieces.clear();
    if (query.rank < NONE) this.#setText('query', query, bytes, this.#pieces.query);
    this.#takeTarget(bytes, fields);
    if (this.#lacksSlash && this.hasUrl) this.#addSlash(fields.url);
    this.#setText('host', host, bytes, fields.host);
    if (this.#isBroken) return LONE_SURROGATE;
    this.takeTime(bytes, fields);
    this.#setText('agent', found.agent, bytes, fields.agent);
    this.#setText('client', found.client, bytes, fields.client);
    this.#setText('referrer', found.referrer, bytes, fields.referrer);
    this.#setText('sketch', sketch, bytes, fields.sketch);
    this.#setText('canonical', found.canonical, bytes, fields.named);
    this.#setText('redirect', found.redirect, bytes, fields.named);
    this.#setText('language', found.language, bytes, fields.language);
    setSketch(fields.sketch, fields.sketch.bytes, fields.sketch.start, fields.sketch.end);
    this.#setText('scheme', scheme, bytes, this.#pieces.scheme);
    this.#pieces.join(fields);
    return null;
  }

  #addSlash(url: Span): void {
    const { bytes, start, end } = url;
    if (bytes[start] === SLASH && end > start) return;
    if (this.#path.length < 1 + end - start) this.#path = Buffer.alloc(2 * (1 + end - start));
    this.#path[0] = SLASH;
    this.#path.set(bytes.subarray(start, end), 1);
    setSpan(url, this.#path, 0, 1 + end - start);
  }

  #takeTarget(bytes: Buffer, fields: Fields): void {
    const { url, target, request } = this.#scanner.found;
    if (target.rank === NONE && request.rank === NONE) return this.#setText('url', url, bytes, fields.url);
    if (url.rank === NONE && request.rank === NONE) return this.#setText('target', target, bytes, fields.url);
    this.#targets.clear();
    this.#setText('url', url, bytes, this.#targets.url);
    this.#setText('target', target, bytes, this.#targets.target);
    this.#setText('request', request, bytes, this.#targets.request);
    this.#targets.choose(fields, this.#pieces.query);
  }

  takeTime(bytes: Buffer, fields: Fields): void {
    this.#setText('time', this.#scanner.found.time, bytes, fields.time);
  }

  /** Reads the text of the line inside of the object that was scanned; empty if it has none. */
  takeLine(bytes: Buffer, span: Span): void {
    this.#setText('line', this.#scanner.found.line, bytes, span);
  }

  #setNumber(column: 'status' | 'size', found: FoundValue, bytes: Buffer, fields: Fields): string | null {
    if (found.rank === NONE) return null;
    const value = readDigits(bytes, found.start, found.end);
    if (value < 0) {
      const text = bytes.toString('latin1', found.start, found.end);
      return setValue(column, found.kind === 'number' ? String(Number(text)) : text, fields);
    }
    fields[column] = value;
    return null;
  }

  #setText(column: Column, found: FoundValue, bytes: Buffer, span: Fields['url']): void {
    if (found.rank === NONE) return;
    let text = this.#texts.get(column);
    if (text === undefined) this.#texts.set(column, (text = new JsonText()));
    if (!text.read(bytes, found, span)) this.#isBroken = true;
  }
}

/** The text of a value: in the line itself or, without its backslashes, in a buffer that the next value overwrites. */
export class JsonText {
  #scratch = Buffer.alloc(0);

  /** False if the text has an escape for half of a character. */
  read(bytes: Buffer, { start, end, kind }: FoundValue, span: Span): boolean {
    if (kind !== 'escaped') {
      setSpan(span, bytes, start, end);
      return true;
    }
    if (this.#scratch.length < end - start) this.#scratch = Buffer.alloc(2 * (end - start) + 256);
    const length = unescape(bytes, start, end, this.#scratch);
    if (length >= 0) {
      setSpan(span, this.#scratch, 0, length);
      return true;
    }
    const escaped = decodeText(bytes, start, end);
    const text = Buffer.from(encodeText(JSON.parse(`"${escaped}"`) as string));
    setSpan(span, text, 0, text.length);
    return !LONE.test(escaped.replaceAll('\\\\', ''));
  }
}

/** The escape of a surrogate without its other half. `\udc80` to `\udcff` stand for bytes (base/bytes). */
const LONE = /\\u[dD][89abAB]..(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB]..)\\u[dD](?![cC][89a-fA-F])[c-fC-F]/;

/** Writes a string without its backslashes and returns the length; -1 if it has a `\u` above ASCII. */
function unescape(bytes: Uint8Array, start: number, end: number, to: Uint8Array): number {
  let out = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    if (byte !== BACKSLASH) to[out++] = byte;
    else if (bytes[++at] !== 0x75) to[out++] = ESCAPED[bytes[at]!]!;
    else {
      const code = (hexValue(bytes[at + 3]!) << 4) | hexValue(bytes[at + 4]!);
      if (bytes[at + 1] !== 0x30 || bytes[at + 2] !== 0x30 || code > 0x7f) return -1;
      to[out++] = code;
      at += 4;
    }
  }
  return out;
}

/** The byte that a backslash followed by this one stands for. */
const ESCAPED = Uint8Array.from({ length: 256 }, (_, byte) => byte);
for (const [letter, byte] of ['b\b', 'f\f', 'n\n', 'r\r', 't\t']) ESCAPED[letter!.charCodeAt(0)] = byte!.charCodeAt(0);

function hexValue(byte: number): number {
  return isDigit(byte) ? byte - 0x30 : (byte | 0x20) - 0x57;
}
