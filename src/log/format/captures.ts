// Lists of crawlers and web archives, one capture per line: CDX and CDXJ indexes, and crawl.log of Heritrix.
import { METHOD } from '../record.js';
import type { NameLists } from './column.js';
import { type Fields, HEADER, type LineFormat, NOT_IN_FORMAT, readDigits, setSpan, UNIT } from './format.js';
import { jsonObject, JsonReader } from './jsonl.js';
import { createWords, findByte, setWord, splitWords, type Words } from './words.js';

// CDX: the header names the words by letters. It may be repeated where indexes were concatenated:
//
//    CDX N b a m s k r M S V g
//   org,iana)/ 20140126200624 http://www.iana.org/ text/html 200 OSSAPWJ2… - - 2258 334 iana.warc.gz
//
// Many have no header. Then these layouts are detected by their shape: 11 and 9 words (N b a m s k r M S V g, N b a m s
// k r V g), and 8 words of old tools (a e b m n V g c, with g and V in either order).
//
// The digest (k, formerly c) is the sketch. A revisit has no status but the digest of its original, so it is as good a
// record. S is the size of the capture in the archive, not of the page; in ARC files n is the size of the page.

const MOST_WORDS = 32;

/** The positions of the words that are used; -1 for one that is missing. */
interface Layout {
  readonly words: number;
  readonly url: number;
  readonly time: number;
  readonly status: number;
  readonly digest: number;
  readonly size: number;
}

const ELEVEN = layoutOf('N b a m s k r M S V g'.split(' '));
const NINE = layoutOf('N b a m s k r V g'.split(' '));
const EIGHT = layoutOf('a e b m n g V c'.split(' '));

function layoutOf(letters: readonly string[]): Layout {
  const place = (...names: readonly string[]) => names.map((name) => letters.indexOf(name)).find((at) => at >= 0) ?? -1;
  return {
    words: letters.length,
    url: place('a', 'A'),
    time: place('b'),
    status: place('s'),
    digest: place('k', 'c'),
    size: place('n'),
  };
}

export function createCdx(): LineFormat {
  const words = createWords(MOST_WORDS + 1);
  let named: Layout | null = null;
  return {
    name: 'cdx',
    earlierLines: 'any',
    parse(bytes, start, end, fields) {
      splitWords(bytes, start, end, words);
      if (isHeader(bytes, words)) {
        named = layoutOf(bytes.toString('latin1', words.ends[0], end).trim().split(/\s+/));
        return HEADER;
      }
      const layout = named ?? guess(bytes, words);
      if (layout === null || words.count !== layout.words) return NOT_IN_FORMAT;
      return layout.url < 0 ? 'no-url-field' : read(bytes, words, layout, fields);
    },
  };
}

function isHeader(bytes: Uint8Array, { starts, ends, count }: Words): boolean {
  const start = starts[0]!;
  return (
    count > 1 &&
    ends[0]! - start === 3 &&
    bytes[start] === 0x43 &&
    bytes[start + 1] === 0x44 &&
    bytes[start + 2] === 0x58 &&
    ends[1]! - starts[1]! === 1
  );
}

function guess(bytes: Uint8Array, words: Words): Layout | null {
  if (words.count === 8) return isTime(bytes, words, 2) ? EIGHT : null;
  if (!isTime(bytes, words, 1)) return null;
  return words.count === 11 ? ELEVEN : words.count === 9 ? NINE : null;
}

/** 14 digits: 20140126200624. */
function isTime(bytes: Uint8Array, { starts, ends }: Words, word: number): boolean {
  return ends[word]! - starts[word]! === 14 && readDigits(bytes, starts[word]!, ends[word]!) >= 0;
}

function read(bytes: Uint8Array, words: Words, layout: Layout, fields: Fields): string | null {
  const { starts, ends } = words;
  if (layout.time >= 0) {
    if (!isTime(bytes, words, layout.time)) return NOT_IN_FORMAT;
    setWord(fields.time, bytes, words, layout.time);
  }
  if (layout.status >= 0) {
    const start = starts[layout.status]!;
    fields.status = readDigits(bytes, start, ends[layout.status]!);
    if (fields.status < 0 && bytes[start] !== 0x2d) return 'bad-status';
  }
  if (layout.size >= 0) fields.size = readDigits(bytes, starts[layout.size]!, ends[layout.size]!);
  setWord(fields.url, bytes, words, layout.url);
  if (layout.digest >= 0) setWord(fields.sketch, bytes, words, layout.digest);
  return null;
}

export function isCdxLine(line: string): boolean {
  if (/^.?CDX( [A-Za-z])+\s*$/.test(line)) return true;
  const words = line.trim().split(/\s+/, 12);
  if (words.length === 8) return /^[a-z][a-z0-9+.-]*:/i.test(words[0]!) && /^\d{14}$/.test(words[2]!);
  if (words.length !== 9 && words.length !== 11) return false;
  return /^\d{14}$/.test(words[1]!) && /^(-|\d{1,3})$/.test(words[4]!);
}

// CDXJ: the sort key and the time of a capture, then an object of JSON:
//
//   org,iana)/ 20140126200624 {"url": "http://www.iana.org/", "mime": "text/html", "status": "200", "digest": "OSSA…"}
//
// Digest and status are as in CDX. `length` is the size of the capture in the archive, not of the page. Lines that begin
// with `!` or `@` are about the whole index.

const NAMES: NameLists = {
  url: 'url uri',
  method: 'method',
  status: 'status hsc',
  sketch: 'digest sha',
};

const KEY_AND_TIME = 2;

export function createCdxj(): LineFormat {
  const reader = new JsonReader({}, { names: NAMES, unitMs: UNIT.s });
  const words = createWords(KEY_AND_TIME + 1);
  return {
    name: 'cdxj',
    plain: { kind: 'cdxj', meaningOf: reader.meaningOf },
    parse(bytes, start, end, fields) {
      if (bytes[start] === 0x21 || bytes[start] === 0x40) return HEADER;
      const open = findByte(bytes, 0x7b, start, end);
      splitWords(bytes, start, open, words);
      if (open === end || words.count !== KEY_AND_TIME) return NOT_IN_FORMAT;
      if (readDigits(bytes, words.starts[1]!, words.ends[1]!) < 0) return NOT_IN_FORMAT;
      setWord(fields.time, bytes, words, 1);
      return reader.read(bytes, open, end, fields);
    },
  };
}

export function isCdxjLine(line: string): boolean {
  const [, object] = /^[^\s{]+ \d{4,17} (\{.*)$/s.exec(line) ?? [];
  return object !== undefined && jsonObject(object) !== null;
}

// crawl.log of Heritrix:
//
//   time  status  size  url  discovery  via  mime  thread  fetched  digest  source  annotations
//
// The crawler uses GET and logs the digest of the content, which is the sketch. A status of 0 or less is a failed
// fetch. A status of 1 is a name look-up, whose URL is `dns:host` and so of another scheme.

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
      if (words.count <= URL || !isCrawlTime(bytes, starts[TIME]!, ends[TIME]!)) return NOT_IN_FORMAT;
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
function isCrawlTime(bytes: Buffer, start: number, end: number): boolean {
  return end - start < 40 && /^\d{4}-?\d\d-?\d\dT?[\d:.]*Z?$/.test(bytes.toString('latin1', start, end));
}

export function isHeritrixLine(line: string): boolean {
  return /^\s*\d{4}-?\d\d-?\d\dT?[\d:.]*Z?\s+-?\d+\s+(-|\d+)\s+[a-z][a-z0-9+.-]*:\S+\s/i.test(line);
}
