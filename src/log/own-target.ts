// Recognizes requests with a full URL that are for this server. A server's log has paths, `GET /a`, and some full URLs:
//
//   GET http://other.example/ HTTP/1.1         somebody is looking for an open proxy: no page of this site
//   GET http://www.example.com/a HTTP/1.1      the same as GET /a, which every server must accept (RFC 9112, 3.2.2)
//
// The former are dropped, and the latter become paths. The log of a proxy has only full URLs, all of which count. The
// first lines of an input show which kind of log it is.
import { COLON, NEWLINE, SLASH } from '../base/ascii.js';
import { isDigit } from '../base/bytes.js';
import { emptyParts, isHttp, parseUrl, splitUrl } from '../url/parse.js';
import type { ComposeOptions } from './compose.js';
import { openFormat, type FormatOptions } from './format/choose.js';
import { HEAD_BYTES } from './format/detect.js';
import { clearFields, createFields, isMissing, NO_WANTS, setSpan, type Fields } from './format/format.js';
import type { Shape } from './format/shape.js';
import { endOfLine } from './lines.js';
import { dropped, METHOD, refusalOf, type Refusal } from './record.js';

/** Which targets count: all, or those of this server. */
export type Targets = 'any' | 'own';

/** `own` if most requests in the first bytes of an input name a path. Tables have columns, not requests. */
export function targetsOf(head: Buffer, shape: Shape | null, options: FormatOptions): Targets {
  const format = shape === null ? null : openFormat(shape, options, NO_WANTS);
  if (format === null || format.linesOf !== undefined || format.earlierLines !== undefined) return 'any';
  const fields = createFields();
  let paths = 0;
  let others = 0;
  const end = Math.min(head.length, HEAD_BYTES);
  for (let at = 0; at < end;) {
    const newline = head.indexOf(NEWLINE, at);
    const next = newline < 0 || newline > end ? end : newline;
    clearFields(fields);
    const isRead = format.parse(head, at, endOfLine(head, at, next), fields) === null;
    if (isRead && isRequest(fields) && refusalOf(fields.method, fields.status) === null) {
      if (isPath(fields)) paths++;
      else others++;
    }
    at = next + 1;
  }
  return paths > others ? 'own' : 'any';
}

const FOREIGN_HOST = dropped('foreign-host');
const WWW = Buffer.from('www.');
const ROOT = Buffer.from('/');

/** Judges the lines of a server's log. */
export class OwnTargets {
  readonly #base: Uint8Array;
  readonly #parts = emptyParts();

  constructor({ base }: Pick<ComposeOptions, 'base'>) {
    this.#base = base === null ? new Uint8Array(0) : Buffer.from(hostOf(base));
  }

  /**
   * Turns a full URL of this server into a path. Refuses one of another host, or any if the server's host is not known.
   */
  judge(fields: Fields): Refusal | null {
    if (isPath(fields) || !isRequest(fields)) return null;
    const { url, host } = fields;
    const parts = splitUrl(url.bytes, url.start, url.end, this.#parts);
    // Other targets, such as `*`, are refused when URLs are composed.
    if (!isHttp(parts)) return null;
    const { hostStart, portStart, pathStart } = parts;
    const isOwn = isMissing(host)
      ? isSameHost(url.bytes, hostStart, portStart, this.#base, 0, this.#base.length)
      : isSameHost(url.bytes, hostStart, portStart, host.bytes, host.start, endOfHost(host));
    if (!isOwn) return FOREIGN_HOST;
    if (pathStart === url.end) setSpan(url, ROOT, 0, 1);
    else if (url.bytes[pathStart] === SLASH) setSpan(url, url.bytes, pathStart, url.end);
    return null;
  }
}

function isRequest({ method, url }: Fields): boolean {
  return method !== METHOD.unknown && method !== METHOD.missing && url.end > url.start;
}

function isPath({ url }: Fields): boolean {
  return url.bytes[url.start] === SLASH && url.end > url.start;
}

function hostOf(base: string): Uint8Array {
  const { bytes, hostStart, portStart } = parseUrl(Buffer.from(base));
  return bytes.subarray(hostStart, portStart);
}

/** The end of the host, before the port. */
function endOfHost({ bytes, start, end }: Fields['host']): number {
  let at = end;
  while (at > start && isDigit(bytes[at - 1])) at--;
  return at > start && at < end && bytes[at - 1] === COLON ? at - 1 : end;
}

/** True if two hosts are the same, except for case and a leading `www.`. An empty host equals none. */
function isSameHost(a: Uint8Array, aFrom: number, aEnd: number, b: Uint8Array, bFrom: number, bEnd: number): boolean {
  const aStart = startsWith(a, aFrom, aEnd, WWW) ? aFrom + WWW.length : aFrom;
  const bStart = startsWith(b, bFrom, bEnd, WWW) ? bFrom + WWW.length : bFrom;
  if (aEnd - aStart !== bEnd - bStart || aEnd <= aStart) return false;
  for (let k = 0; aStart + k < aEnd; k++) if (lower(a[aStart + k]!) !== lower(b[bStart + k]!)) return false;
  return true;
}

function startsWith(bytes: Uint8Array, start: number, end: number, text: Uint8Array): boolean {
  if (end - start < text.length) return false;
  for (let k = 0; k < text.length; k++) if (lower(bytes[start + k]!) !== text[k]) return false;
  return true;
}

function lower(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte;
}
