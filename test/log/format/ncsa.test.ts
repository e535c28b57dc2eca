import { Buffer } from 'node:buffer';
import { expect, test } from 'vitest';
import { outcome, read } from '../reading.js';

const head = '1.2.3.4 - - [10/Feb/2012:16:42:07 -0500]';

test.each([
  ['an everyday request', '"GET /a?b=1 HTTP/1.1" 200 12', '/a?b=1'],
  ['a HEAD', '"HEAD /a HTTP/1.1" 200 12', '/a'],
  ['a request without protocol (HTTP/0.9)', '"GET /a" 200 12', '/a'],
  ['a target alone', '"/a/b" 200 12', '/a/b'],
  ['spaces in the target', '"GET /a b  c HTTP/1.1" 200 12', '/a b  c'],
  ['more spaces than needed', '"GET   /a   HTTP/1.1  " 200 12', '/a'],
  ['what looks like a protocol in the target', '"GET /a HTTP/x HTTP/2" 200 12', '/a HTTP/x'],
  ['a quote that is escaped', String.raw`"GET /a\"b HTTP/1.1" 200 12`, '/a"b'],
  ['a quote that is not', '"GET /a"b" 1 HTTP/1.1" 200 12', '/a"b" 1'],
  ['bytes that are escaped', String.raw`"GET /\xc3\xa4\x22\\ HTTP/1.1" 200 12`, '/ä"\\'],
  ['a backslash that escapes nothing', String.raw`"GET /a\b\xzz HTTP/1.1" 200 12`, '/a\\b\\xzz'],
  ['a backslash before the closing quote', String.raw`"GET /a\" 200 12`, '/a\\'],
  ['an absolute target', '"GET HTTP://H:80/a HTTP/1.1" 200 12', 'HTTP://H:80/a'],
  ['a fragment', '"GET /a#b HTTP/1.1" 200 12', '/a'],
  ['no size', '"GET /a HTTP/1.1" 200 -', '/a'],
  ['no status', '"GET /a HTTP/1.1" - 12', '/a'],
  ['junk after the size', '"GET /a HTTP/1.1" 200 12 junk "', '/a'],
  ['a carriage return at the end', '"GET /a HTTP/1.1" 200 12\r\n', '/a'],
  ['304', '"GET /a HTTP/1.1" 304 -', '/a'],
  ['301', '"GET /a HTTP/1.1" 301 12', '/a'],
  ['308', '"GET /a HTTP/1.1" 308 12', '/a'],
  ['206', '"GET /a HTTP/1.1" 206 12', '/a'],
])('%s gives a record', async (_, rest, url) => {
  expect(await outcome(`${head} ${rest}`, { format: 'common' })).toBe(url);
});

test.each([
  ['"POST /a HTTP/1.1" 200 12', 'method'],
  ['"get /a HTTP/1.1" 200 12', 'method'],
  ['"OPTIONS * HTTP/1.0" 200 12', 'method'],
  ['"CONNECT h:443 HTTP/1.1" 200 12', 'method'],
  ['"GET * HTTP/1.0" 200 12', 'asterisk'],
  ['"-" 408 -', 'no-request'],
  ['"" 400 0', 'no-request'],
  ['"GET HTTP/1.1" 400 0', 'no-request'],
  ['"- - - " 200 0', 'no-request'],
  [String.raw`"\x16\x03\x01\x00\xa5" 400 226`, 'no-request'],
  ['"\x16\x03\x01 /a" 400 226', 'no-request'],
  ['"GET /a HTTP/1.1" 302 12', 'redirect'],
  ['"GET /a HTTP/1.1" 404 12', 'client-error'],
  ['"GET /a HTTP/1.1" 500 12', 'server-error'],
  ['"GET /a HTTP/1.1" 101 12', 'other-status'],
  ['"GET /a HTTP/1.1" 000 0', 'failed-fetch'],
  ['"GET ftp://h/a HTTP/1.1" 200 12', 'other-scheme'],
  ['"GET a.html HTTP/1.1" 200 12', 'no-url'],
  ['"GET #a HTTP/1.1" 200 12', 'no-url'],
  ['"GET www.h.de:443 HTTP/1.1" 200 12', 'no-url'],
  ['"GET http:/h HTTP/1.1" 200 12', 'no-url'],
  ['"GET http:///a HTTP/1.1" 200 12', 'bad-host'],
  ['"GET http://h:99999/ HTTP/1.1" 200 12', 'bad-host'],
  [`"GET /${'a'.repeat(2048)} HTTP/1.1" 200 12`, 'url-too-long'],
  ['"GET /a HTTP/1.1" 200 12x', 'not-in-format'],
  ['"GET /a HTTP/1.1" 200', 'not-in-format'],
  ['"GET /a HTTP/1.1" 20 12', 'not-in-format'],
  ['"GET /a HTTP/1.1', 'not-in-format'],
  ['', 'not-in-format'],
])('%j is not a record: %s', async (rest, cause) => {
  expect(await outcome(`${head} ${rest}`, { format: 'common' })).toBe(cause);
});

