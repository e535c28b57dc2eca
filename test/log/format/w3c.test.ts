import { describe, expect, test } from 'vitest';
import { detectFormat } from '../../../src/log/format/detect.js';
import { createW3c } from '../../../src/log/format/w3c.js';
import { read } from '../reading.js';
import { fieldsOf } from './fields.js';
import { fixture } from './samples.js';

const lines = (fields: string, ...rest: readonly string[]) => fieldsOf(createW3c(), `#Fields: ${fields}`, ...rest);

test('IIS: stem and query are joined, port 443 is https, date and time are one field', () => {
  const fields =
    'date time s-ip cs-method cs-uri-stem cs-uri-query s-port c-ip cs(User-Agent) cs-host sc-status sc-bytes';
  expect(
    lines(fields, '2025-03-04 09:00:01 198.51.100.1 GET /a id=1&x=2 443 192.0.2.1 Mozilla/5.0+(X11) h.de 200 512'),
  ).toEqual({
    method: 'get',
    status: 200,
    size: 512,
    url: '/a?id=1&x=2',
    host: 'h.de:443',
    time: '2025-03-04 09:00:01',
    agent: 'Mozilla/5.0+(X11)',
  });
});

describe('one field may have blanks', () => {
  const names =
    'date time cs-method cs-uri-stem cs-uri-query s-port c-ip cs(User-Agent) cs(Cookie) cs-host sc-status sc-bytes';
  const head = '2026-03-02 06:01:04 GET /a b=1 80 192.0.2.1';
  const read = { method: 'get', status: 200, size: 512, url: '/a?b=1', host: 'h.de', time: '2026-03-02 06:01:04' };

  test.each([
    ['a cookie', 'curl/8 a=1; b=two words; c=3 h.de 200 512', { ...read, agent: 'curl/8' }],
    ['an agent', 'Mozilla/5.0 (X11; Linux) a=1 h.de 200 512', { ...read, agent: 'Mozilla/5.0 (X11; Linux)' }],
    [
      'an agent, without a cookie',
      'Mozilla/5.0 (X11; Linux) - h.de 200 512',
      { ...read, agent: 'Mozilla/5.0 (X11; Linux)' },
    ],
  ])('%s', (_, rest, fields) => {
    expect(lines(names, `${head} ${rest}`)).toEqual(fields);
  });

  test.each([
    ['a field too few', 'curl/8 h.de 200 512'],
    ['what follows does not fit', 'curl/8 a=1; b c h.de 200 many'],
    ['no host where it must be', 'curl/8 a=1; b c /x/y 200 512'],
    ['two such fields', 'Mozilla/5.0 (X11) a=1; b=2 h.de 200 512'],
    ['a status that is none', 'curl/8 a=1; b c h.de OK 512'],
    ['more words than are looked at', `curl/8 ${'a=1; '.repeat(2000)} h.de 200 512`],
  ])('%s: the line is not read', (_, rest) => {
    expect(lines(names, `${head} ${rest}`)).toBe('field-count');
  });

  test('words of which it is not known whether they are the agent are not', () => {
    const fields = { url: '/a' };
    expect(lines('cs-uri-stem x-a cs(User-Agent)', '/a p q r')).toEqual(fields);
    expect(lines('cs-uri-stem x-a cs(User-Agent)', '/a p q')).toEqual({ ...fields, agent: 'q' });
  });

  test('if it may be either side of a field that is needed, the line is not read', () => {
    expect(lines('x-a cs-uri-stem x-b', 'p q /a r')).toEqual({ url: '/a' });
    expect(lines('x-a cs-uri-stem x-b', 'p /q /a r')).toBe('field-count');
    expect(lines('cs-uri-stem x-a x-b', '/a p q r')).toEqual({ url: '/a' });
  });
});

test.each([
  ['no query', '/a -', '/a'],
  ['an empty query between tabs', '/a\t', '/a'],
  ['a query that begins with its mark', '/a ?b', '/a?b'],
  ['a stem that has a query', '/a?b b', '/a?b'],
  ['bytes that are no ASCII', '/ä q=ö', '/ä?q=ö'],
  ['quotes', '"/a" "b c"', '/a?b c'],
  ['a quote that is not closed', '/a "b', '/a?"b'],
  ['blanks, many', '  /a    b ', '/a?b'],
])('a line with %s gives its URL', (_, line, url) => {
  expect(lines('cs-uri-stem cs-uri-query', line)).toEqual({ url });
});

test.each([
  ['https h.de', 'h.de:443', '/a'],
  ['http h.de', 'h.de', '/a'],
  ['wss h.de', 'h.de:443', '/a'],
  ['- h.de', 'h.de', '/a'],
  ['443 h.de', 'h.de:443', '/a'],
  ['8080 h.de', 'h.de', '/a'],
  ['https h.de:443', 'h.de:443', 'https://h.de:443/a'],
  ['https h.de:8443', 'h.de:8443', 'https://h.de:8443/a'],
  ['https [::1]:8443', '[::1]:8443', 'https://[::1]:8443/a'],
  ['https [::1]', '[::1]:443', '/a'],
  ['https -', undefined, '/a'],
])('protocol and host %j', (line, host, url) => {
  expect(lines('cs-protocol cs-host cs-uri-stem', `${line} /a`)).toEqual({ url, ...(host !== undefined && { host }) });
});

