// Composes a URL from the fields of a line (SPEC 2.5, 2.6): scheme + host + target if the line has a host, `--base` +
// target if it has none but the user gives a base, else the target alone. A target that is a full URL is used as it is.
// Then, in this order: user and password are removed from a full URL, the fragment is cut off, the URL is normalized,
// and its length is checked. Text with a control character is no URL, and nor is what browsers refuse.
import { sameRange } from '../base/bytes.js';
import { COLON, DELETE, NUMBER_SIGN, SLASH, SPACE } from '../base/ascii.js';
import { UserError } from '../base/error.js';
import { Heads, UNKNOWN } from '../url/heads.js';
import { isTaken, normalize, type Normalization } from '../url/normalize.js';
import { findPort, findScheme, isSchemeByte, parseUrl, isHttp, splitUrl, emptyParts } from '../url/parse.js';
import { isMissing, type Fields } from './format/format.js';
import { dropped, rejected, type Refusal } from './record.js';

export interface ComposeOptions {
  readonly base: string | null;
  readonly scheme: 'http' | 'https';
  readonly normalize: Normalization;
  readonly maxUrlLength: number;
}

/** Where URLs are written: `reserve` makes room for `needed` bytes from `used` on. */
export interface Arena {
  bytes: Buffer;
  used: number;
  reserve(needed: number): void;
}

const OTHER_SCHEME = dropped('other-scheme');
const ASTERISK = dropped('asterisk');
const NO_URL = rejected('no-url');
const BAD_HOST = rejected('bad-host');
const URL_TOO_LONG = rejected('url-too-long');

const LONGEST_ORIGIN = 16;
const ORIGINS = 256;

/** 1 for bytes that a host can contain: RFC 3986's reg-name, and bytes from 0x80 up, which many servers accept. */
const hostByte = new Uint8Array(256).fill(1, 0x80);
for (const char of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=%") {
  hostByte[char.charCodeAt(0)] = 1;
}

/** Counts of URLs that are absolute, and that start with `/`. */
export interface FormCounts {
  absolute: number;
  path: number;
}

interface KnownOrigin {
  readonly host: Uint8Array;
  readonly origin: Uint8Array;
}

export class Composer {
  readonly #options: ComposeOptions;
  readonly #forms: FormCounts;
  readonly #base: Uint8Array | null;
  /** A cache of hosts and their origins, direct-mapped by a sum of their bytes. */
  readonly #origins = Array<KnownOrigin | undefined>(ORIGINS).fill(undefined);
  readonly #parts = emptyParts();
  /** Heads of full URLs of the web without user and password. */
  readonly #good = new Heads();
  /** Bytes of user and password that were removed from the last full URL. */
  #userBytes = 0;

  /** `forms` counts the URLs that are written. */
  constructor(options: ComposeOptions, forms: FormCounts = { absolute: 0, path: 0 }) {
    this.#options = options;
    this.#forms = forms;
    this.#base = options.base === null ? null : parseBase(options.base);
  }

