// Assembles a URL from several fields, in its own buffer. Escapes that the server made for the log are undone, and a
// path that the server had decoded (`%U`, `$uri`) is percent-encoded again. A `%` before two hexadecimal digits stays,
// as some servers (Tomcat, Jetty) do not decode their `%U`.
import { BACKSLASH, PERCENT, QUESTION } from '../../../base/ascii.js';
import { isDigit } from '../../../base/bytes.js';
import { setSpan, type Span } from '../format.js';

/** 1 for bytes that RFC 3986 allows in a path. */
const pathByte = new Uint8Array(256);
for (const char of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:@/") {
  pathByte[char.charCodeAt(0)] = 1;
}

const HEX = Buffer.from('0123456789ABCDEF');
const CONTROLS: Readonly<Record<string, number>> = { b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 };
/** By letter after a backslash: its control character; 0 for none. */
const controlOf = new Uint8Array(256);
for (const [letter, code] of Object.entries(CONTROLS)) controlOf[letter.charCodeAt(0)] = code;

export class Joiner {
  readonly #escaped: boolean;
  #bytes = Buffer.alloc(4096);
  #used = 0;

  /** `escaped`: a backslash in a field begins an escape. */
  constructor(escaped: boolean) {
    this.#escaped = escaped;
  }

  /** Starts over. `most` bytes of fields must fit, after they are expanded. */
  start(most: number): void {
    this.#used = 0;
    if (this.#bytes.length < 3 * most + 64) this.#bytes = Buffer.alloc(6 * most + 64);
  }

  get used(): number {
    return this.#used;
  }

  /** Sets the span to the bytes written since `start`. */
  finish(span: Span, start = 0): void {
    setSpan(span, this.#bytes, start, this.#used);
  }

  putByte(byte: number): void {
    this.#bytes[this.#used++] = byte;
  }

  putAll(bytes: Uint8Array, start: number, end: number): void {
    for (let at = start; at < end; at++) this.#bytes[this.#used++] = bytes[at]!;
  }

  /** Writes a path, up to its first question mark; a query follows that. */
  putPath(bytes: Uint8Array, start: number, end: number): void {
    let stop = start;
    while (stop < end && bytes[stop] !== QUESTION) stop++;
    const from = this.#used;
    this.putText(bytes, start, stop);
    this.#encode(from);
    this.putText(bytes, stop, end);
  }

  /** Writes a query, with or without its question mark. */
  putQuery(bytes: Uint8Array, start: number, end: number): void {
    if (start === end) return;
    if (bytes[start] !== QUESTION) this.putByte(QUESTION);
    this.putText(bytes, start, end);
  }

  /** Writes text with its escapes undone. */
  putText(bytes: Uint8Array, start: number, end: number): void {
    const out = this.#bytes;
    for (let at = start; at < end;) {
      const byte = bytes[at]!;
      if (byte !== BACKSLASH || !this.#escaped || at + 1 >= end) {
        out[this.#used++] = byte;
        at++;
      } else at += this.#putEscape(bytes, at, end);
    }
  }

  /** Writes what the `\…` at `at` stands for; returns the length of the escape. */
  #putEscape(bytes: Uint8Array, at: number, end: number): number {
    const next = bytes[at + 1]!;
    const digits = next === 0x78 ? 2 : next === 0x75 ? 4 : 0;
    if (digits > 0) {
      const code = hexNumber(bytes, at + 2, Math.min(end, at + 2 + digits));
      if (code < 0 || at + 2 + digits > end) this.putByte(BACKSLASH);
      else if (digits === 2 || code < 0x80) this.putByte(code);
      else this.#used += this.#bytes.write(String.fromCharCode(code), this.#used);
      return code < 0 || at + 2 + digits > end ? 1 : 2 + digits;
    }
    const control = controlOf[next]!;
    this.putByte(control > 0 ? control : next);
    return 2;
  }

  /** Percent-encodes the bytes written from `from` on. */
  #encode(from: number): void {
    const bytes = this.#bytes;
    let extra = 0;
    for (let at = from; at < this.#used; at++) if (this.#mustEncode(at)) extra += 2;
    if (extra === 0) return;
    let out = this.#used + extra;
    for (let at = this.#used - 1; at >= from; at--) {
      const byte = bytes[at]!;
      if (!this.#mustEncode(at)) bytes[--out] = byte;
      else {
        bytes[--out] = HEX[byte & 15]!;
        bytes[--out] = HEX[byte >> 4]!;
        bytes[--out] = PERCENT;
      }
    }
    this.#used += extra;
  }

  #mustEncode(at: number): boolean {
    const byte = this.#bytes[at]!;
    if (pathByte[byte] === 1) return false;
    return byte !== PERCENT || at + 3 > this.#used || hexNumber(this.#bytes, at + 1, at + 3) < 0;
  }
}

function hexNumber(bytes: Uint8Array, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    const letter = byte | 0x20;
    if (isDigit(byte)) value = value * 16 + byte - 0x30;
    else if (letter >= 0x61 && letter <= 0x66) value = value * 16 + letter - 0x57;
    else return -1;
  }
  return value;
}
