// Some logs write a URL in pieces: path and query, host and scheme, each in a field of its own. They are joined here,
// in buffers that the next line overwrites:
//
//   /a  b=1              /a?b=1
//   www.h.de  https      www.h.de:443        which makes the URL https (SPEC 2.6); a default port is left out
//   www.h.de:8443  https https://www.h.de:8443/a?b=1, as the port does not say it
import { COLON, QUESTION, SLASH } from '../../base/ascii.js';
import { isDigit } from '../../base/bytes.js';
import { isMissing, setSpan, type Fields, type Span } from './format.js';

const HTTPS = Buffer.from('https://');
const SECURE_PORT = Buffer.from(':443');
/** TLS 1.0 as its version number in decimal, as Caddy writes it; later versions are slightly larger. */
const FIRST_TLS = 769;

export class UrlPieces {
  readonly query: Span = { bytes: HTTPS, start: 0, end: 0 };
  /** `https`, `wss`, 443, or the number of a TLS version: the request was encrypted. */
  readonly scheme: Span = { bytes: HTTPS, start: 0, end: 0 };
  #url = Buffer.alloc(4096);
  #host = Buffer.alloc(256);

  clear(): void {
    this.query.start = this.query.end = 0;
    this.scheme.start = this.scheme.end = 0;
  }

  /** Joins the pieces to the URL and host of `fields`. */
  join(fields: Fields): void {
    if (!isMissing(this.query)) this.#addQuery(fields.url);
    if (this.scheme.end > this.scheme.start && isSecure(this.scheme) && !isMissing(fields.host)) this.#secure(fields);
  }

  /** A URL that has a query already has this one. */
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
    // The path may already be in the same buffer: it is moved first.
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

/** True if digits follow the last colon, and no other colon comes before it outside of brackets. */
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
