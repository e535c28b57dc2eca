import { expect, test } from 'vitest';
import { UserError } from '../../../src/base/error.js';
import { outcome, read } from '../reading.js';

async function urls(log: string, options: Parameters<typeof read>[1] = {}): Promise<string[]> {
  return (await read(log, options)).rows.map((row) => row.url);
}

test.each([
  ['http://h/a', 'http://h/a'],
  ['  https://H/a b \r', 'https://H/a b'],
  ['/a', '/a'],
  ['http://u:p@h:8080/', 'http://h:8080/'],
  ['http://[::1]/x', 'http://[::1]/x'],
  ['http://h?q', 'http://h?q'],
  ['mailto:me@h', 'other-scheme'],
  ['dns:h', 'other-scheme'],
  ['www.h.de/a', 'no-url'],
  ['# comment', 'no-url'],
  ['http://', 'bad-host'],
  ['http://a b/', 'bad-host'],
  ['http://[::1/', 'bad-host'],
  ['   ', 'empty'],
])('in a list of URLs %j becomes %s', async (line, expected) => {
  expect(await outcome(`${line}\n`, { format: 'urls' })).toBe(expected);
});

test('Heritrix: the digest is the sketch, sizes count, failures and names are dropped', async () => {
  const rest = (digest: string) => `P http://v/ text/html #1 20090514142100573+135 ${digest} - content-size:99,3t`;
  const log = [
    `2009-05-14T14:21:01.026Z     1         58 dns:h.de ${rest('sha1:A')}`,
    `2009-05-14T14:21:02.044Z   200      13160 http://h.de/a ${rest('sha1:B')}`,
    `20090514142102044   200          - http://h.de/b ${rest('-')}`,
    `2009-05-14T14:21:02.044Z   301        31 http://h.de/c ${rest('sha1:C')}`,
    `2009-05-14T14:21:02.044Z   -61          - http://h.de/d ${rest('-')}`,
    `2009-05-14T14:21:02.044Z   200`,
  ];
  const { rows, summary } = await read(log.join('\n'));
  expect(rows).toEqual([
    { url: 'http://h.de/a', size: 13160, sketch: 'sha1:B' },
    { url: 'http://h.de/b', size: -1, sketch: '' },
    { url: 'http://h.de/c', size: -1, sketch: '' },
  ]);
  expect(summary).toMatchObject({ format: 'heritrix', lines: 6, records: 3, rejected: { 'not-in-format': 1 } });
  expect(summary.dropped).toEqual({ 'failed-fetch': 1, 'other-scheme': 1 });
});

test('CSV: columns by their usual names, quoted fields, newlines within quotes', async () => {
  const log = [
    'Status-Code,"Request URI",note,Host,bytes,digest',
    '200,/a,x,h.de:443,12,d1',
    '200,"/b,c","say ""hi""",,7.0,-',
    '200,/d,"two\r\nlines, and ""more""",-,,',
    '404,/e,,,,',
    '200,/f',
    '200,/g,,,,,too many',
    '',
    'abc,/h,,,,',
    '200,/i,,,abc,',
  ];
  const { rows, summary, rejects } = await read(log.join('\r\n'));
  expect(rows).toEqual([
    { url: 'https://h.de/a', size: 12, sketch: 'd1' },
    { url: '/b,c', size: 7, sketch: '' },
    { url: '/d', size: -1, sketch: '' },
    { url: '/f', size: -1, sketch: '' },
  ]);
  expect(summary).toMatchObject({ format: 'csv', lines: 9, records: 4, dropped: { 'client-error': 1 } });
  expect(rejects.map(([number, cause]) => [number, cause])).toEqual([
    [8, 'not-in-format'],
    [9, 'empty'],
    [10, 'bad-status'],
    [11, 'bad-size'],
  ]);
});

test('CSV: a quote that is never closed costs its line, not those after it', async () => {
  const many = Array.from({ length: 9000 }, (_, k) => `/page/${k},200`);
  const { rows, summary } = await read(['url,status', '"/open,200', ...many, 'a "b" c,200'].join('\n'));
  expect(rows).toHaveLength(9000);
  expect(summary.rejected).toEqual({ 'broken-quotes': 1, 'no-url': 1 });
});

test('CSV: a quote within a field is a character', async () => {
  expect(await urls('url,status\n/a"b,200\n"/c""d",200\n/e,200\n')).toEqual(['/a"b', '/c"d', '/e']);
});

test('TSV: a quote is always a character', async () => {
  expect(await urls('url\tstatus\n"/a"\t200\n/b"\t200\n')).toEqual(['/b"']);
});

test('columns can be named by the user; then the usual names do not count', async () => {
  const columns = { url: 'u', size: 'n' };
  const { rows } = await read('url,u,n,size\n/no,/yes,5,6', { columns, format: 'csv' });
  expect(rows).toEqual([{ url: '/yes', size: 5, sketch: '' }]);
  expect(await urls('{"url":"/no","u":"/yes"}', { columns })).toEqual(['/yes']);
});

test('a header without a URL, and an unknown column, are reported to the user', async () => {
  await expect(read('a,b\n1,2', { format: 'csv' })).rejects.toThrow(UserError);
  await expect(read('a,b\n1,2', { format: 'csv', columns: { uri: 'a' } })).rejects.toThrow(/no column/);
});

test('JSON Lines: fields by their usual names, nested ones too', async () => {
  const log = [
    '{"status":"200","uri":"/weak","request_uri":"/a?b","body_bytes_sent":"12","server_name":"h.de"}',
    '{"request":{"method":"GET","host":"h.de","uri":"/caddy/"},"size":3,"status":200}',
    '{"request":"GET /line HTTP/1.1","status":200,"bytes":4}',
    '{"RequestMethod":"POST","RequestPath":"/x"}',
    '{"url":"/\\u00e4\\udce4","status":null,"digest":"s"}',
    '{"url":["/x"]}',
    '{"url":"/cut',
    '[1]',
  ];
  const { rows, summary } = await read(log.join('\n'));
  expect(rows).toEqual([
    { url: 'http://h.de/a?b', size: 12, sketch: '' },
    { url: 'http://h.de/caddy/', size: 3, sketch: '' },
    { url: '/line', size: 4, sketch: '' },
    { url: '/ä\udce4', size: -1, sketch: 's' },
  ]);
  expect(summary.dropped).toEqual({ method: 1 });
  expect(summary.rejected).toEqual({ 'no-url': 1, 'not-in-format': 2 });
});
