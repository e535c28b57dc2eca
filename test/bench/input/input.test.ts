// The inputs of benchmarks have the properties that they claim.
import { describe, expect, test } from 'vitest';
import { logLines } from './log.js';
import { permuted } from './random.js';
import { inPerl, inSed, rulesOf } from './rules.js';
import { SHAPES } from './shapes.js';
import { siteUrls } from './site.js';

const urlsOf = (count: number) => Array.from(siteUrls(count), ({ host, path }) => `http://${host}${path}`);

test('an order has every number once, and is not the natural one', () => {
  for (const count of [1, 2, 3, 64, 65, 1000]) {
    const order = [...permuted(count, 7)];
    const natural = Array.from({ length: count }, (_, k) => k);
    expect(order.toSorted((a, b) => a - b)).toEqual(natural);
    if (count > 10) expect(order).not.toEqual(natural);
  }
});

describe('a site', () => {
  test('has exactly as many distinct URLs as asked for, the same every time', () => {
    for (const count of [1, 10, 4_321]) expect(new Set(urlsOf(count)).size).toBe(count);
    expect(urlsOf(500)).toEqual(urlsOf(500));
  });

  test('has dust under all kinds of names', () => {
    const urls = urlsOf(5_000);
    const known = new Set(urls);
    const dust = (from: string, to: string) =>
      urls.filter((url) => known.has(url.replace(from, to)) && url.includes(from));
    expect(dust('story?id=', 'story_').length).toBeGreaterThan(100);
    expect(dust('index.html', '').length).toBeGreaterThan(100);
    expect(dust('www.', '').length).toBeGreaterThan(100);
    expect(urls.filter((url) => url.includes('&sid=') && known.has(url.replace(/&sid=.*/, ''))).length).toBeGreaterThan(
      100,
    );
  });
});

test('a log has as many lines as asked for, of about 200 bytes', () => {
  for (const format of ['combined', 'vhost'] as const) {
    const lines = [...logLines(2_000, format)];
    expect(lines).toHaveLength(2_000);
    const bytes = lines.join('').length / lines.length;
    expect(bytes).toBeGreaterThan(180);
    expect(bytes).toBeLessThan(240);
  }
});

test.each(SHAPES)('$name has distinct URLs only, none too long', ({ urls }) => {
  const list = [...urls(2_000)];
  expect(new Set(list).size).toBe(2_000);
  expect(Math.max(...list.map((url) => url.length))).toBeLessThan(2_048);
});

test('rules are distinct, and sed and perl say each of them in a line', () => {
  const rules = rulesOf('example.com', 50);
  for (const say of [JSON.stringify, inSed, inPerl]) expect(new Set(rules.map((rule) => say(rule))).size).toBe(50);
});
