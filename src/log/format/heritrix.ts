// crawl.log of Heritrix. Words separated by blanks:
//
//   time  status  size  url  discovery  via  mime  thread  fetched  digest  source  annotations
//
// The crawler uses GET and logs the digest of the content, which is the sketch. A status of 0 or less is a failed
// fetch, 1 a name look-up (its URL is `dns:host`, another scheme).
import { METHOD } from '../record.js';
import { NOT_IN_FORMAT, readDigits, setSpan, type LineFormat } from './format.js';
import { createWords, setWord, splitWords } from './words.js';

const TIME = 0;
const STATUS = 1;
const SIZE = 2;
const URL = 3;
const DIGEST = 9;

export function createHeritrix(): LineFormat {
  const words = createWords(DIGEST + 1);
  const { starts, ends } = words;
  return {
    name: 'heritrix',
    parse(bytes, start, end, fields) {
      splitWords(bytes, start, end, words);
      if (words.count <= URL || !isTime(bytes, starts[TIME]!, ends[TIME]!)) return NOT_IN_FORMAT;
      const failed = bytes[starts[STATUS]!] === 0x2d;
      const status = readDigits(bytes, starts[STATUS]! + (failed ? 1 : 0), ends[STATUS]!);
      if (status < 0) return NOT_IN_FORMAT;
      fields.method = METHOD.get;
      fields.status = failed ? 0 : status === 1 ? -1 : status;
      fields.size = readDigits(bytes, starts[SIZE]!, ends[SIZE]!);
      setSpan(fields.url, bytes, starts[URL]!, ends[URL]!);
      setWord(fields.time, bytes, words, TIME);
      setWord(fields.sketch, bytes, words, DIGEST);
      return null;
    },
  };
}

/** `2009-05-14T14:21:01.026Z`, or `20090514142101026` in old versions. */
function isTime(bytes: Buffer, start: number, end: number): boolean {
  return end - start < 40 && /^\d{4}-?\d\d-?\d\dT?[\d:.]*Z?$/.test(bytes.toString('latin1', start, end));
}

export function isHeritrixLine(line: string): boolean {
  return /^\s*\d{4}-?\d\d-?\d\dT?[\d:.]*Z?\s+-?\d+\s+(-|\d+)\s+[a-z][a-z0-9+.-]*:\S+\s/i.test(line);
}
