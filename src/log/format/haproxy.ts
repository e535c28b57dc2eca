// HAProxy's `option httplog` and `option httpslog`, with or without a syslog prefix:
//
//   … client:port [06/Feb/2009:12:14:14.655] frontend backend/server 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0
//       {captured|request headers} {captured|response headers} "GET /index.html HTTP/1.1"
//
// The log has a host and a user agent only if these headers are captured, and it does not name the captured headers. So
// a value that is a host name counts as the host, and one that begins like a user agent (`Name/1.0`) as the agent.
import { DOT, QUOTE, SLASH } from '../../base/ascii.js';
import { isDigit } from '../../base/bytes.js';
import { type Fields, type LineFormat, NOT_IN_FORMAT, readDigits, readDuration, setSpan, UNIT } from './format.js';
import { parseRequest } from './request.js';
import { createWords, findByte, splitWords, type Words } from './words.js';

/** Positions of words after the time. */
const TIMERS = 2;
const STATUS = 3;
const SIZE = 4;
const CONNECTIONS = 8;
const QUEUES = 9;

export function createHaproxy(): LineFormat {
  const words = createWords(QUEUES + 1);
  return { name: 'haproxy', parse: (bytes, start, end, fields) => parse(bytes, start, end, fields, words) };
}

function parse(bytes: Buffer, start: number, end: number, fields: Fields, words: Words): string | null {
  const open = findTime(bytes, start, end);
  const close = findByte(bytes, 0x5d, open + 1, end);
  if (open < 0 || close === end) return NOT_IN_FORMAT;
  const rest = splitWords(bytes, close + 1, end, words);
  if (words.count <= QUEUES || !hasSlashes(bytes, words, TIMERS) || !hasSlashes(bytes, words, CONNECTIONS)) {
    return NOT_IN_FORMAT;
  }
  const status = words.starts[STATUS]!;
  const isNone = bytes[status] === 0x2d;
  fields.status = isNone ? 0 : readDigits(bytes, status, words.ends[STATUS]!);
  if (fields.status < 0) return NOT_IN_FORMAT;
  const size = words.starts[SIZE]!;
  fields.size = readDigits(bytes, size + (bytes[size] === 0x2b ? 1 : 0), words.ends[SIZE]!);
  setSpan(fields.time, bytes, open + 1, close);
  fields.duration = lastTimer(bytes, words);
  const request = findRequest(bytes, rest, end, fields);
  let last = end - 1;
  while (last > request && bytes[last] !== QUOTE) last--;
  if (request < 0 || last <= request) return NOT_IN_FORMAT; // syslog cuts long lines: half a target is useless
  parseRequest(bytes, request + 1, last, fields);
  return null;
}

/**
 * Offset of the bracket that opens HAProxy's time, `[06/Feb/2009:12:14:14.655`. A bracket of syslog may stand before it.
 */
function findTime(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at + 25 < end; at++) {
    if (bytes[at] !== 0x5b) continue;
    if (bytes[at + 3] === SLASH && bytes[at + 7] === SLASH && bytes[at + 12] === 0x3a && bytes[at + 21] === DOT)
      return at;
  }
  return -1;
}

/**
 * The last of five timers, that of the whole request, in milliseconds. It is `+109` if the line was logged before the
 * end.
 */
function lastTimer(bytes: Uint8Array, { starts, ends }: Words): number {
  const end = ends[TIMERS]!;
  let from = end;
  while (from > starts[TIMERS]! && isDigit(bytes[from - 1])) from--;
  return readDuration(bytes, from, end, UNIT.ms);
}

/** True for four slashes, as in five timers and in five counts of connections. */
function hasSlashes(bytes: Uint8Array, { starts, ends }: Words, word: number): boolean {
  let slashes = 0;
  for (let at = starts[word]!; at < ends[word]!; at++) if (bytes[at] === SLASH) slashes++;
  return slashes === 4;
}

/** The offset of the quote before the request, after the captured headers; -1 if there is none. */
function findRequest(bytes: Uint8Array, start: number, end: number, fields: Fields): number {
  let at = start;
  for (let isFirst = true; ; isFirst = false) {
    while (at < end && bytes[at] === 0x20) at++;
    if (at < end && bytes[at] === QUOTE) return at;
    if (at >= end || bytes[at] !== 0x7b) return -1;
    let close = at + 1;
    while (close < end && !(bytes[close] === 0x7d && bytes[close + 1] === 0x20)) close++;
    if (isFirst) readCaptured(bytes, at + 1, close, fields);
    at = close + 1;
  }
}

function readCaptured(bytes: Uint8Array, start: number, end: number, fields: Fields): void {
  for (let at = start; at < end;) {
    const valueEnd = findByte(bytes, 0x7c, at, end);
    if (fields.host.end === 0 && isHostName(bytes, at, valueEnd)) setSpan(fields.host, bytes, at, valueEnd);
    else if (fields.agent.end === 0 && isProduct(bytes, at, valueEnd)) setSpan(fields.agent, bytes, at, valueEnd);
    at = valueEnd + 1;
  }
}

/** `www.example.com`, `example.com:8080`: a dot inside, and a letter after the last one. */
function isHostName(bytes: Uint8Array, start: number, end: number): boolean {
  let dot = -1;
  let port = end;
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    if (byte === DOT) dot = at;
    else if (byte === 0x3a && port === end) port = at;
    else if (!isLetter(byte) && !isDigit(byte) && byte !== 0x2d) return false;
  }
  if (port < end && (readDigits(bytes, port + 1, end) < 0 || dot > port)) return false;
  return dot > start && dot + 1 < port && isLetter(bytes[dot + 1]!);
}

/** `Mozilla/5.0 …`: the name of a product, a slash and a version. */
function isProduct(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start;
  while (at < end && (isLetter(bytes[at]!) || isDigit(bytes[at]) || bytes[at] === 0x2d || bytes[at] === 0x5f)) at++;
  return at > start && at + 1 < end && bytes[at] === SLASH && isDigit(bytes[at + 1]);
}

function isLetter(byte: number): boolean {
  return (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;
}

export function isHaproxyLine(line: string): boolean {
  return /\[\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d\.\d+\] \S+ \S+ [+-]?\d+(\/[+-]?\d+){4} (-1|\d{3}) \+?\d+ /.test(
    line.slice(0, 1000),
  );
}
