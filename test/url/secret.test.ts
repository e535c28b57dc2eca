import { describe, expect, it, test } from 'vitest';
import { looksRandom, masked, maskedLine, secretKindOf, valuesOf, withValues } from '../../src/url/secret.js';

describe('secretKindOf', () => {
  it.each([
    ['PHPSESSID', 'q2v8ksd0f9a7s6d5f4g3h2j1k0', 'session'],
    ['jsessionid', '1A530637289A03B07199A44E8D531427', 'session'],
    ['sid', 'a7f3c2', 'session'],
    ['fbclid', 'IwAR2x9Qk3vLmN8pT5rW1zY7bC4dE6fG0hJ', 'session'],
    ['gclid', 'e0ungUOd', 'session'],
    ['mc_eid', '16cd31e2cb', 'session'],
    ['mc_cid', '16cd31e2cb', undefined],
    ['key', 'sk_live_4eC39HqLyjWDarjtT1zdp7dc', 'key'],
    ['x', 'AKIAIOSFODNN7EXAMPLE', 'key'],
    ['t', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dBjftJeZ4CVP', 'key'],
    ['password', 'hunter', 'key'],
    ['access_token', 'abc123', 'key'],
    ['user[email]', 'ann@example.org', 'person'],
    ['q', 'ann%40example.org', 'person'],
    ['phone', '+4930123456', 'person'],
    ['h', '0f3c9a55d2e17b600f3c9a55d2e17b600f3c9a55', 'random'],
    ['', '550e8400-e29b-41d4-a716-446655440000', 'random'],
    ['next', '%2Fcart%3Fsid%3Da7f3c2', 'session'],
    ['next', 'http%3A%2F%2Fh%2Fa%253Fsid%253Da7f3c2', 'session'],
    ['next', '/cart?token=abc123', 'key'],
    ['next', 'http%3A%2F%2Fann%3Apw%40h%2F', 'key'],
    ['next', '%2Fcart%3Fid%3D7', undefined],
    ['next', 'a=b', undefined],
    ['id', '7', undefined],
    ['sid', 'news', undefined],
    ['key', 'colour', undefined],
    ['title', 'winter-sale-2024-black-shoes-size-44', undefined],
    ['', '20261127120000123456', undefined],
    ['', 'internationalization-and-localization', undefined],
    ['utm_source', 'newsletter', undefined],
    ['phone', 'iphone', undefined],
  ])('%s=%s is %s', (name, value, kind) => expect(secretKindOf(name, value)).toBe(kind));
});

describe('looksRandom', () => {
  it.each([
    'd41d8cd98f00b204e9800998ecf8427e',
    'dGhpcyBpcyBhIHRlc3Q5',
    'x9Qk3vLmN8pT5rW1',
    'IwAR2x9Qk3vLmN8pT5rW1zY7b',
  ])('%s', (value) => expect(looksRandom(value)).toBe(true));

  it.each([
    'deadbeefdeadbeef',
    'product-overview-page',
    'WomensRunningShoes',
    'MediaWiki_talk:Sitenotice',
    'short1a2b3c',
  ])('not %s', (value) => expect(looksRandom(value)).toBe(false));
});

describe('masked', () => {
  it.each([
    ['http://h/a;jsessionid=1A530637289A03B0?id=7&token=abc123', 'http://h/a;jsessionid=…?id=7&token=…'],
    ['http://ann:pw@h/reset/550e8400-e29b-41d4-a716-446655440000', 'http://h/reset/…'],
    ['/a/5d41402abc4b2a76b9719d911017c592.js', '/a/….js'],
    ['/u/ann%40example.org/x', '/u/…/x'],
    ['/u/sk_live_4eC39HqLyjWDarjt.html', '/u/….html'],
    ['/story?id=7', '/story?id=7'],
    ['/?next=a=b&mail=ann@example.org', '/?next=a=b&mail=…'],
    ['', ''],
  ])('%s becomes %s', (url, text) => expect(masked(url)).toBe(text));

  it('changes nothing that it has masked', () => {
    const once = masked('http://h/x?PHPSESSID=q2v8ksd0f9a7s6d5f4g3h2j1k0&a=ann@example.org');
    expect(masked(once)).toBe(once);
  });
});

describe('withValues', () => {
  it('finds every value where it stands', () => {
    const url = 'https://h:8/a;v=1/b?c=d&e;f==g';
    expect(valuesOf(url).map(({ name, text }) => [name, text])).toEqual([
      ['', 'a'],
      ['v', '1'],
      ['', 'b'],
      ['c', 'd'],
      ['', 'e'],
      ['f', '=g'],
    ]);
    for (const { text, start, end } of valuesOf(url)) expect(url.slice(start, end)).toBe(text);
    expect(withValues(url, ({ name }) => (name === 'c' ? 'X' : undefined))).toBe('https://h:8/a;v=1/b?c=X&e;f==g');
  });
});

test.each([
  ['GET /a?sid=a7f3c2 HTTP/9', 'GET /a?sid=… HTTP/9'],
  ['1 http://ann:pw@h/x?mail=ann@example.org&id=7', '1 http://h/x?mail=…&id=7'],
  ['x "ann@example.org" - /a;jsessionid=1A530637289A03B0', 'x "…" - /a;jsessionid=…'],
  ['{"password":"hunter","url":"/a?token=abc123"', '{"password":"…","url":"/a?token=…"'],
  ['Cookie: PHPSESSID=q2v8ksd0f9a7; a=1', 'Cookie: PHPSESSID=…; a=1'],
  ['Authorization: Bearer abc.def', 'Authorization: Bearer …'],
  ['"next=%2Fcart%3Fsid%3Da7f3c2"', '"next=…"'],
  ['/verify/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dBjftJeZ4CVP', '/verify/…'],
  ['10.0.0.1 - - [04/Mar/2025:09:00:01 +0000] "GET / HTTP/1.1" 200 512', undefined],
  ['', undefined],
])('%s', (line, masked = line) => {
  expect(maskedLine(line)).toBe(masked);
  expect(maskedLine(masked)).toBe(masked);
});

test('a line of a megabyte takes steps by its length', () => {
  for (const part of ['_', 'a=', '"a":', '://', 'a@', '%3d', 'bearer ']) {
    expect(maskedLine(part.repeat(1_000_000 / part.length)).length).toBeLessThanOrEqual(1_000_000);
  }
});
