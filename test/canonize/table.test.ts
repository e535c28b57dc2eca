// The table with the forms of one column: what changes, and that nothing else does.
import { describe, expect, test } from 'vitest';
import { createCanonizer, type CanonizerOptions } from '../../src/canonize/canonizer.js';
import { TableCanonizer, type TableOptions } from '../../src/canonize/table.js';
import { sampleRule } from '../rule/sample.js';

const options: CanonizerOptions = {
  normalize: 'safe',
  accept: 'valid',
  maxIterations: 10,
  urlForm: 'path',
  sitePolicy: 'host',
};

async function* cut(text: string, step: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text, 'latin1');
  for (let at = 0; at < bytes.length; at += step) yield await Promise.resolve(bytes.subarray(at, at + step));
}

async function mapped(texts: readonly string[], how: TableOptions, step = 1 << 16) {
  const table = new TableCanonizer(createCanonizer([sampleRule('a', 'b')], options), how);
  const out: Buffer[] = [];
  for (const [at, text] of texts.entries()) {
    for await (const piece of table.map(`input ${at}`, cut(text, step))) out.push(Buffer.from(piece));
  }
  return { text: Buffer.concat(out).toString('latin1'), counts: table.counts };
}

const CASES: readonly (readonly [string, Omit<TableOptions, 'column'> & { column?: string }, string, string])[] = [
  ['CSV', {}, 'url,n\n/a,1\n/c,2\n', 'url,n\n/b,1\n/c,2\n'],
  ['quotes, which stay', {}, 'n,"url"\r\n1,"/a"\r\n"x,""y",/a\r\n', 'n,"url"\r\n1,"/b"\r\n"x,""y",/b\r\n'],
  ['a cell with line ends', {}, 'n,url\n"1\n,2\n",/a\n3,"/a"', 'n,url\n"1\n,2\n",/b\n3,"/b"'],
  ['a quoted URL with quotes and commas', {}, 'url\n"/a?x=""1,2"""\n', 'url\n"/b?x=""1,2"""\n'],
  ['TSV, in which quotes are signs', {}, 'n\turl\n"\t/a\n', 'n\turl\n"\t/b\n'],
  [
    'a byte order mark and titles',
    {},
    '# of a tool\nTitle\n\xef\xbb\xbfurl,n\n/a,1\n',
    '# of a tool\nTitle\n\xef\xbb\xbfurl,n\n/b,1\n',
  ],
  ['a number for a column without name', { column: '2' }, '1,/a\n2,/c\n', '1,/b\n2,/c\n'],
  ['bytes that are no UTF-8', {}, 'url,n\n/a\xff,\xfe\n', 'url,n\n/b%FF,\xfe\n'],
  ['rows that are too short, too long, blank or no URL', {}, 'n,url\n1\n\n2,-\n3,/a,4\n', 'n,url\n1\n\n2,-\n3,/b,4\n'],
  ['quotes that are damaged', {}, 'n,url\n"1"x,/a\n2,"/a"x\n3,/a\n', 'n,url\n"1"x,/a\n2,"/a"x\n3,/b\n'],
  ['a quote that never closes', {}, 'n,url\n"1,/a\n2,/a\n3,/a', 'n,url\n"1,/a\n2,/b\n3,/b'],
  ['JSON', {}, '{"n":1, "url" : "/a"}\n{"url":"\\/x\\/\\u0061"}\n', '{"n":1, "url" : "/b"}\n{"url":"/x/b"}\n'],
  [
    'values of JSON that are no text',
    {},
    '{"url":null}\n{"url":["/a","/a"]}\n{"url":7}\n{"n":1}\n{"url":"/a"\n[]\n{"url":"/a"}\n',
    '{"url":null}\n{"url":["/a","/a"]}\n{"url":7}\n{"n":1}\n{"url":"/a"\n[]\n{"url":"/b"}\n',
  ],
  ['pairs of CSV', { pairs: true }, 'url,n\n/a,1\n-,2\n\n"/a"\n', 'url,n,canonical\n/a,1,/b\n-,2,\n\n"/a",/b\n'],
  ['pairs of TSV', { pairs: true }, 'url\tn\r\n/a\t1\r\n', 'url\tn\tcanonical\r\n/a\t1\t/b\r\n'],
  [
    'pairs of JSON',
    { pairs: true },
    '{"url":"/a"}\n{"url":"-","n":{}} \n{"n":1}\n',
    '{"url":"/a","canonical":"/b"}\n{"url":"-","n":{},"canonical":null} \n{"n":1}\n',
  ],
  ['what changes', { changed: true }, 'url,n\n/a,1\n/c,2\n-,3\n\n4\n', 'url,n\n/b,1\n'],
];

test.each(CASES)('%s', async (_, how, text, expected) => {
  const options = { column: 'url', ...how };
  expect((await mapped([text], options)).text).toBe(expected);
  for (const step of [1, 2, 3, 7]) expect((await mapped([text], options, step)).text).toBe(expected);
});

test('a row of over 1 MiB passes, and the rows after it are read', async () => {
  const long = `${'x'.repeat(1 << 20)}y,/a\n`;
  const { text, counts } = await mapped([`n,url\n1,/a\n${long}2,/a\n`], { column: 'url' }, 100_000);
  expect(text === `n,url\n1,/b\n${long}2,/b\n`).toBe(true);
  expect(counts.urls).toBe(2);
});

test('rows, URLs and changes are counted, and rows that are left out', async () => {
  const text = 'url,n\n/a,1\n/c,2\n-,3\n';
  expect((await mapped([text], { column: 'url' })).counts).toEqual({ lines: 3, urls: 2, changed: 1, dropped: 0 });
  const { counts } = await mapped([text], { column: 'url', changed: true });
  expect(counts).toEqual({ lines: 3, urls: 2, changed: 1, dropped: 2 });
});

describe('several tables', () => {
  test('are one, and their rows stay apart', async () => {
    const { text } = await mapped(['url,n\n/a,1', 'url,n\n/c,2'], { column: 'url' });
    expect(text).toBe('url,n\n/b,1\n/c,2');
  });

  test('are one, with one header', async () => {
    const { text } = await mapped(['url,n\n/a,1\n', 'url,n\n/a,2\n'], { column: 'url', pairs: true });
    expect(text).toBe('url,n,canonical\n/a,1,/b\n/a,2,/b\n');
  });

  test.each([
    [
      'other columns',
      'n,url\n2,/a\n',
      'input 1: has the columns ["n","url"]; expected those of the first input, ["url","n"]',
    ],
    ['no such column', 'u,n\n/a,2\n', 'input 1: has the columns ["u","n"]; expected one that is called "url"'],
    [
      'another kind',
      '{"url":"/a"}\n',
      'input 1: is JSON lines, and the first input is CSV; expected tables of one kind',
    ],
  ])('with %s are refused', async (_, second, message) => {
    await expect(mapped(['url,n\n/a,1\n', second], { column: 'url' })).rejects.toThrow(message);
  });
});
