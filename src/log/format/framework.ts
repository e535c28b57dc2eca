// Request logs of web frameworks: text with a method, a target and a status somewhere in the line.
//
//   GET /a?b=1 200 2 - 0.455 ms                                             morgan: tiny, dev; with a client: short
//   [GIN] 2026/03/04 - 01:13:21 | 200 |  18.4µs |  192.0.2.1 | GET  "/a"    Gin: the status is before
//   2026/03/04 01:13:21 "GET http://h/a HTTP/1.1" from 192.0.2.1 - 200 2B in 21µs   chi
//   INFO:     192.0.2.1:41800 - "GET /a HTTP/1.1" 200 OK                    Uvicorn
//
// A line needs a sign beside its request: a time in ms, bars, `from`, or `client:port - `. A request and a status alone
// may be the rest of a server's line whose beginning was cut off.
import { COLON, DASH, OPEN_BRACKET, QUOTE, SLASH, SPACE } from '../../base/ascii.js';
import { isDigit } from '../../base/bytes.js';
import { type Fields, type LineFormat, NOT_IN_FORMAT, readDigits } from './format.js';
import { methodIn, setTarget } from './request.js';
import { hasText } from './words.js';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const BAR = 0x7c;
/** The status is among so many words behind the request. */
const MOST_WORDS = 6;
const STATUS_DIGITS = 3;

export function createFramework(): LineFormat {
  return { name: 'framework', parse };
}

/** What was found last: the method, the target, and where the rest of the line begins. */
const found = { method: 0, methodEnd: 0, target: 0, targetEnd: 0, rest: 0 };
const word = { start: 0, end: 0 };

function parse(bytes: Buffer, start: number, end: number, fields: Fields): string | null {
  for (let at = start; at < end; at++) {
    if (!isRequestAt(bytes, start, at, end)) continue;
    fields.status = statusOf(bytes, start, end, fields);
    if (fields.status < 0) return NOT_IN_FORMAT;
    fields.method = methodIn(bytes, found.method, found.methodEnd);
    setTarget(bytes, found.target, found.targetEnd, fields);
    return null;
  }
  return NOT_IN_FORMAT;
}

/** The status; -1 if the line is of no known shape. */
function statusOf(bytes: Buffer, start: number, end: number, fields: Fields): number {
  if (bytes[found.target - 1] === QUOTE) return bytes[start] === OPEN_BRACKET ? statusBetweenBars(bytes, start) : -1;
  const before = wordsBefore(bytes, start);
  const isQuoted = found.method > start && bytes[found.method - 1] === QUOTE;
  const isFrom = isQuoted && hasText(bytes, found.rest, end, ' from ');
  const isLed = isQuoted && !isFrom;
  // A client, and what is before it; else a date and a time, or a client and a user.
  if (isLed ? !isBehindPort(bytes, start) || before > 3 : before !== 0 && before !== 2) return -1;
  if (isFrom && before > 0 && !isDate(bytes, start)) return -1;
  const status = statusBehind(bytes, end, fields);
  return status < 0 || isQuoted || isTimed(bytes, end) ? status : -1;
}

/** True for `2026/03/04`. */
function isDate(bytes: Buffer, at: number): boolean {
  return isDigit(bytes[at]) && bytes[at + 4] === SLASH && bytes[at + 7] === SLASH;
}

function wordsBefore(bytes: Buffer, start: number): number {
  const end = bytes[found.method - 1] === QUOTE && found.method > start ? found.method - 1 : found.method;
  word.end = start;
  let count = 0;
  while (nextWord(bytes, end)) count++;
  return count;
}

/** True for `:41800 - "`, before the method. */
function isBehindPort(bytes: Buffer, start: number): boolean {
  const dash = found.method - 3;
  if (dash <= start || !hasText(bytes, dash - 1, found.method, ' - "')) return false;
  let at = dash - 2;
  while (at > start && isDigit(bytes[at])) at--;
  return bytes[at] === COLON && at < dash - 2;
}

/** True if the rest of the line has a time in milliseconds. */
function isTimed(bytes: Buffer, end: number): boolean {
  word.end = found.rest;
  while (nextWord(bytes, end)) if (word.end - word.start === 2 && hasText(bytes, word.start, end, 'ms')) return true;
  return false;
}

