// Access logs of Envoy in its default format, and of Istio, which has three fields more:
//
//   [time] "GET /a HTTP/1.1" 200 - 0 512 3 2 "forwarded-for" "agent" "request-id" "authority" "upstream"
//   [time] "GET /a HTTP/1.1" 200 - via_upstream - "-" 0 512 3 2 "forwarded-for" "agent" "id" "authority" "upstream" …
//                                ^flags               ^received, sent, duration, upstream time (or -)
//
// The authority is the host. A request without a path is logged as `-`.
import { BACKSLASH, QUOTE, SPACE } from '../../base/ascii.js';
import { isDigit } from '../../base/bytes.js';
import { type Fields, type LineFormat, NOT_IN_FORMAT, readDigits, readDuration, setSpan, UNIT } from './format.js';
import { parseRequest } from './request.js';

/** The most words between the flags and the bytes received. */
const MOST_OF_ISTIO = 3;

export function createEnvoy(): LineFormat {
  return { name: 'envoy', parse };
}

/** The word read last, without its quotes, and where the next one begins. */
const word = { start: 0, end: 0, next: 0 };

function parse(bytes: Buffer, start: number, end: number, fields: Fields): string | null {
  if (bytes[start] !== 0x5b) return NOT_IN_FORMAT;
  const close = bytes.indexOf(0x5d, start);
  if (close < 0 || close + 2 >= end || bytes[close + 1] !== SPACE || bytes[close + 2] !== QUOTE) return NOT_IN_FORMAT;
  setSpan(fields.time, bytes, start + 1, close);
  if (!readWord(bytes, close + 2, end)) return NOT_IN_FORMAT;
  const { start: from, end: to } = word;
  if (!readWord(bytes, word.next, end)) return NOT_IN_FORMAT;
  fields.status = readDigits(bytes, word.start, word.end);
  if (fields.status < 0 || !readWord(bytes, word.next, end)) return NOT_IN_FORMAT;
  for (let k = 0; k <= MOST_OF_ISTIO && readWord(bytes, word.next, end) && !isDigit(bytes[word.start]); k++);
  if (readDigits(bytes, word.start, word.end) < 0 || !readWord(bytes, word.next, end)) return NOT_IN_FORMAT;
  fields.size = readDigits(bytes, word.start, word.end);
  if (fields.size < 0) return NOT_IN_FORMAT;
  if (!readWord(bytes, word.next, end)) return NOT_IN_FORMAT;
  fields.duration = readDuration(bytes, word.start, word.end, UNIT.ms);
  // Skips upstream time and forwarded-for.
  for (let k = 0; k < 2; k++) if (!readWord(bytes, word.next, end)) return NOT_IN_FORMAT;
  setSpan(fields.client, bytes, word.start, word.end);
  if (!readWord(bytes, word.next, end)) return NOT_IN_FORMAT;
  setSpan(fields.agent, bytes, word.start, word.end);
  if (!readWord(bytes, word.next, end) || !readWord(bytes, word.next, end)) return NOT_IN_FORMAT;
  setSpan(fields.host, bytes, word.start, word.end);
  parseRequest(bytes, from, to, fields);
  return null;
}

/** Reads the word at `at`, in quotes or not. False if there is none, or if its quote does not end. */
function readWord(bytes: Buffer, at: number, end: number): boolean {
  if (at >= end) return false;
  if (bytes[at] !== QUOTE) {
    let stop = at;
    while (stop < end && bytes[stop] !== SPACE) stop++;
    word.start = at;
    word.end = stop;
    word.next = stop + 1;
    return stop > at;
  }
  for (let stop = at + 1; stop < end; stop++) {
    if (bytes[stop] === BACKSLASH) stop++;
    else if (bytes[stop] === QUOTE && (stop + 1 === end || bytes[stop + 1] === SPACE)) {
      word.start = at + 1;
      word.end = stop;
      word.next = stop + 2;
      return true;
    }
  }
  return false;
}

const TEXT = String.raw`"(?:[^"\\]|\\.)*"`;
const LINE = new RegExp(
  String.raw`^\[\d{4}-\d\d-\d\dT[\d:.]+Z\] ${TEXT} \d{1,3} \S+ (?:\S+ \S+ ${TEXT} )?\d+ \d+ \d+ (?:\d+|-) ${TEXT} ${TEXT} ${TEXT} ${TEXT}`,
);

export function isEnvoyLine(line: string): boolean {
  return LINE.test(line);
}
