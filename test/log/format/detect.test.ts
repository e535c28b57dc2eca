import { Buffer } from 'node:buffer';
import { expect, test } from 'vitest';
import { detectFormat } from '../../../src/log/format/detect.js';

const time = '[10/Feb/2012:16:42:07 -0500]';
const request = '"GET / HTTP/1.0" 200 368';

test.each([
  ['common', `1.2.3.4 - joe ${time} ${request}`],
  ['common', `host.isp.net - joe smith ${time} ${request}`],
  ['combined', `::1 - - ${time} ${request} "-" "Mozilla/5.0"`],
  ['vhost', `www.h.de:80 1.2.3.4 - - ${time} ${request} "-" "Mozilla/5.0"`],
  ['vhost', `localhost ::1 - joe ${time} ${request}`],
  ['lighttpd', `1.2.3.4 www.h.de - ${time} ${request} "-" "Mozilla/5.0"`],
  ['urls', 'http://h.de/a,b'],
  ['urls', '/a/b'],
  ['csv', 'status,url\n200,/'],
  ['csv', 'url\n/a\n/b'],
  ['tsv', 'status\tURL\n200\t/'],
  ['jsonl', '{"url":"/a,b"}'],
  ['heritrix', '2009-05-14T14:21:01.026Z     1         58 dns:h.de P http://h.de/ text/dns #1 2 sha1:A - -'],
  ['heritrix', '20090514142101026 -5003 - http://h.de/ P - no-type #1 - - - -'],
  [null, 'hello world'],
  [null, ''],
  [null, '\0\x01\x02\xff'],
])('%s: %s', (name, log) => {
  expect(detectFormat(Buffer.from(log, 'latin1'))).toBe(name);
});

test.each([
  ['csv', '"Internal - All"\n"Address","Status Code"\n"http://h.de/a","200"'],
  ['csv', 'sep=,\nurl,status\n/a,200'],
  ['csv', '# ----\n# Pages, all users\n# 2026\n\nPage path,Views\n/a,7'.replace('Page path', 'page')],
  ['tsv', 'Pages of h.de\npage\thits\n/a\t7'],
  ['urls', '# my pages\n/a\n/b'],
  ['urls', '/a\nurl,status\n/b,200'],
])('%s below lines of a title: %j', (name, log) => {
  expect(detectFormat(Buffer.from(log))).toBe(name);
});

test('a format under which every line fails is no candidate, however much its first line looks like it', () => {
  const good = `1.2.3.4 - - ${time} ${request} "-" "x"`;
  expect(detectFormat(Buffer.from(`url,page\n${good}\n${good}`))).toBe('combined');
  expect(detectFormat(Buffer.from(`"a,url\n${good}`))).toBe('combined');
  const unread = '{"msg":"started","log":1}\n'.repeat(5);
  expect(detectFormat(Buffer.from(`${unread}/a\n/b\n`))).toBe('urls');
  // If no format reads a line, the one that they look like is named.
  expect(detectFormat(Buffer.from(unread))).toBe('jsonl');
  expect(detectFormat(Buffer.from('#Fields: date cs-uri\n'))).toBe('w3c');
  expect(detectFormat(Buffer.from('url,status\n'))).toBe('csv');
  expect(detectFormat(Buffer.from('url,note\n/a,"b\nc"\n/d,"e\nf"\n'))).toBe('csv');
});

test('comments do not vote', () => {
  expect(detectFormat(Buffer.from(`${'# licence\n'.repeat(500)}1.2.3.4 - - ${time} ${request}`))).toBe('common');
});

test('damaged and foreign lines among the first do no harm', () => {
  const good = `1.2.3.4 - - ${time} ${request} "-" "x"`;
  const bad = ['', '# comment', ' "curl/7"', '{"url":"/"}', '/path', `h.de 1.2.3.4 - - ${time} ${request}`, '\xff\0'];
  expect(detectFormat(Buffer.from([...bad, good, good, good, ''].join('\r\n')))).toBe('combined');
});
