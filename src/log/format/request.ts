// Parses the request line as a server logs it: `GET /a/b?q HTTP/1.1`. Anyone can send anything, so expect the worst: no
// protocol (HTTP/0.9), spaces in the target, a full URL or `*` as the target, TLS bytes instead of a request.
//
// Servers write bytes that would break the line as `\"`, `\\` or `\x16`. Only then is the target decoded, into a
// scratch buffer that the next request overwrites.
import { BACKSLASH, COLON, QUESTION, SLASH, SPACE } from '../../base/ascii.js';
import { isDigit } from '../../base/bytes.js';
import { METHOD } from '../record.js';
import { type Fields, isMissing, setSpan, type Span } from './format.js';

const LONGEST_METHOD = 32;

let scratch = Buffer.alloc(4096);

/**
 * Sets method and url of `fields` from the request line `bytes[start, end)`. If that is no request, the method is
 * missing, and the url is the text.
 */
export function parseRequest(bytes: Buffer, start: number, end: number, fields: Fields): void {
  const methodEnd = skipMethod(bytes, start, end);
  const targetEnd = cutProtocol(bytes, start, end);
  let targetStart = start;
  if (methodEnd > start) {
    targetStart = methodEnd;
    while (targetStart < targetEnd && bytes[targetStart] === SPACE) targetStart++;
    fields.method = methodCode(bytes, start, methodEnd);
  } else if (!startsTarget(bytes, start, end)) {
    fields.method = METHOD.missing;
    setSpan(fields.url, bytes, start, end);
    return;
  }
  if (targetStart >= targetEnd) fields.method = METHOD.missing;
  else setTarget(bytes, targetStart, targetEnd, fields);
}

/** The end of the method, before a space; `start` if there is no method. */
function skipMethod(bytes: Buffer, start: number, end: number): number {
  const limit = Math.min(end, start + LONGEST_METHOD + 1);
  for (let at = start; at < limit; at++) {
    const byte = bytes[at]!;
    if (byte === SPACE) return at;
    const letter = (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;
    if (!letter && (at === start || !(isDigit(byte) || byte === 0x2d || byte === 0x5f))) return start;
  }
  return start;
}

/** A request without method is accepted only if it is a path or a URL. */
function startsTarget(bytes: Buffer, start: number, end: number): boolean {
  if (start >= end) return false;
  return bytes[start] === 0x2f || /^https?:\/\//i.test(bytes.toString('latin1', start, Math.min(end, start + 8)));
}

/** The end of the target: before ` HTTP/` and a digit in the last word of the line. */
function cutProtocol(bytes: Buffer, start: number, end: number): number {
  let last = end;
  while (last > start && bytes[last - 1] === SPACE) last--;
  let at = last - 1;
  while (at > start && at > last - 16 && bytes[at] !== SPACE) at--;
  if (bytes[at] !== SPACE || last - at < 7 || !isProtocol(bytes, at + 1)) return last;
  while (at > start && bytes[at - 1] === SPACE) at--;
  return at;
}

function isProtocol(bytes: Buffer, at: number): boolean {
  for (let k = 0; k < 5; k++) if (bytes[at + k] !== 'HTTP/'.charCodeAt(k)) return false;
  return isDigit(bytes[at + 5]);
}

function methodCode(bytes: Buffer, start: number, end: number): number {
  if (end - start === 3 && bytes[start] === 0x47 && bytes[start + 1] === 0x45 && bytes[start + 2] === 0x54) {
    return METHOD.get;
  }
  return bytes.toString('latin1', start, end) === 'HEAD' ? METHOD.head : METHOD.other;
}

/** The method in the word bytes[start, end). `-` or nothing means unknown. */
export function methodIn(bytes: Buffer, start: number, end: number): number {
  if (start >= end || (end - start === 1 && bytes[start] === 0x2d)) return METHOD.unknown;
  return methodCode(bytes, start, end);
}

/** The method in a field of its own: `GET`. `-` or nothing means unknown. */
export function methodOf(name: string): number {
  if (name === '' || name === '-') return METHOD.unknown;
  return name === 'GET' ? METHOD.get : name === 'HEAD' ? METHOD.head : METHOD.other;
}

/** Sets the url of `fields`, with the escapes of servers undone. */
export function setTarget(bytes: Buffer, start: number, end: number, fields: Fields): void {
  for (let at = start; at < end; at++) {
    if (bytes[at] !== BACKSLASH) continue;
    const length = decodeEscapes(bytes, start, end);
    setSpan(fields.url, scratch, 0, length);
    return;
  }
  setSpan(fields.url, bytes, start, end);
}

/** Decodes `\"`, `\\` and `\xhh` into the scratch buffer; returns the length. Any other backslash is literal. */
function decodeEscapes(bytes: Buffer, start: number, end: number): number {
  if (scratch.length < end - start) scratch = Buffer.alloc(2 * (end - start));
  let out = 0;
  for (let at = start; at < end;) {
    const next = at + 1 < end ? bytes[at + 1]! : 0;
    if (bytes[at] !== BACKSLASH) scratch[out++] = bytes[at++]!;
    else if (next === 0x22 || next === BACKSLASH) {
      scratch[out++] = next;
      at += 2;
    } else if (next === 0x78 && at + 3 < end && isHex(bytes[at + 2]!) && isHex(bytes[at + 3]!)) {
      scratch[out++] = Number.parseInt(bytes.toString('latin1', at + 2, at + 4), 16);
      at += 4;
    } else scratch[out++] = bytes[at++]!;
  }
  return out;
}

function isHex(byte: number): boolean {
  return isDigit(byte) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);
}

