import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { normalizeInPlace, normalizeSafe, SAFE_STEPS } from '../../src/url/normalize.js';
import { emptyParts, isHttp, parseUrl, splitUrl } from '../../src/url/parse.js';
import { anyUrl } from './arbitrary.js';

function normalized(url: string): string {
  return Buffer.from(normalizeSafe(Buffer.from(url, 'latin1'))).toString('latin1');
}

test.each([
  ['scheme and host go to lower case', 'HTTP://WWW.Example.COM/Path?Q', 'http://www.example.com/Path?Q'],
  ['the default port of http goes', 'http://h:80/a', 'http://h/a'],
  ['the default port of https goes', 'https://h:443?x', 'https://h/?x'],
  ['a port that is written in escapes goes too', 'http://h:%38%30/', 'http://h/'],
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
  ['user information', 'http://U%7e:Pw@h/'],
  ['escapes that mean something', '/%2F%252F%2B%E4%20%25'],
  ['broken escapes', '/%zz%4%%/%'],
  ['an escape that would bring a broken one to life', '/%%341%4%31'],
  ['dots in the query', '/a?x=/../y/./z'],
  ['dots within names', '/a../.b/...'],
  ['the order and the separators of the query', '/?b&a;;c=&&'],
  ['an empty query', '/a?'],
  ['slashes in a row', '//a//b//'],
  ['bytes that are no ASCII', '/\xe4\xff\x00'],
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

test('the check that skips normal URLs agrees with the steps themselves', () => {
  const bySteps = (url: Uint8Array) => {
    const buffer = Buffer.concat([url, Buffer.from('?')]);
    let end = url.length;
    for (const step of SAFE_STEPS) end = step(splitUrl(buffer, 0, end, emptyParts()));
    return buffer.toString('latin1', 0, end);
  };
  let unchanged = 0;
  fc.assert(
    fc.property(anyUrl(), (url) => {
      fc.pre(url[0] === 0x2f || isHttp(parseUrl(url)));
      const expected = bySteps(url);
      if (expected === Buffer.from(url).toString('latin1')) unchanged++;
      expect(Buffer.from(normalizeSafe(url)).toString('latin1')).toBe(expected);
    }),
    { numRuns: 5000 },
  );
  expect(unchanged).toBeGreaterThan(200);
});

test('nothing in the buffer before the URL, and at most one byte after it, is changed', () => {
  fc.assert(
    fc.property(anyUrl(), (url) => {
      const buffer = Buffer.concat([Buffer.from('<<'), url, Buffer.from('?>>')]);
      const end = normalizeInPlace(buffer, 2, 2 + url.length);
      expect(buffer.toString('latin1', 0, 2)).toBe('<<');
      expect(buffer.toString('latin1', url.length + 3)).toBe('>>');
      expect(buffer.subarray(2, end).equals(normalizeSafe(url))).toBe(true);
    }),
  );
});

test('the policy is a readable list', () => {
  expect(SAFE_STEPS.map((step) => step.name)).toEqual([
    'spellEscapes',
    'lowerCaseScheme',
    'lowerCaseHost',
    'dropDefaultPort',
    'removeDotSegments',
    'fillEmptyPath',
  ]);
});
