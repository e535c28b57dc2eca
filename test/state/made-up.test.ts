import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { amount } from '../amount.js';
import { MadeUpValues } from '../../src/state/made-up.js';
import { secretKindOf, secretOf, valuesOf } from '../../src/url/secret.js';

const values = new MadeUpValues(Buffer.alloc(32, 7));
const others = new MadeUpValues(Buffer.alloc(32, 8));
const made = (url: string, by = values) => Buffer.from(by.urlOf(Buffer.from(url))).toString();

describe('a value of a visitor', () => {
  it.each([
    ['/a?id=7&sid=a7f3c2', /^\/a\?id=7&sid=[a-f]\d[a-f]\d[a-f]\d$/],
    ['http://h/a;jsessionid=1A530637289A03B0?x=1', /^http:\/\/h\/a;jsessionid=\d[A-F]\d{9}[A-F]\d\d[A-F]\d\?x=1$/],
    ['/?k=sk_live_4eC39HqLyjWDarjt', /^\/\?k=sk_live_\d[a-z][A-Z]\d\d[A-Z][a-z][A-Z][a-z]{2}[A-Z]{2}[a-z]{4}$/],
    ['/u/ann%40example.org/', /^\/u\/[a-z]{3}%40[a-z]{7}\.[a-z]{3}\/$/],
    ['/?pin=0472', /^\/\?pin=\d{4}$/],
    ['/?phone=%2B4930123456', /^\/\?phone=%2B\d{10}$/],
    ['/?next=%2Fcart%3Fsid%3Da7f3c2', /^\/\?next=%2Fcart%3Fsid%3D[a-f]\d[a-f]\d[a-f]\d$/],
    ['/a/sk_live_4eC39HqLyjWDarjt.html', /^\/a\/sk_live_\d\w{15}\.html$/],
  ])('of %s becomes another one of its shape', (url, shape) => {
    expect(made(url)).toMatch(shape);
    expect(made(url)).not.toBe(url);
    expect(made(url)).toBe(made(url));
    expect(made(url, others)).not.toBe(made(url));
  });

  it.each([
    'http://www.example.org/story?id=7&title=winter-sale-2024',
    '/asset/5d41402abc4b2a76b9719d911017c592.js?v=12',
    '/?sid=news&phone=iphone&key=colour',
    'http://h',
    '/',
    '',
  ])('is what no part of %s is', (url) => expect(made(url)).toBe(url));
});

test('equal tokens stay equal, and different ones different', () => {
  const pins = Array.from({ length: 10_000 }, (_, pin) => made(`/?pin=${String(pin).padStart(4, '0')}`));
  expect(new Set(pins).size).toBe(10_000);
  const short = Array.from({ length: 36 ** 2 }, (_, k) => made(`/?pass=${k.toString(36).padStart(2, 'z')}`));
  expect(new Set(short).size).toBe(
    new Set(Array.from({ length: 36 ** 2 }, (_, k) => k.toString(36).padStart(2, 'z'))).size,
  );
  const [one, other] = [made('/?mail=ann%40example.org'), made('/?mail=bob%40example.org')];
  expect(one.slice(10)).toBe(other.slice(10));
});

const word = fc.stringMatching(/^[A-Za-z0-9]{1,24}$/);
const piece = fc.oneof(
  word,
  fc.tuple(fc.constantFrom('sid', 'token', 'mail', 'id', 'q', 'pin'), word).map((field) => field.join('=')),
);
const url = fc
  .tuple(fc.constantFrom('http://h.de/', '/'), fc.array(piece, { maxLength: 4 }), fc.array(piece, { maxLength: 4 }))
  .map(([origin, path, query]) => `${origin}${path.join('/')}${query.length > 0 ? '?' : ''}${query.join('&')}`);

test('a URL has values of the same kinds at the same places as before, and no other byte changes', () => {
  let changed = 0;
  fc.assert(
    fc.property(url, (before) => {
      const after = made(before);
      expect(after).toHaveLength(before.length);
      const [old, now] = [valuesOf(before), valuesOf(after)];
      expect(now.map(({ name, start, end }) => [name, start, end])).toEqual(
        old.map(({ name, start, end }) => [name, start, end]),
      );
      for (const [at, { name, text }] of old.entries()) {
        const kind = secretOf(name, text)?.kind;
        if (kind === undefined || kind === 'random') expect(now[at]!.text).toBe(text);
        else if (now[at]!.text !== text) changed++;
        if (name !== '') expect(secretKindOf(name, now[at]!.text)).toBe(kind);
      }
    }),
    { numRuns: amount(1000) },
  );
  expect(changed).toBeGreaterThan(amount(200));
});
