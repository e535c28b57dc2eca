// What the log alone is sure of, on logs whose truth is known.
import { describe, expect, test } from 'vitest';
import { CONFIDENT } from '../../src/rule/standing.js';
import type { TestRecord } from '../url-list.js';
import { mined } from './planted.js';

const said = (rules: ReturnType<typeof mined>) =>
  rules.flatMap((rule) =>
    rule.confidence < CONFIDENT
      ? []
      : rule.kind === 'parameter'
        ? [rule.name]
        : rule.kind === 'substring'
          ? [`${rule.from} → ${rule.to}`]
          : [],
  );

const HOST = 'http://shop.test';
const sizeOf = (k: number) => 9000 + ((k * 7919) % 60_000);
const pages = Array.from({ length: 150 }, (_, k) => ({ path: `/goods/g${(k * 7919).toString(36)}/`, size: sizeOf(k) }));
/** Asked for twice, with the same size each time. */
const twice = (url: string, size: number): TestRecord[] => [
  { url, size },
  { url, size },
];

describe.each(['/de/', '/xq/', '/texte/'])('a language under %s', (folder) => {
  // The frame is translated, the goods are not: up to 1 % more. Every sixth page has no frame.
  const records = pages.flatMap(({ path, size }, k) => [
    ...twice(HOST + path, size),
    ...twice(HOST + folder.slice(0, -1) + path, k % 6 === 0 ? size : size + Math.round(size * 0.004) + (k % 90)),
  ]);

  test('is never sure, as no page is ever that far from itself', () => {
    const rules = mined(records);
    expect(rules.length).toBeGreaterThan(0);
    expect(said(rules)).toEqual([]);
  });
});

test('a language is never sure, also if each link and the whole frame is longer by a multiple of its folder', () => {
  const records = pages.flatMap(({ path, size }, k) => {
    const large = 50_000 + size;
    const longer = k % 10 === 0 ? 0 : 300 + 3 * (200 + ((k * 53) % 180));
    return [...twice(HOST + path, large), ...twice(`${HOST}/xq${path}`, large + longer)];
  });
  const rules = mined(records);
  expect(rules.length).toBeGreaterThan(0);
  expect(said(rules)).toEqual([]);
});

test('the same folder is sure if its pages are the same', () => {
  const records = pages.flatMap(({ path, size }) => [
    ...twice(HOST + path, size),
    ...twice(`${HOST}/texte${path}`, size),
  ]);
  expect(said(mined(records)).length).toBeGreaterThan(0);
});

const withField = (field: (k: number) => string, other: (k: number) => number) =>
  pages.flatMap(({ path, size }, k) => [
    ...twice(HOST + path, size),
    ...twice(`${HOST}${path}?${field(k)}`, size + other(k)),
  ]);

test('a currency is never sure: prices may change, and be as long', () => {
  const rules = mined(
    withField(
      (k) => `currency=${['EUR', 'USD', 'GBP'][k % 3]!}`,
      () => 0,
    ),
  );
  expect(rules.some((rule) => rule.kind === 'parameter' && rule.name === 'currency')).toBe(true);
  expect(said(rules)).toEqual([]);
});

test('a session is sure, also if its token is in the page', () => {
  const session = (k: number) => `PHPSESSID=${(k * 1_000_003 + 7).toString(16).padStart(12, '0')}`;
  expect(said(mined(withField(session, () => 22)))).toEqual(['PHPSESSID']);
});

describe('names of a campaign that never vary alone', () => {
  const MAILS = ['', '?utm_source=rss', '?utm_source=mail&utm_medium=email', '?utm_source=x&utm_medium=social&id=7'];
  const sent = (grow: (k: number) => number) =>
    pages.flatMap(({ path, size }, k) => [
      ...twice(HOST + path, size),
      ...twice(HOST + path + MAILS[k % 4]!, size + (k % 4 === 0 ? 0 : grow(k))),
    ]);

  test('go with the others, so that no half of a campaign is left', () => {
    const rules = mined(sent(() => 0)).filter((rule) => rule.kind === 'parameter');
    expect(rules.map(({ name }) => name)).toEqual(expect.arrayContaining(['utm_source', 'utm_medium']));
    const medium = rules.find(({ name }) => name === 'utm_medium')!;
    expect(medium.confidence).toBeGreaterThan(CONFIDENT);
    expect(medium.support).toEqual({ groups: 0, urls: 74 });
    expect(medium.examples).toHaveLength(3);
    for (const [url, image] of medium.examples) expect(image).toBe(url.replace(/&utm_medium=\w+/, ''));
  });

  test('are no rules where pages differ', () => {
    const rules = mined(sent((k) => 3000 + ((k * 7877) % 40_000)));
    expect(rules.filter((rule) => rule.kind === 'parameter' && rule.name === 'utm_medium')).toEqual([]);
  });

  test('nor if similarity is not looked at', () => {
    const rules = mined(
      sent(() => 0),
      { similarity: false },
    );
    expect(rules.filter((rule) => rule.kind === 'parameter' && rule.name === 'utm_medium')).toEqual([]);
  });
});

test('a host is sure, also if every link of a page holds it', () => {
  // 300 to 479 links, and a part of 55 bytes that comes and goes. Every tenth is a file without links.
  const records = pages.flatMap(({ path, size }, k) => {
    const large = 50_000 + size;
    const links = k % 10 === 0 ? 0 : 4 * (300 + ((k * 53) % 180));
    return [
      ...twice(`http://shop.test${path}`, large),
      { url: `http://shop.test${path}`, size: large + 55 * (k % 2) },
      ...twice(`http://www.shop.test${path}`, large + links),
      { url: `http://www.shop.test${path}`, size: large + links + (k % 3 === 0 ? 55 : 0) },
    ];
  });
  expect(said(mined(records))).toContain('http://www.shop.test/goods/ → http://shop.test/goods/');
});

test('a log of attacks has nothing that is sure', () => {
  const tools = ['wp-login', 'xmlrpc', 'setup', 'admin', 'shell', 'cgi-bin/test', 'phpmyadmin/index', 'env', 'config'];
  const records = Array.from({ length: 400 }, (_, k) => ({
    url: `${HOST}/${['', 'old/', 'wp/', 'blog/', 'test/'][k % 5]!}${tools[k % 9]!}.php?q=${k % 40}%27%20OR%20${k % 7}`,
    size: 548,
  }));
  const rules = mined([...records, ...records]);
  expect(rules.length).toBeGreaterThan(0);
  expect(said(rules)).toEqual([]);
});

test('special cases inherit from the general rule', () => {
  const records = pages.flatMap(({ path, size }, k) => {
    const deep = `/${['a', 'b', 'c'][k % 3]!}${path}`;
    return [...twice(`http://www.shop.test${deep}`, size), ...twice(HOST + deep, size)];
  });
  const rules = mined(records).filter((rule) => rule.kind === 'substring' && rule.from.includes('//www.shop.test/'));
  expect(rules.length).toBeGreaterThan(0);
  for (const { confidence } of rules) expect(confidence).toBeGreaterThan(CONFIDENT);
});
