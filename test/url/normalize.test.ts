import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteBuffer } from '../../src/base/buffer.js';
import { latin1 } from '../../src/base/bytes.js';
import { isNormal, normalize, normalizeSafe } from '../../src/url/normalize.js';
import { anyUrl } from './arbitrary.js';

function normalized(url: string): string {
  return Buffer.from(normalizeSafe(Buffer.from(url, 'latin1'))).toString('latin1');
}

test.each([
  ['scheme and host go to lower case', 'HTTP://WWW.Example.COM/Path?Q', 'http://www.example.com/Path?Q'],
  ['the default port of http goes', 'http://h:80/a', 'http://h/a'],
  ['the default port of https goes', 'https://h:443?x', 'https://h/?x'],
  ['a host in escapes is decoded', 'http://%4d%c3%bcnchen.DE/', 'http://xn--mnchen-3ya.de/'],
  ['names go to punycode', 'http://\xc3\xbc.de:80/\xc3\xbc', 'http://xn--tda.de/%C3%BC'],
  ['an address has one form', 'http://0x7f.1/', 'http://127.0.0.1/'],
  ['blanks and bytes from 0x80 up become escapes', '/a b?\xe4\xff', '/a%20b?%E4%FF'],
  ['a backslash of the path is a slash', 'http://h\\a\\..\\b?\\', 'http://h/b?\\'],
  ['of user information too', 'http://\xc3\xa9 x@h', 'http://%C3%A9%20x@h/'],
  ['a colon without port goes', 'http://h:/a', 'http://h/a'],
  ['the default port of an IPv6 host goes', 'http://[::FFFF]:80/', 'http://[::ffff]/'],
  ['escapes go to upper case', '/a%2fb?c%3d', '/a%2Fb?c%3D'],
  ['escaped unreserved characters are decoded', '/%7Eme/%41%2D%5f', '/~me/A-_'],
  ['they are decoded in the query too', '/?%71=%7e', '/?q=~'],
  ['they are decoded in the host, before it goes to lower case', 'http://%41%2eB/', 'http://a.b/'],
  ['dot segments go', '/a/./b/../c', '/a/c'],
  ['dot segments at the end leave a slash', '/a/b/..', '/a/'],
  ['a dot at the end leaves a slash', '/a/.', '/a/'],
  ['dot segments do not climb over the root', '/../../a', '/a'],
  ['a path of dots alone is the root', 'http://h/..', 'http://h/'],
  ['escaped dot segments go', '/a/%2E%2e/b', '/b'],
  ['an empty segment is a segment', '/a//../b', '/a/b'],
  ['an empty path becomes a slash', 'http://h', 'http://h/'],
  ['an empty path before a query becomes a slash', 'http://h?q', 'http://h/?q'],
  ['an empty path before a fragment becomes a slash', 'http://h#f', 'http://h/#f'],
])('%s', (_, url, expected) => {
  expect(normalized(url)).toBe(expected);
});

test.each([
  ['the port of the other scheme', 'http://h:443/'],
  ['the port of the other scheme, https', 'https://h:80/'],
  ['what only looks like two ports', 'http://h:80:80/'],
  ['a port in escapes, which is none', 'http://h:%38%30/'],
  ['a host that browsers refuse', 'http://H.1.2.3:80/%7e'],
  ['punycode of nothing', 'http://xn--a/%7e'],
  ['user information', 'http://U%7e:Pw@h/'],
  ['escapes that mean something', '/%2F%252F%2B%E4%20%25'],
  ['broken escapes', '/%zz%4%%/%'],
  ['an escape that would bring a broken one to life', '/%%341%4%31'],
  ['dots in the query', '/a?x=/../y/./z'],
  ['dots within names', '/a../.b/...'],
  ['the order and the separators of the query', '/?b&a;;c=&&'],
  ['an empty query', '/a?'],
  ['slashes in a row', '//a//b//'],
  ['the fragment', '/a#%7e/../B'],
  ['other schemes', 'FTP://H:80/%7e/../'],
  ['what is no URL', 'Hello %7e/../'],
  ['a web address without host', 'http:///%zz'],
  ['nothing', ''],
])('%s: left alone', (_, url) => {
  expect(normalized(url)).toBe(url);
});

test('normalization is idempotent', () => {
  const hits = new Set<string>();
  fc.assert(
    fc.property(anyUrl(), (url) => {
      const once = normalizeSafe(url);
      if (!Buffer.from(once).equals(url)) hits.add(Buffer.from(once).toString());
      expect(Buffer.from(normalizeSafe(once)).toString('latin1')).toBe(Buffer.from(once).toString('latin1'));
    }),
    { numRuns: 5000 },
  );
  expect(hits.size).toBeGreaterThan(1000);
});

test('the check that skips normal URLs skips none that the long way would change', () => {
  let normal = 0;
  fc.assert(
    fc.property(anyUrl(), (url) => {
      if (!isNormal(url, 0, url.length)) return;
      normal++;
      // A blank at the end takes the long way.
      const blank = url.includes('#'.charCodeAt(0)) ? ' ' : '%20';
      expect(latin1(normalizeSafe(Buffer.concat([url, Buffer.from(' ')])))).toBe(latin1(url) + blank);
    }),
    { numRuns: 5000 },
  );
  expect(normal).toBeGreaterThan(200);
});

test('what is in the buffer before the URL stays', () => {
  fc.assert(
    fc.property(anyUrl(), (url) => {
      const buffer = new ByteBuffer(4);
      buffer.add(Buffer.concat([Buffer.from('<<'), url]));
      const isTaken = normalize(buffer, 2);
      expect(latin1(buffer.bytes.subarray(0, 2))).toBe('<<');
      expect(latin1(buffer.bytes.subarray(2, buffer.used))).toBe(latin1(isTaken ? normalizeSafe(url) : url));
    }),
  );
});
