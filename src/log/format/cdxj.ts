// Indexes of web archives, CDXJ: one capture per line, its sort key and time, and the rest as JSON:
//
//   org,iana)/ 20140126200624 {"url": "http://www.iana.org/", "mime": "text/html", "status": "200", "digest": "OSSA…"}
//
// Digest and status are as in CDX (cdx.ts). `length` is the size of the capture in the archive, not of the page. Lines
// that begin with `!` or `@` are about the whole index.
import type { NameLists } from './column.js';
import { HEADER, NOT_IN_FORMAT, readDigits, type LineFormat } from './format.js';
import { UNIT } from './duration.js';
import { JsonReader, jsonObject } from './jsonl.js';
import { createWords, findByte, setWord, splitWords } from './words.js';

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