test('an https URL on another port keeps its query', () => {
  expect(lines('cs-protocol cs-host cs-uri-stem cs-uri-query', 'https h.de:8443 /a b=1')).toMatchObject({
    url: 'https://h.de:8443/a?b=1',
  });
});

test('CloudFront: the host is the one the viewer requested, double encoding is undone', () => {
  const head = 'date time x-edge-location cs(Host) cs-uri-stem cs-uri-query x-host-header cs-protocol';
  const line = [
    '2025-03-04',
    '09:00:01',
    'FRA2',
    'd1.cloudfront.net',
    '/a%2520b%20c%25',
    'q=%25C3%25a4%252',
    'h.de',
    'https',
  ];
  expect(lines(head, line.join('\t'))).toEqual({
    url: '/a%20b%20c%25?q=%C3%a4%252',
    host: 'h.de:443',
    time: '2025-03-04 09:00:01',
  });
  expect(lines('cs-uri-stem', '/a%2520b')).toEqual({ url: '/a%2520b' }); // others do not encode twice
});

test.each([
  ['more fields than the line', 'date cs-uri-stem sc-status x', '2025-03-04 /a 200', 'field-count'],
  ['fewer fields than the line', 'cs-uri-stem sc-status', '2025-03-04 /a 200', 'field-count'],
  ['unknown names only', 'a b c', '2025-03-04 /a 200', 'no-url-field'],
  ['no URL', 'date cs-method sc-status', '2025-03-04 GET 200', 'no-url-field'],
  ['no names', '', '2025-03-04 GET 200', 'no-url-field'],
  ['URL and status swapped', 'date sc-status cs-uri-stem', '2025-03-04 /a 200', 'bad-status'],
  ['method and status swapped', 'sc-status cs-method cs-uri-stem', 'GET 200 /a', 'bad-method'],
])('#Fields that lies, of %s, is a cause of its own', (_, fields, line, cause) => {
  expect(lines(fields, line)).toBe(cause);
});

test('#Fields with very many names is read correctly', () => {
  const names = Array.from({ length: 300 }, (_, k) => `x-${k}`);
  expect(lines(`cs-uri-stem ${names.join(' ')}`, `/a ${names.join(' ')}`)).toBe('field-count');
  expect(lines('cs-uri-stem', 'x '.repeat(5000))).toBe('field-count');
});

test('the fields can change in the middle, and be repeated', async () => {
  const { rows, summary } = await read(
    [
      '#Version: 1.0',
      '#Fields: cs-uri-stem sc-status',
      '/a 200',
      '#Fields: sc-status cs-uri-stem cs-uri-query',
      '200 /b c=1',
      '200 /late',
      '#Fields: cs-uri-stem sc-status',
      '#Remark: nothing',
      '/d 200',
    ].join('\r\n'),
  );
  expect(rows.map(({ url }) => url)).toEqual(['/a', '/b?c=1', '/d']);
  expect(summary).toMatchObject({ format: 'w3c', lines: 4, records: 3, rejected: { 'field-count': 1 } });
});

test('without #Fields, lines of CloudFront and of IIS are read, others only after it', async () => {
  const parts = fixture('cloudfront.log').split('\n').slice(2);
  expect(detectFormat(Buffer.from(parts.join('\n')))).toBe('w3c');
  const cloudfront = await read(parts.join('\n'));
  expect(cloudfront.rows).toEqual((await read(fixture('cloudfront.log'))).rows);
  const iis = '2025-03-04 09:00:01 198.51.100.1 GET /a q=1 443 - 192.0.2.1 Mozilla/5.0 - 200 0 0 15';
  const { rows, summary } = await read([iis, '200 /b', '#Fields: sc-status cs-uri-stem', '200 /b'].join('\n'));
  expect(rows.map(({ url }) => url)).toEqual(['/a?q=1', '/b']);
  expect(summary.rejected).toEqual({ 'no-fields-line': 1 });
});

test('a time without a date gets that of #Date', () => {
  const format = createW3c();
  const fields = fieldsOf(format, '#Date: 2025-03-04 09:00:00', '#Fields: time cs-uri-stem', '09:00:01 /a');
  expect(fields).toEqual({ url: '/a', time: '2025-03-04 09:00:01' });
  expect(lines('time cs-uri-stem date', '09:00:01 /a 2025-03-04')).toEqual({ url: '/a', time: '2025-03-04 09:00:01' });
  expect(lines('time cs-uri-stem', '09:00:01 /a')).toEqual({ url: '/a', time: '09:00:01' });
});

test('a host before the path of cs-uri is the host', () => {
  expect(lines('cs-uri cs-uri-query', '"www.h.de/page" "a=b c"')).toEqual({ url: '/page?a=b c', host: 'www.h.de' });
  expect(lines('cs-uri', 'http://www.h.de/page')).toEqual({ url: 'http://www.h.de/page' });
  expect(lines('cs-uri-stem', 'rtmp://h.de/x')).toEqual({ url: 'rtmp://h.de/x' });
});

test('lines with tabs and lines with blanks are read the same, whichever come first', () => {
  const names = '#Fields: cs-uri-stem sc-status';
  const all = ['/a 200', '/a\t200', '/a b\t200', '/a\tb 200', '/a\t\t200', '"/a b" 200', '"/a\tb" 200'];
  for (const line of all) {
    const alone = fieldsOf(createW3c(), names, line);
    for (const before of all)
      expect([before, line, fieldsOf(createW3c(), names, before, line)]).toEqual([before, line, alone]);
  }
});
