// logfmt: names and values with an equals sign, as of Heroku's router, lograge and Go's loggers.
//
//   at=info method=GET path="/a?b=1" host=h fwd="192.0.2.1" status=200 bytes=2
//
// A line is rewritten as an object of JSON and read like one, so names and values mean what they mean in JSON lines.
import { BACKSLASH, CLOSE_BRACE, COLON, COMMA, EQUALS, OPEN_BRACE, QUOTE, SPACE } from '../../base/ascii.js';
import { isDigit } from '../../base/bytes.js';
import type { ColumnNames } from './column.js';
import { type Fields, type LineFormat, NOT_IN_FORMAT } from './format.js';
import { JsonReader } from './jsonl.js';

const LEAST_PAIRS = 2;
/** The longest number that is written as one. */
const MOST_DIGITS = 15;

export function createLogfmt(columns?: ColumnNames): LineFormat {
  const reader = new JsonReader(columns);
  const object = new ObjectWriter();
  return {
    name: 'logfmt',
    parse: (bytes, start, end, fields) => parse(bytes, start, end, fields, { reader, object }),
  };
}

interface Reading {
  readonly reader: JsonReader;
  readonly object: ObjectWriter;
}

function parse(bytes: Buffer, start: number, end: number, fields: Fields, { reader, object }: Reading): string | null {
  const length = object.write(bytes, start, end);
  return length < 0 ? NOT_IN_FORMAT : reader.read(object.bytes, 0, length, fields);
}

/** Writes pairs of a line as an object of JSON. Behind the first, a word without an equals sign is skipped. */
class ObjectWriter {
  bytes = Buffer.alloc(4096);
  #length = 0;

  /** The length of the object; -1 if a quote does not end, or if there are too few pairs. */
  write(bytes: Buffer, start: number, end: number): number {
    // A byte becomes two at most, and a pair has six more.
    if (this.bytes.length < 8 * (end - start) + 2) this.bytes = Buffer.alloc(16 * (end - start) + 2);
    this.#length = 0;
    this.#put(OPEN_BRACE);
    let pairs = 0;
    for (let at = start; at < end;) {
      while (at < end && bytes[at]! <= SPACE) at++;
      let nameEnd = at;
      while (nameEnd < end && bytes[nameEnd]! > SPACE && bytes[nameEnd] !== EQUALS && bytes[nameEnd] !== QUOTE)
        nameEnd++;
      if (nameEnd === at || bytes[nameEnd] !== EQUALS || nameEnd >= end) {
        if (pairs === 0) return -1;
        while (at < end && bytes[at]! > SPACE) at++;
        continue;
      }
      if (pairs++ > 0) this.#put(COMMA);
      this.#text(bytes, at, nameEnd);
      this.#put(COLON);
      at = this.#value(bytes, nameEnd + 1, end);
      if (at < 0) return -1;
    }
    this.#put(CLOSE_BRACE);
    return pairs < LEAST_PAIRS ? -1 : this.#length;
  }

  /** Where the value ends; -1 if its quote does not. */
  #value(bytes: Buffer, start: number, end: number): number {
    if (start < end && bytes[start] === QUOTE) {
      let close = start + 1;
      while (close < end && bytes[close] !== QUOTE) close += bytes[close] === BACKSLASH ? 2 : 1;
      if (close >= end) return -1;
      // The escapes of a quoted value are those of JSON.
      for (let at = start; at <= close; at++) this.#put(bytes[at]!);
      return close + 1;
    }
    let stop = start;
    let digits = 0;
    for (; stop < end && bytes[stop]! > SPACE; stop++) if (isDigit(bytes[stop])) digits++;
    const isNumber =
      digits === stop - start && digits > 0 && digits <= MOST_DIGITS && (digits === 1 || bytes[start] !== 0x30);
    if (isNumber) for (let at = start; at < stop; at++) this.#put(bytes[at]!);
    else this.#text(bytes, start, stop);
    return stop;
  }

  #text(bytes: Buffer, start: number, end: number): void {
    this.#put(QUOTE);
    for (let at = start; at < end; at++) {
      if (bytes[at] === QUOTE || bytes[at] === BACKSLASH) this.#put(BACKSLASH);
      this.#put(bytes[at]!);
    }
    this.#put(QUOTE);
  }

  #put(byte: number): void {
    this.bytes[this.#length++] = byte;
  }
}

/** True if the line has pairs, and one of them may be the target of a request. */
export function isLogfmtLine(line: string): boolean {
  if (!/^\s*[A-Za-z_][\w.@/-]*=/.test(line)) return false;
  const pairs = line.match(/(?:^|\s)[A-Za-z_][\w.@/-]*=(?:"(?:[^"\\]|\\.)*"|[^\s"]*)(?=\s|$)/g) ?? [];
  return (
    pairs.length > LEAST_PAIRS && pairs.some((pair) => /^\s*[\w.@/-]*(?:path|url|uri|request|target)=/i.test(pair))
  );
}