  /**
   * Writes the URL of `fields` to the arena from `arena.used` on, and advances that; or returns why there is no URL.
   */
  compose(fields: Fields, arena: Arena): Refusal | null {
    const { url, host } = fields;
    arena.reserve(url.end - url.start + host.end - host.start + (this.#base?.length ?? 0) + LONGEST_ORIGIN);
    const start = arena.used;
    const originEnd = url.bytes[url.start] === SLASH && url.end > url.start ? this.#putOrigin(host, arena) : start;
    if (originEnd < 0) return BAD_HOST;
    const isSafe = this.#options.normalize === 'safe';
    let targetEnd = url.end;
    if (isSafe) while (targetEnd > url.start && url.bytes[targetEnd - 1] === SPACE) targetEnd--;
    let end = putTarget(url.bytes, url.start, targetEnd, arena.bytes, originEnd);
    if (end < 0) return NO_URL;
    // The bytes after `end` are from earlier records, so an empty target must not take its slash from there.
    if (originEnd === start && (end === start || arena.bytes[start] !== SLASH)) {
      const refusal = this.#judgeFullUrl(arena.bytes, start, end);
      if (refusal !== null) return refusal;
      end -= this.#userBytes;
    }
    arena.used = end;
    const isUrl = isSafe ? normalize(arena, start) : isTaken(arena.bytes, start, end);
    if (!isUrl || arena.used - start > this.#options.maxUrlLength) {
      arena.used = start;
      return isUrl ? URL_TOO_LONG : BAD_HOST;
    }
    if (arena.bytes[start] === SLASH) this.#forms.path++;
    else this.#forms.absolute++;
    return null;
  }

  /** Undoes the last `compose`, which wrote from `start` on. */
  takeBack(arena: Arena, start: number): void {
    if (arena.bytes[start] === SLASH) this.#forms.path--;
    else this.#forms.absolute--;
    arena.used = start;
  }

  /** Writes scheme and host before a path and returns the offset after them; -1 if the host is invalid. */
  #putOrigin(host: Fields['host'], arena: Arena): number {
    if (!isMissing(host)) return this.#putHost(host, arena);
    if (this.#base === null) return arena.used;
    arena.bytes.set(this.#base, arena.used);
    return arena.used + this.#base.length;
  }

  /** Writes the host through the cache, as logs have few hosts. */
  #putHost({ bytes, start, end }: Fields['host'], arena: Arena): number {
    let sum = end - start;
    for (let at = start; at < end; at++) sum += bytes[at]!;
    const known = this.#origins[sum & (ORIGINS - 1)];
    if (known?.host.length === end - start && sameRange(known.host, 0, bytes, start, end - start)) {
      const { origin } = known;
      for (let k = 0; k < origin.length; k++) arena.bytes[arena.used + k] = origin[k]!;
      return arena.used + origin.length;
    }
    const out = putHost(bytes, start, end, this.#options.scheme, arena);
    if (out < 0) return out;
    const origin = Uint8Array.from(arena.bytes.subarray(arena.used, out));
    this.#origins[sum & (ORIGINS - 1)] = { host: Uint8Array.from(bytes.subarray(start, end)), origin };
    return out;
  }

  /** Also removes user and password: they do not belong to the name of the page, nor to us. */
  #judgeFullUrl(bytes: Buffer, start: number, end: number): Refusal | null {
    this.#userBytes = 0;
    if (this.#good.find(bytes, start, end) !== UNKNOWN) return null;
    if (end - start === 1 && bytes[start] === 0x2a) return ASTERISK;
    if (findScheme(bytes, start, end) < 0) return hasScheme(bytes, start, end) ? OTHER_SCHEME : NO_URL;
    const parts = splitUrl(bytes, start, end, this.#parts);
    if (!isHttp(parts)) return OTHER_SCHEME;
    const { authorityStart, hostStart } = parts;
    if (hostStart > authorityStart) {
      bytes.copyWithin(authorityStart, hostStart, end);
      this.#userBytes = hostStart - authorityStart;
    } else this.#good.keep(bytes, start, end, GOOD);
    return null;
  }
}

const GOOD = 1;

/** The origin that the user gives for paths, without the final slash. */
export function parseBase(base: string): Uint8Array {
  // Does not show the base: the message may end up in a log.
  if (base.includes('@')) {
    throw new UserError(
      '--base: got an address with a user or a password in it, expected a scheme and a host alone, such as https://www.example.com',
    );
  }
  const bytes = Buffer.from(base.replace(/\/$/, ''));
  const parts = parseUrl(bytes);
  const isOrigin = isHttp(parts) && parts.pathStart === bytes.length && isHost(bytes, parts.hostStart, parts.portStart);
  if (isOrigin && parts.hostStart === parts.authorityStart) return bytes;
  throw new UserError(`--base is "${base}"; expected a scheme and a host, such as https://www.example.com`);
}

/**
 * Copies the target up to its fragment, and returns where it ends. -1 if it has a control character, which no URL has
 * (RFC 3986, 2): programs that are fed binary data write such lines.
 */
function putTarget(from: Uint8Array, start: number, end: number, to: Buffer, out: number): number {
  for (let at = start; at < end; at++) {
    const byte = from[at]!;
    if (byte === NUMBER_SIGN) break;
    if (byte < SPACE || byte === DELETE) return -1;
    to[out++] = byte;
  }
  return out;
}

/** True for a `scheme:` that is not of the web: `dns:example.com`, `mailto:…`. */
function hasScheme(bytes: Buffer, start: number, end: number): boolean {
  let at = start;
  while (at < end && isSchemeByte(bytes[at]!, at === start)) at++;
  if (at === start || bytes[at] !== COLON || at >= end) return false;
  return !/^(https?$|.*\.)/i.test(bytes.toString('latin1', start, at));
}

/** Writes `scheme://host[:port]`, with https for port 443, without a default port. */
function putHost(bytes: Uint8Array, start: number, end: number, scheme: 'http' | 'https', arena: Arena): number {
  const isBareIpv6 = isAddressWithoutBrackets(bytes, start, end);
  const portStart = isBareIpv6 ? end : findPort(bytes, start, end);
  if (!isBareIpv6 && !(isHost(bytes, start, portStart) && isPort(bytes, portStart, end))) return -1;
  const port = portNumber(bytes, portStart, end);
  const isSecure = port === 443 || scheme === 'https';
  let out = arena.used;
  const to = arena.bytes;
  out += to.write(isSecure ? 'https://' : 'http://', out, 'latin1');
  if (isBareIpv6) to[out++] = 0x5b;
  for (let at = start; at < portStart; at++) to[out++] = bytes[at]!;
  if (isBareIpv6) to[out++] = 0x5d;
  if (port === -1 || port === (isSecure ? 443 : 80)) return out;
  for (let at = portStart; at < end; at++) to[out++] = bytes[at]!;
  return out;
}

/**
 * True for an address such as `2001:db8::1`: only hexadecimal digits, dots, and at least two colons. It cannot have a
 * port.
 */
function isAddressWithoutBrackets(bytes: Uint8Array, start: number, end: number): boolean {
  let colons = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    if (byte === COLON) colons++;
    else if (!(byte === 0x2e || (byte >= 0x30 && byte <= 0x39) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66))) {
      return false;
    }
  }
  return colons > 1;
}

/** A name or address, or an IPv6 address in brackets; not empty. */
function isHost(bytes: Uint8Array, start: number, end: number): boolean {
  if (start >= end) return false;
  if (bytes[start] === 0x5b)
    return bytes[end - 1] === 0x5d && end - start > 3 && isInnerAddress(bytes, start + 1, end - 1);
  for (let at = start; at < end; at++) if (hostByte[bytes[at]!] === 0) return false;
  return true;
}

function isInnerAddress(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] !== COLON && hostByte[bytes[at]!] === 0) return false;
  return true;
}

function isPort(bytes: Uint8Array, start: number, end: number): boolean {
  const port = portNumber(bytes, start, end);
  return port === -1 || (port >= 1 && port <= 65_535);
}

/** The number after the colon at `start`; -1 if there is none. */
function portNumber(bytes: Uint8Array, start: number, end: number): number {
  if (end - start < 2) return -1;
  let port = 0;
  for (let at = start + 1; at < end && port <= 65_535; at++) port = port * 10 + bytes[at]! - 0x30;
  return port;
}
