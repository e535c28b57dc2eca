// Server access logs of S3 and compatible servers:
//
//   owner bucket [time +0000] client requester id REST.GET.OBJECT key "GET /key HTTP/1.1" 200 - sent size 9 8
//       "referrer" "agent" version id SigV4 cipher auth host TLSv1.2 …
//
// Only a request for an object is a request for a page; other operations (lists, permissions, uploads) are dropped like
// other methods. The URL is the request's target on the host of the request. Old lines have no host. There the bucket
// is used as the host, and removed from a path that begins with it. The key, which is percent-encoded twice, is used
// only for that.
import { QUOTE, SLASH, SPACE } from '../../base/ascii.js';
import { isDigit } from '../../base/bytes.js';
import { METHOD } from '../record.js';
import {
  type Fields,
  isMissing,
  type LineFormat,
  NOT_IN_FORMAT,
  readDigits,
  readDuration,
  setSpan,
  UNIT,
} from './format.js';
import { parseRequest } from './request.js';
import { createWords, setWord, splitWords, type Words } from './words.js';

const BUCKET = 1;
const TIME = 2;
const CLIENT = 4;
const OPERATION = 7;
const KEY = 8;
const REQUEST = 9;

/** Positions of the words after the request: status, error, bytes sent, size of the object, milliseconds. */
const STATUS = 0;
const SENT = 2;
const SIZE = 3;
const TAKEN = 4;
/** The position of the host among the words after the user agent; the version is the first. */
const HOST = 5;

export function createS3(): LineFormat {
  const head = createWords(REQUEST + 1);
  const tail = createWords(HOST + 1);
  return { name: 's3', parse: (bytes, start, end, fields) => parse(bytes, start, end, fields, head, tail) };
}

function parse(bytes: Buffer, start: number, end: number, fields: Fields, head: Words, tail: Words): string | null {
  splitWords(bytes, start, end, head);
  const { starts, ends } = head;
  const open = starts[REQUEST]!;
  if (head.count <= REQUEST || bytes[open] !== QUOTE) return NOT_IN_FORMAT;
  if (bytes[starts[TIME]!] !== 0x5b || bytes[ends[TIME + 1]! - 1] !== 0x5d) return NOT_IN_FORMAT;
  const close = findRequestEnd(bytes, open + 1, end);
  if (close < 0) return NOT_IN_FORMAT;
  setSpan(fields.time, bytes, starts[TIME]! + 1, ends[TIME + 1]! - 1);
  setWord(fields.client, bytes, head, CLIENT);
  splitWords(bytes, close + 1, end, tail);
  if (tail.count <= SIZE) return NOT_IN_FORMAT;
  fields.status = readDigits(bytes, tail.starts[STATUS]!, tail.ends[STATUS]!);
  fields.size = readDigits(bytes, tail.starts[SIZE]!, tail.ends[SIZE]!);
  if (fields.size < 0) fields.size = readDigits(bytes, tail.starts[SENT]!, tail.ends[SENT]!);
  if (tail.count > TAKEN) fields.duration = readDuration(bytes, tail.starts[TAKEN]!, tail.ends[TAKEN]!, UNIT.ms);
  readClient(bytes, close + 1, end, fields, tail);
  parseRequest(bytes, open + 1, close, fields);
  if (!isObjectOperation(bytes, starts[OPERATION]!, ends[OPERATION]!)) fields.method = METHOD.other;
  if (isMissing(fields.host)) useBucket(bytes, head, fields);
  return null;
}

/** The first quote before a status: three digits, or `-`. */
function findRequestEnd(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at + 3 < end; at++) {
    if (bytes[at] !== QUOTE || bytes[at + 1] !== SPACE) continue;
    if (bytes[at + 2] === 0x2d && bytes[at + 3] === SPACE) return at;
    if (isDigit(bytes[at + 2]) && isDigit(bytes[at + 3]) && isDigit(bytes[at + 4]) && at + 4 < end) return at;
  }
  return -1;
}

/** Agents may contain quotes, but nothing after them does. So the last quote of the line ends the agent. */
function readClient(bytes: Uint8Array, start: number, end: number, fields: Fields, words: Words): void {
  let close = end - 1;
  while (close > start && bytes[close] !== QUOTE) close--;
  let open = start;
  while (open < close && !(bytes[open] === QUOTE && bytes[open + 1] === SPACE && bytes[open + 2] === QUOTE)) open++;
  if (open + 2 >= close) return;
  const isNone = close - open === 4 && bytes[open + 3] === 0x2d;
  if (!isNone) setSpan(fields.agent, bytes, open + 3, close);
  splitWords(bytes, close + 1, end, words);
  setWord(fields.host, bytes, words, HOST);
}

function useBucket(bytes: Buffer, { starts, ends }: Words, fields: Fields): void {
  const start = starts[BUCKET]!;
  const end = ends[BUCKET]!;
  const { url } = fields;
  if (url.bytes[url.start] !== SLASH || url.end <= url.start) return;
  setSpan(fields.host, bytes, start, end);
  const inPath = beginsWith(url.bytes, url.start + 1, url.end, bytes, start, end);
  const inKey = beginsWith(bytes, starts[KEY]!, ends[KEY]!, bytes, start, end);
  if (inPath && !inKey) url.start += 1 + end - start;
}

/** True if the first segment of the path bytes[start, end) is other[from, to). */
function beginsWith(bytes: Uint8Array, start: number, end: number, other: Uint8Array, from: number, to: number) {
  if (end - start <= to - from || bytes[start + to - from] !== SLASH) return false;
  for (let k = 0; k < to - from; k++) if (bytes[start + k] !== other[from + k]) return false;
  return true;
}

/** `REST.GET.OBJECT`, `WEBSITE.HEAD.OBJECT`, … */
function isObjectOperation(bytes: Uint8Array, start: number, end: number): boolean {
  return endsWith(bytes, start, end, '.GET.OBJECT') || endsWith(bytes, start, end, '.HEAD.OBJECT');
}

function endsWith(bytes: Uint8Array, start: number, end: number, text: string): boolean {
  if (end - start <= text.length) return false;
  for (let k = 0; k < text.length; k++) if (bytes[end - text.length + k] !== text.charCodeAt(k)) return false;
  return true;
}

export function isS3Line(line: string): boolean {
  return /^\S+ \S+ \[\d\d\/[A-Z][a-z]{2}\/\d{4}:[\d:]+ [+-]\d{4}\] \S+ \S+ \S+ [A-Z0-9]+\.[A-Z_]+\.[A-Z_]+ \S+ "/.test(
    line,
  );
}