test.each([
  ['www.h.de', 'http://www.h.de/a'],
  ['www.h.de:80', 'http://www.h.de/a'],
  ['www.h.de:443', 'https://www.h.de/a'],
  ['www.h.de:8080', 'http://www.h.de:8080/a'],
  ['WWW.h.de:', 'http://WWW.h.de/a'],
  ['[2001:db8::1]:443', 'https://[2001:db8::1]/a'],
  ['2001:db8::1', 'http://[2001:db8::1]/a'],
  ['-', '/a'],
  ['a/b', 'bad-host'],
  ['h:x', 'bad-host'],
  ['h:0', 'bad-host'],
  ['h:65536', 'bad-host'],
  ['h\x01', 'bad-host'],
  ['u@h', 'bad-host'],
])('the virtual host %j gives %s, first or second', async (host, expected) => {
  const rest = '- - [10/Feb/2012:16:42:07 -0500] "GET /a HTTP/1.1" 200 12';
  expect(await outcome(`${host} 1.2.3.4 ${rest}`, { format: 'vhost' })).toBe(expected);
  expect(await outcome(`1.2.3.4 ${host} ${rest.slice(2)}`, { format: 'lighttpd' })).toBe(expected);
});

test.each([
  ['combined', `- - - [10/Feb/2012:16:42:07 -0500] "www.h.de" "GET /a HTTP/1.1" 200 12 "-" "x"`, 'http://www.h.de/a'],
  ['common', `${head} "h.de:443" "GET /a HTTP/1.1" 200 12 "-" "x" 0.012`, 'https://h.de/a'],
  ['common', `${head} "localhost" "GET /a?b="c" HTTP/1.1" 200 12`, 'http://localhost/a?b="c"'],
  ['common', `${head} "-" "GET /a HTTP/1.1" 200 12`, '/a'],
  ['common', `${head} "10.0.0.7" "GET /a HTTP/1.1" 200 12`, '/a'], // may be the address of a client
  ['common', `${head} "www.h.de" "POST /a HTTP/1.1" 200 12`, 'method'],
  ['common', `${head} "app" "GET /a HTTP/1.1" 200 12`, 'no-request'],
  ['common', `${head} "www.h.de" "-" 400 0`, 'no-request'],
  ['common', `${head} "www.h.de" " 400 0`, 'no-request'],
  ['common', `${head} "www.h.de" 400 0`, 'no-request'],
  ['vhost', `"www.h.de" ${head} "GET /a HTTP/1.1" 200 12`, 'http://www.h.de/a'],
  [
    'lighttpd',
    `1.2.3.4 "www.h.de" - [10/Feb/2012:16:42:07 -0500] "GET /a HTTP/1.1" 200 12 "-" "x"`,
    'http://www.h.de/a',
  ],
])('%s with a host in quotes: %s', async (format, line, expected) => {
  expect(await outcome(line)).toBe(expected);
  expect((await read(line)).summary.format).toBe(format);
});

test('the scheme of a virtual host is that of the option unless the port says https', async () => {
  const line = (host: string) => `${host} ${head} "GET /a HTTP/1.1" 200 1`;
  const urls = ['h', 'h:443', 'h:80'].map((host) => outcome(line(host), { format: 'vhost', scheme: 'https' }));
  expect(await Promise.all(urls)).toEqual(['https://h/a', 'https://h/a', 'https://h:80/a']);
});

test('a line of common format among those with virtual hosts is not a record', async () => {
  expect(await outcome(`${head} "GET /a HTTP/1.1" 200 1`, { format: 'vhost' })).toBe('not-in-format');
});

test('invalid UTF-8 is kept byte for byte', async () => {
  const line = Buffer.concat([Buffer.from(`${head} "GET /`), Buffer.of(0xe4, 0xff), Buffer.from(' HTTP/1.1" 200 1')]);
  expect(await outcome(line)).toBe('/\udce4\udcff');
});

test('only a GET with status 200 has a size', async () => {
  const requests = ['GET 200 0', 'GET 200 5', 'HEAD 200 5', 'GET 206 5', 'GET 301 5', 'GET 304 5', 'GET 200 -'];
  const lines = requests.map((request) => {
    const [method, status, size] = request.split(' ');
    return `${head} "${method} / HTTP/1.1" ${status} ${size}`;
  });
  const { rows } = await read(lines.join('\n'));
  expect(rows.map((row) => row.size)).toEqual([0, 5, -1, -1, -1, -1, -1]);
});
