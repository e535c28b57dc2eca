import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isHttp, parseUrl, pieces } from '../../src/url/parse.js';
import { anyUrl } from './arbitrary.js';

function split(url: string): string[] {
  return pieces(parseUrl(Buffer.from(url))).map((piece) => Buffer.from(piece).toString());
}

test.each([
  ['', ['', '', '', '', '', '', '', '']],
  ['/a/b?q#f', ['', '', '', '', '', '/a/b', '?q', '#f']],
  ['http://h/', ['http', '://', '', 'h', '', '/', '', '']],
  ['http://u:p@Host:80/a?b#c', ['http', '://', 'u:p@', 'Host', ':80', '/a', '?b', '#c']],
  ['http://a@b@h/', ['http', '://', 'a@b@', 'h', '', '/', '', '']],
  ['https://[::1]:8080?x', ['https', '://', '', '[::1]', ':8080', '', '?x', '']],
  ['https://[::1]#x', ['https', '://', '', '[::1]', '', '', '', '#x']],
  ['https://[::1', ['https', '://', '', '[::1', '', '', '', '']],
  ['http://h:80:80/', ['http', '://', '', 'h:80:80', '', '/', '', '']],
  ['http://h:/', ['http', '://', '', 'h', ':', '/', '', '']],
  ['http:///p', ['http', '://', '', '', '', '/p', '', '']],
  ['mailto:me@x', ['', '', '', '', '', 'mailto:me@x', '', '']],
  ['1http://h/', ['', '', '', '', '', '1http://h/', '', '']],
  ['?a#b?c', ['', '', '', '', '', '', '?a', '#b?c']],
])('%s is split into its parts', (url, expected) => {
  expect(split(url)).toEqual(expected);
});

test('joining the parts gives the URL back, for every byte string', () => {
  fc.assert(
    fc.property(fc.oneof(anyUrl(), fc.uint8Array()), (url) => {
      expect(Buffer.concat(pieces(parseUrl(url))).equals(url)).toBe(true);
    }),
  );
});

test('http and https are the web, in upper or lower case', () => {
  const isWeb = (url: string) => isHttp(parseUrl(Buffer.from(url)));
  expect(['http://h', 'HTTPS://h', 'hTTp://'].map(isWeb)).toEqual([true, true, true]);
  expect(['ftp://h', 'httpx://h', 'htt://h', '/http://h', 'http:/h'].map(isWeb)).toEqual(Array(5).fill(false));
});
