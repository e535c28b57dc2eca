// access.log of Squid in its native form: words separated by blanks.
//
//   time.millis elapsed client RESULT/status bytes method URL user HIERARCHY/peer type
//
// The URL is absolute, but has no query unless `strip_query_terms off` is set. CONNECT is a method like any other.
import { type Fields, type LineFormat, NOT_IN_FORMAT, readDigits, readDuration, UNIT } from './format.js';
import { methodIn } from './request.js';
import { createWords, findByte, setWord, splitWords, type Words } from './words.js';

const TIME = 0;
const ELAPSED = 1;
const CLIENT = 2;
const RESULT = 3;
const SIZE = 4;
const METHOD_WORD = 5;
const URL = 6;
const LEAST_WORDS = 9;

export function createSquid(): LineFormat {
  const words = createWords(LEAST_WORDS);
  return { name: 'squid', parse: (bytes, start, end, fields) => parse(bytes, start, end, fields, words) };
}

function parse(bytes: Buffer, start: number, end: number, fields: Fields, words: Words): string | null {
  splitWords(bytes, start, end, words);
  const { starts, ends } = words;
  if (words.count < LEAST_WORDS) return NOT_IN_FORMAT;
  const point = findByte(bytes, 0x2e, starts[TIME]!, ends[TIME]!);
  if (readDigits(bytes, starts[TIME]!, point) < 0 || readDigits(bytes, point + 1, ends[TIME]!) < 0)
    return NOT_IN_FORMAT;
  const slash = findByte(bytes, 0x2f, starts[RESULT]!, ends[RESULT]!);
  fields.status = readDigits(bytes, slash + 1, ends[RESULT]!);
  fields.size = readDigits(bytes, starts[SIZE]!, ends[SIZE]!);
  if (fields.status < 0 || fields.size < 0) return NOT_IN_FORMAT;
  fields.duration = readDuration(bytes, starts[ELAPSED]!, ends[ELAPSED]!, UNIT.ms);
  fields.method = methodIn(bytes, starts[METHOD_WORD]!, ends[METHOD_WORD]!);
  setWord(fields.url, bytes, words, URL);
  setWord(fields.time, bytes, words, TIME);
  setWord(fields.client, bytes, words, CLIENT);
  return null;
}

export function isSquidLine(line: string): boolean {
  return /^\d{9,10}\.\d{3} +-?\d+ \S+ [A-Z_]+\/\d{3} \d+ [A-Z_-]+ \S+ \S+ \S+/.test(line);
}