// Some logs have the parts of a URL in several fields: path and query, host and scheme. They are joined in buffers that
// the next line overwrites:
//
//   /a  b=1              /a?b=1
//   www.h.de  https      www.h.de:443        the port makes the URL https (SPEC 2.6), and is left out as the default
//   www.h.de:8443  https https://www.h.de:8443/a?b=1, as this port does not imply https

const HTTPS = Buffer.from('https://');
const SECURE_PORT = Buffer.from(':443');
/** The version number of TLS 1.0 in decimal, as Caddy writes it. Later versions have slightly larger numbers. */
const FIRST_TLS = 769;

export class UrlPieces {
  readonly query: Span = { bytes: HTTPS, start: 0, end: 0 };
  /** `https`, `wss`, 443 or the number of a TLS version mean that the request was encrypted. */
  readonly scheme: Span = { bytes: HTTPS, start: 0, end: 0 };
  #url = Buffer.alloc(0);
  #host = Buffer.alloc(0);

  clear(): void {
    this.query.start = this.query.end = 0;
    this.scheme.start = this.scheme.end = 0;
  }

  /** Joins the pieces to the URL and host of `fields`. */
  join(fields: Fields): void {
    if (!isMissing(this.query)) this.#addQuery(fields.url);
    if (this.scheme.end > this.scheme.start && isSecure(this.scheme) && !isMissing(fields.host)) this.#secure(fields);
  }

  /** If the URL already has a query, it is this one. */
  #addQuery(url: Span): void {
    const { query } = this;
    if (url.end <= url.start) return;
    for (let at = url.start; at < url.end; at++) if (url.bytes[at] === QUESTION) return;
    const from = query.bytes[query.start] === QUESTION ? query.start + 1 : query.start;
    this.#reserve(url.end - url.start + 1 + query.end - from);
    let out = copy(url.bytes, url.start, url.end, this.#url, 0);
    this.#url[out++] = QUESTION;
    out = copy(query.bytes, from, query.end, this.#url, out);
    setSpan(url, this.#url, 0, out);
  }

  #secure({ url, host }: Fields): void {
    if (url.bytes[url.start] !== SLASH || url.end <= url.start) return;
    const length = host.end - host.start;
    if (!hasPort(host)) {
      if (this.#host.length < length + SECURE_PORT.length) this.#host = Buffer.alloc(2 * (length + SECURE_PORT.length));
      const end = copy(host.bytes, host.start, host.end, this.#host, 0);
      setSpan(host, this.#host, 0, copy(SECURE_PORT, 0, SECURE_PORT.length, this.#host, end));
      return;
    }
    const origin = HTTPS.length + length;
    this.#reserve(origin + url.end - url.start);
    const end = origin + url.end - url.start;
    // The path may be in the same buffer: it is moved first.
    if (url.bytes === this.#url) this.#url.copyWithin(origin, url.start, url.end);
    else copy(url.bytes, url.start, url.end, this.#url, origin);
    copy(host.bytes, host.start, host.end, this.#url, copy(HTTPS, 0, HTTPS.length, this.#url, 0));
    setSpan(url, this.#url, 0, end);
  }

  #reserve(needed: number): void {
    if (this.#url.length >= needed) return;
    const grown = Buffer.alloc(2 * needed);
    this.#url.copy(grown);
    this.#url = grown;
  }
}

function copy(from: Uint8Array, start: number, end: number, to: Uint8Array, out: number): number {
  for (let at = start; at < end; at++) to[out++] = from[at]!;
  return out;
}

/** True if digits follow the last colon, and there is no other colon before it outside of brackets. */
function hasPort({ bytes, start, end }: Span): boolean {
  let at = end;
  while (at > start && isDigit(bytes[at - 1])) at--;
  if (at === end || at - 1 <= start || bytes[at - 1] !== COLON) return false;
  if (bytes[at - 2] === 0x5d) return true;
  for (let k = start; k < at - 1; k++) if (bytes[k] === COLON) return false;
  return true;
}

function isSecure({ bytes, start, end }: Span): boolean {
  const length = end - start;
  const first = bytes[start]! | 0x20;
  if (length === 5 && first === 0x68) return (bytes[end - 1]! | 0x20) === 0x73;
  if (length === 3 && first === 0x77) return (bytes[end - 1]! | 0x20) === 0x73;
  if (length !== 3 || !isDigit(bytes[start]) || !isDigit(bytes[start + 1]) || !isDigit(bytes[start + 2])) return false;
  const number = bytes[start]! * 100 + bytes[start + 1]! * 10 + bytes[start + 2]! - 0x30 * 111;
  return number === 443 || number >= FIRST_TLS;
}
