import { expect, test } from 'vitest';
import { createCdx, createCdxj } from '../../../src/log/format/captures.js';
import { outcome, read } from '../reading.js';
import { fieldsOf } from './fields.js';

const page = { url: 'http://h.de/a?b', time: '20140126200624', status: 200, sketch: 'OSSA' };
const eleven = 'de,h)/a?b 20140126200624 http://h.de/a?b text/html 200 OSSA - - 2258 334 x.warc.gz';
const nine = 'de,h)/a?b 20140126200624 http://h.de/a?b text/html 200 OSSA - 334 x.warc.gz';
const eight = 'http://h.de/a?b 192.0.2.1 20140126200624 text/html 2258 x.arc 334 56bf41';

test.each([
  [eleven, page],
  [nine, page],
  [eight, { url: page.url, time: page.time, size: 2258, sketch: '56bf41' }],
  [eleven.replace('200 OSSA', '- -'), { url: page.url, time: page.time }],
  [eleven.replace(' 200 ', ' 2xx '), 'bad-status'],
  [`${eleven} more`, 'not-in-format'],
  [eleven.slice(0, 70), 'not-in-format'],
  [eleven.replace('20140126200624', '2014'), 'not-in-format'],
  ['', 'not-in-format'],
])('without a header: %s', (line, fields) => {
  expect(fieldsOf(createCdx(), line)).toEqual(fields);
});

test('the header names the fields, and may be repeated', () => {
  const format = createCdx();
  expect(fieldsOf(format, ' CDX N b a m s k r M S V g', eleven)).toEqual(page);
  for (const line of [nine, `${eleven} more`]) expect(fieldsOf(format, line)).toBe('not-in-format');
  expect(fieldsOf(format, ' CDX s a', '404 http://h.de/')).toEqual({ url: 'http://h.de/', status: 404 });
  expect(fieldsOf(format, ' CDX b A c', '20140126200624 h.de/x d')).toEqual({
    url: 'h.de/x',
    time: page.time,
    sketch: 'd',
  });
  expect(fieldsOf(format, ' CDX s k', '404 d')).toBe('no-url-field');
});

test('the sketch of a revisit is that of its original', async () => {
  const revisit = eleven.replace('text/html 200', 'warc/revisit -');
  const { rows, summary } = await read(['\ufeff CDX N b a m s k r M S V g', eleven, revisit].join('\n'));
  expect(rows).toEqual([1, 2].map(() => ({ url: page.url, size: -1, sketch: 'OSSA' })));
  expect(summary).toMatchObject({ format: 'cdx', lines: 2 });
});

test.each([
  ['{"url": "http://h.de/a?b", "status": "200", "digest": "OSSA", "length": "9", "mime": "text/html"}', page],
  ['{"url":"http://h.de/a?b","digest":"sha1:OSSA"}', { url: page.url, time: page.time, sketch: 'sha1:OSSA' }],
  ['{"uri":"http://h.de/a?b","hsc":200,"sha":"OSSA"}', page],
  [
    '{"url":"http://h.de/a?b","status":"200","digest":"-","method":"POST"}',
    { ...page, sketch: undefined, method: 'other' },
  ],
  ['{"status":"200"}', { time: page.time, status: 200 }],
  ['{"url":"http://h.de/a', 'not-in-format'],
  ['{}{}', 'not-in-format'],
  ['', 'not-in-format'],
])('CDXJ: %s', (object, fields) => {
  expect(fieldsOf(createCdxj(), `de,h)/a?b 20140126200624 ${object}`)).toEqual(fields);
});

test('CDXJ: metadata lines are not counted, lines without a time are rejected', async () => {
  expect(await outcome('!OpenWayback-CDXJ 1.0\nde,h)/ 20140126200624 {"url":"http://h.de/"}')).toBe('http://h.de/');
  expect(fieldsOf(createCdxj(), 'de,h)/ {"url":"http://h.de/"}')).toBe('not-in-format');
  expect(fieldsOf(createCdxj(), 'de,h)/ 2014-01-26 {"url":"http://h.de/"}')).toBe('not-in-format');
});
