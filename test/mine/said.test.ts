// Rules from an index of a crawl: redirects and canonical links prove them and give their direction.
import { describe, expect, test } from 'vitest';
import type { Rule } from '../../src/rule/rule.js';
import { type Capture, labelOf } from '../facts.js';
import type { TestRecord } from '../url-list.js';
import { mined } from './planted.js';
import { sureForm } from './sure-form.js';

const WORDS = ['river', 'stone', 'garden'];
const COUNT = 120;
const page = (url: string, more: Capture = {}): TestRecord => ({
  url,
  sketch: labelOf({ sketch: `of ${url}`, time: 1, ...more }),
});
const moved = (url: string, name: string): TestRecord => ({ url, sketch: labelOf({ isPage: false, name, time: 1 }) });
const each = (make: (path: string, k: number) => readonly TestRecord[]): TestRecord[] =>
  Array.from({ length: COUNT }, (_, k) => make(`/${WORDS[k % 3]!}/page${(k * 7919).toString(36)}`, k)).flat();

describe('a crawl with redirects', () => {
  test.each([
    ['http to https', 'http://x.test', 'https://x.test', ''],
    ['https to http', 'https://x.test', 'http://x.test', ''],
    ['to www', 'https://x.test', 'https://www.x.test', ''],
    ['from www', 'https://www.x.test', 'https://x.test', ''],
    ['to www and https', 'http://x.test', 'https://www.x.test', ''],
    ['to a slash', 'https://x.test', 'https://x.test', '/'],
  ])('%s: the form is the page that answers', (_, from, to, slash) => {
    const rules = mined(each((path) => [page(to + path + slash), moved(from + path, to + path + slash)]));
    for (const path of ['/river/new', '/stone/page1']) {
      expect(sureForm(rules, from + path)).toBe(to + path + slash);
      expect(sureForm(rules, to + path + slash)).toBe(to + path + slash);
    }
    expect(rules.some(({ word }) => word === 'redirect')).toBe(true);
  });

  test('from a slash', () => {
    const rules = mined(
      each((path) => [page(`http://x.test${path}`), moved(`http://x.test${path}/`, `http://x.test${path}`)]),
    );
    expect(sureForm(rules, 'http://x.test/river/new/')).toBe('http://x.test/river/new');
  });

  test('to a slash, where files have none: they keep their names', () => {
    const host = 'https://x.test';
    const rules = mined(
      each((path) => [page(`${host}${path}/`), moved(host + path, `${host}${path}/`), page(`${host}${path}.png`)]),
    );
    expect(sureForm(rules, `${host}/river/new`)).toBe(`${host}/river/new/`);
    expect(sureForm(rules, `${host}/river/new.png`)).toBe(`${host}/river/new.png`);
  });

  test('a slash that half of the pages do without is not added', () => {
    const host = 'https://x.test';
    const rules = mined(
      each((path, k) => [
        page(`${host}${path}/`),
        k % 2 === 0 ? moved(host + path, `${host}${path}/`) : page(host + path),
      ]),
    );
    expect(sureForm(rules, `${host}/river/new`)).toBe(`${host}/river/new`);
  });
});

describe('it proves nothing that', () => {
  test.each([
    ['all old pages lead to the front page', '/'],
    ['all pages that are closed lead to the login', '/login'],
  ])('%s', (_, target) => {
    const host = 'https://x.test';
    const rules = mined([
      page(host + target),
      ...each((path) => [page(host + path), moved(`${host}${path}/edit`, host + target)]),
    ]);
    expect(sureForm(rules, `${host}/river/new/edit`)).toBe(`${host}/river/new/edit`);
  });

  test('a parameter of the front page alone leads there', () => {
    const host = 'https://x.test';
    const rules = mined([
      page(`${host}/`),
      ...each((path, k) => [page(host + path), moved(`${host}/?p=${k}`, `${host}/`)]),
    ]);
    expect(sureForm(rules, `${host}/river/new?p=1`)).toBe(`${host}/river/new?p=1`);
  });
});

describe('a crawl with canonical links', () => {
  const host = 'https://x.test';

  test('proves a session, though every page has another digest', () => {
    const rules = mined(
      each((path, k) => [
        page(host + path, { name: host + path }),
        page(`${host}${path}?sid=${k}a`, { name: host + path }),
        page(`${host}${path}?sid=${k}b`, { name: host + path }),
      ]),
    );
    expect(sureForm(rules, `${host}/river/new?sid=77`)).toBe(`${host}/river/new`);
  });

  test('keeps pages apart that name themselves', () => {
    const rules = mined(
      each((path) => [
        page(host + path, { name: host + path }),
        page(`${host}${path}?page=2`, { name: `${host}${path}?page=2` }),
      ]),
    );
    expect(sureForm(rules, `${host}/river/new?page=2`)).toBe(`${host}/river/new?page=2`);
  });

  test('proves views for printers', () => {
    const rules = mined(each((path) => [page(host + path), page(`${host}/print${path}`, { name: host + path })]));
    expect(sureForm(rules, `${host}/print/river/new`)).toBe(`${host}/river/new`);
    expect(rules.some(({ word }) => word === 'canonical')).toBe(true);
  });
});

test('pages of equal size in two languages are not one page', () => {
  const sized = (url: string, languages: number): TestRecord => ({ url, size: 5000, sketch: labelOf({ languages }) });
  const two = (a: number, b: number) =>
    mined(each((path) => [sized(`https://x.test/a${path}`, a), sized(`https://x.test/b${path}`, b)]));
  const highest = (rules: readonly Rule[]) => Math.max(0, ...rules.map(({ confidence }) => confidence));
  expect(highest(two(1, 2))).toBeLessThan(0.5);
  expect(highest(two(1, 2))).toBeLessThan(highest(two(1, 1)));
});
