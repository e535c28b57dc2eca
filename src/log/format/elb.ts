// Access logs of AWS load balancers. A line has words, a quoted request, and then the quoted user agent:
//
//   elb         time name client:port backend:port 0.1 0.1 0.1 200 200 0 57 "GET http://h:80/ HTTP/1.1" "agent" …
//   alb   https time name client:port target:port  0.1 0.1 0.1 200 200 34 366 "GET https://h:443/ HTTP/1.1" "agent" …
//                                               ^request, target, response time, in seconds; -1 if unknown
//                                                              ^elb  ^received, sent
//
// The target is a full URL with its port. For an invalid request it is `- http://h:80- -`, for a TCP connection
// `- - - `.
import { COLON, QUOTE, SPACE } from '../../base/ascii.js';
import { type Fields, type LineFormat, NOT_IN_FORMAT, readDigits, readDuration, setSpan, UNIT } from './format.js';
import { parseRequest } from './request.js';
import { createWords, findWordQuote, splitWords, type Words } from './words.js';

/** Positions of the words in a classic log. An ALB's line has one more, as its first word is the kind of connection. */
const TIME = 0;
const CLIENT = 2;
/** Positions of the durations of request, target and response. */
const TIMES_TAKEN = [4, 5, 6] as const;
const STATUS = 7;
const SENT = 10;
const REQUEST = 11;

export function createElb(name: 'alb' | 'elb'): LineFormat {
  const first = name === 'alb' ? 1 : 0;
  const words = createWords(REQUEST + first + 1);
  return {
    name,
    plain: { kind: 'elb', wordsBeforeTime: first },
    parse: (bytes, start, end, fields) => parse(bytes, start, end, fields, words, first),
  };
}

function parse(bytes: Buffer, start: number, end: number, fields: Fields, words: Words, first: number): string | null {
  splitWords(bytes, start, end, words);
  const { starts, ends } = words;
  const open = starts[REQUEST + first]!;
  if (words.count <= REQUEST + first || bytes[open] !== QUOTE) return NOT_IN_FORMAT;
  const time = starts[TIME + first]!;
  if (bytes[time + 4] !== 0x2d || bytes[time + 10] !== 0x54) return NOT_IN_FORMAT;
  const close = findRequestEnd(bytes, open + 1, end);
  const status = STATUS + first;
  const isNone = ends[status]! - starts[status]! === 1 && bytes[starts[status]!] === 0x2d;
  fields.status = isNone ? -1 : readDigits(bytes, starts[status]!, ends[status]!);
  if (close < 0 || (fields.status < 0 && !isNone)) return NOT_IN_FORMAT;
  fields.size = readDigits(bytes, starts[SENT + first]!, ends[SENT + first]!);
  setSpan(fields.time, bytes, time, ends[TIME + first]!);
  const client = CLIENT + first;
  setSpan(fields.client, bytes, starts[client]!, withoutPort(bytes, starts[client]!, ends[client]!));
  fields.duration = 0;
  for (const word of TIMES_TAKEN) {
    const ms = readDuration(bytes, starts[word + first]!, ends[word + first]!, UNIT.s);
    fields.duration = ms < 0 || fields.duration < 0 ? -1 : fields.duration + ms;
  }
  if (close + 2 < end && bytes[close + 2] === QUOTE) {
    const agentEnd = findWordQuote(bytes, close + 3, end);
    if (agentEnd >= 0) setSpan(fields.agent, bytes, close + 3, agentEnd);
  }
  parseRequest(bytes, open + 1, close, fields);
  return null;
}

/** The end of the address: before the last colon. */
function withoutPort(bytes: Uint8Array, start: number, end: number): number {
  for (let at = end - 1; at > start; at--) if (bytes[at] === COLON) return at;
  return end;
}

/** The first quote that is at the end of the line, or before another quoted word. */
function findRequestEnd(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at < end; at++) {
    if (bytes[at] !== QUOTE) continue;
    if (at + 1 === end || (bytes[at + 1] === SPACE && bytes[at + 2] === QUOTE && at + 2 < end)) return at;
  }
  return -1;
}

const TIMES = String.raw`\S+ \S+ \S+( -?[\d.]+){3} (\d+|-) (\d+|-) \d+ \d+ "`;
const ELB = new RegExp(String.raw`^\d{4}-\d\d-\d\dT[\d:.]+Z ${TIMES}`);
const ALB = new RegExp(String.raw`^(https?|h2|grpcs?|wss?) \d{4}-\d\d-\d\dT[\d:.]+Z ${TIMES}`);

export function isElbLine(line: string): boolean {
  return ELB.test(line);
}

export function isAlbLine(line: string): boolean {
  return ALB.test(line);
}
