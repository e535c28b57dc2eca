import { describe, expect, test } from 'vitest';
import { accepts } from '../../src/rule/standing.js';
import type { TestRecord } from '../url-list.js';
import { mined, summaryOf } from './planted.js';
import { sureForm } from './sure-form.js';

const sizeOf = (k: number) => 9000 + ((k * 7919) % 60_000);
const asked = (url: string, size: number, times: number): TestRecord[] =>
  Array.from({ length: times }, () => ({ url, size }));

/** Pages in three folders, with hits at `from` and at `to`. */
const hosts = (from: string, to: string, hitsFrom: number, hitsTo: number) =>
  Array.from({ length: 150 }, (_, k) => {
    const path = `/${['a', 'b', 'c'][k % 3]!}/page${(k * 7919).toString(36)}`;
    return [...asked(from + path, sizeOf(k), hitsFrom), ...asked(to + path, sizeOf(k), hitsTo)];
  }).flat();

describe('of a host with two names', () => {
  test.each([
    ['the longer one, if the log goes by it', 20, 2, 'http://www.shop.test/a/x'],
    ['the shorter one, if that is used more', 2, 20, 'http://shop.test/a/x'],
  ])('the name is %s', (_, www, bare, name) => {
    const rules = mined(hosts('http://www.shop.test', 'http://shop.test', www, bare));
    for (const host of ['www.shop.test', 'shop.test']) expect(sureForm(rules, `http://${host}/a/x`)).toBe(name);
    const sure = rules.filter((rule) => accepts(rule, 'confident'));
    expect(sure.length).toBeGreaterThan(0);
    const hasReason = sure.some(({ hits }) => hits !== undefined && hits.kept > hits.given);
    expect(hasReason).toBe(www > bare);
  });

  test('the name is no address that only redirects', () => {
    const records = hosts('http://www.shop.test', 'http://shop.test', 2, 2);
    const moved = Array.from({ length: 60 }, (_, k) => asked(`http://www.shop.test/d/q${k}`, -1, 400)).flat();
    expect(sureForm(mined([...records, ...moved]), 'http://www.shop.test/a/x')).toBe('http://shop.test/a/x');
  });
});

test('nothing leads away from https, whatever the hits', () => {
  const rules = mined(hosts('https://shop.test', 'http://shop.test', 2, 20));
  expect(rules.length).toBeGreaterThan(0);
  for (const url of ['https://shop.test/a/x', 'https://shop.test/']) expect(sureForm(rules, url)).toBe(url);
});

test('the mount in use is not led to the old one: only the site can call for what adds text', () => {
  const [used, old] = ['http://shop.test/shop', 'http://shop.test'];
  for (const [hits, name] of [
    [40, `${used}/a/x`],
    [1, `${old}/a/x`],
  ] as const) {
    const rules = mined(hosts(used, old, hits, 41 - hits));
    expect(sureForm(rules, `${used}/a/x`)).toBe(name);
    expect(rules.some((rule) => rule.confidence > 0.95 && rule.use === 'key')).toBe(hits === 40);
  }
});

test('the log says how many rules are sure, and how many URLs fewer there are by them', () => {
  const records = hosts('http://www.shop.test', 'http://shop.test', 2, 2);
  const { sure, sureCases, sureUrls, likelyUrls, promising } = summaryOf(records);
  expect(sure + sureCases).toBe(mined(records).filter((rule) => accepts(rule, 'confident')).length);
  expect([sure, sureUrls]).toEqual([1, 150]);
  expect(likelyUrls).toBeGreaterThanOrEqual(sureUrls);
  expect(promising).toBeGreaterThanOrEqual(0);
});

test('a rule that does two things at once follows the rules that do each', () => {
  // A shop on two hosts and in two folders; the log goes by the longer host.
  const path = (k: number) => `${['a', 'b', 'c'][k % 3]!}/page${(k * 7919).toString(36)}`;
  const records = Array.from({ length: 150 }, (_, k) => [
    ...asked(`http://www.shop.test/cgi-bin/${path(k)}`, sizeOf(k), 20),
    ...asked(`http://shop.test/cgi-bin/${path(k)}`, sizeOf(k), 2),
    ...asked(`http://shop.test/cat/${path(k)}`, sizeOf(k), 2),
    ...asked(`http://www.shop.test/cat/${path(k)}`, sizeOf(k), 20),
  ]).flat();
  const rules = mined(records);
  const forms = ['www.shop.test/cgi-bin', 'shop.test/cgi-bin', 'shop.test/cat', 'www.shop.test/cat'].map((place) =>
    sureForm(rules, `http://${place}/a/x`),
  );
  expect(new Set(forms)).toEqual(new Set(['http://www.shop.test/cat/a/x']));
});
