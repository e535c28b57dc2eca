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

test('damaged and foreign lines among the first do no harm', () => {
  const good = `1.2.3.4 - - ${time} ${request} "-" "x"`;
  const bad = ['', '# comment', ' "curl/7"', '{"url":"/"}', '/path', `h.de 1.2.3.4 - - ${time} ${request}`, '\xff\0'];
  expect(detectFormat(Buffer.from([...bad, good, good, good, ''].join('\r\n')))).toBe('combined');
});