/** True if a method begins at `at`, with a target behind it, which may be in quotes alone or with the method. */
function isRequestAt(bytes: Buffer, start: number, at: number, end: number): boolean {
  const before = at === start ? SPACE : bytes[at - 1]!;
  if (before !== SPACE && before !== QUOTE) return false;
  const method = METHODS.find((one) => hasText(bytes, at, end, one) && bytes[at + one.length] === SPACE);
  if (method === undefined) return false;
  found.method = at;
  found.methodEnd = at + method.length;
  let target = found.methodEnd;
  while (target < end && bytes[target] === SPACE) target++;
  const isQuoted = bytes[target] === QUOTE;
  if (isQuoted) target++;
  if (bytes[target] !== SLASH && !hasText(bytes, target, end, 'http')) return false;
  found.target = target;
  if (isQuoted || before === QUOTE) return endsInQuote(bytes, end);
  found.targetEnd = wordEnd(bytes, target, end);
  found.rest = found.targetEnd;
  return true;
}

/** Ends the target at the quote, without a protocol; false if there is no quote. */
function endsInQuote(bytes: Buffer, end: number): boolean {
  const close = bytes.indexOf(QUOTE, found.target);
  if (close < 0 || close >= end) return false;
  const space = bytes.lastIndexOf(SPACE, close);
  found.targetEnd = space > found.target && hasText(bytes, space + 1, close, 'HTTP/') ? space : close;
  found.rest = close + 1;
  return true;
}

/** The status; -1 if there is none. Sets the size, if one is right behind it. */
function statusBehind(bytes: Buffer, end: number, fields: Fields): number {
  word.end = found.rest;
  for (let count = 0; count < MOST_WORDS && nextWord(bytes, end); count++) {
    const status = statusIn(bytes, word.start, word.end);
    if (status < 0) continue;
    if (nextWord(bytes, end)) fields.size = sizeIn(bytes, word.start, word.end, end);
    return status;
  }
  return -1;
}

/** The word between two bars before the request. */
function statusBetweenBars(bytes: Buffer, start: number): number {
  for (let at = start; at < found.method; at++) {
    if (bytes[at] !== BAR || bytes[at + 1] !== SPACE || bytes[at + 2 + STATUS_DIGITS] !== SPACE) continue;
    const status = statusIn(bytes, at + 2, at + 2 + STATUS_DIGITS);
    if (status >= 0 && bytes[at + 3 + STATUS_DIGITS] === BAR) return status;
  }
  return -1;
}

function statusIn(bytes: Buffer, start: number, end: number): number {
  const status = end - start === STATUS_DIGITS ? readDigits(bytes, start, end) : -1;
  return status >= 100 && status < 600 ? status : -1;
}

/** `512 -` or `512B in`: a number by itself may be a time. */
function sizeIn(bytes: Buffer, start: number, end: number, lineEnd: number): number {
  let digits = start;
  while (digits < end && isDigit(bytes[digits])) digits++;
  const hasUnit = digits === end - 1 && bytes[digits] === 0x42;
  const isSize = hasUnit || (digits === end && bytes[end] === SPACE && bytes[end + 1] === DASH && end + 1 < lineEnd);
  return isSize && digits > start ? readDigits(bytes, start, digits) : -1;
}

function nextWord(bytes: Buffer, end: number): boolean {
  let at = word.end;
  while (at < end && bytes[at]! <= SPACE) at++;
  word.start = at;
  word.end = wordEnd(bytes, at, end);
  return at < end;
}

function wordEnd(bytes: Buffer, at: number, end: number): number {
  while (at < end && bytes[at]! > SPACE) at++;
  return at;
}

const REQUEST = String.raw`(?:${METHODS.join('|')}) +"?(?:\/|https?:\/\/)`;
const SHAPES = [
  String.raw`^(?:\S+ \S+ )?${REQUEST}.* \d{3} .*\bms\b`,
  String.raw`\| \d{3} \|.*\| ${REQUEST}`,
  String.raw`(?:^|\s)"${REQUEST}[^"]*" from \S+ - \d{3} `,
  String.raw`:\d+ - "${REQUEST}[^"]*" \d{3}(?: [A-Za-z ]+)?$`,
].map((shape) => new RegExp(shape));

export function isFrameworkLine(line: string): boolean {
  return SHAPES.some((shape) => shape.test(line));
}
