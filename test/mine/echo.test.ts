import { expect, test } from 'vitest';
import { echoesOf } from '../../src/mine/echo.js';
import { Nearness } from '../../src/table/nearness.js';
import { siteUrlsOf } from '../url-list.js';

const PATHS = Array.from({ length: 60 }, (_, k) => `/goods/g${k}/`);
const LONGER = 'http://www.x.test'.length - 'http://x.test'.length;
/** Between 100 and 189 links, another number on each page. */
const linksOf = (k: number) => 100 + ((k * 37) % 90);

/** What is found where pages with another host are longer by so much. */
function found(by: (k: number) => number, paths = PATHS) {
  const list = siteUrlsOf(
    paths.flatMap((path, k) => {
      const size = 40_000 + ((k * 7919) % 30_000);
      return [
        { url: `http://x.test${path}`, size },
        { url: `http://www.x.test${path}`, size: size + by(k) },
      ];
    }),
  );
  // One host after the other, each in the order of paths.
  const half = paths.length;
  const rows = Array.from({ length: half }, (_, k) => k);
  const isFirstLonger = list.lengthOf(0) > list.lengthOf(half);
  const others = rows.map((row) => row + half);
  return echoesOf(new Nearness(list), isFirstLonger ? rows : others, isFirstLonger ? others : rows);
}

test('pages whose links hold the host echo it many times', () => {
  const echoes = found((k) => LONGER * linksOf(k));
  expect(echoes?.bytes).toBe(LONGER);
  expect(echoes!.least).toBeGreaterThanOrEqual(100);
  expect(echoes!.least).toBeLessThan(110);
  expect(echoes!.most).toBeGreaterThan(180);
  expect(echoes!.most).toBeLessThan(190);
});

test.each<[string, Parameters<typeof found>]>([
  ['differences of any size', [(k) => 400 + ((k * 41) % 360)]],
  ['pages that are shorter by multiples', [(k) => -LONGER * linksOf(k)]],
  ['a frame that is always as much longer', [() => 100 * LONGER]],
  ['seven differences', [(k) => LONGER * (100 + (k % 7))]],
  ['seven pages', [(k) => LONGER * linksOf(k), PATHS.slice(0, 7)]],
])('%s are no echoes', (_, [by, paths]) => {
  expect(found(by, paths)).toBeUndefined();
});

test('every other page may differ for another reason, too', () => {
  expect(found((k) => LONGER * linksOf(k) + (k % 2) * (1 + (k % 3)))?.bytes).toBe(LONGER);
});

test('a byte says nothing: everything is a multiple of it', () => {
  const list = siteUrlsOf(
    PATHS.flatMap((path, k) => [
      { url: path.slice(0, -1), size: 40_000 + k },
      { url: path, size: 40_000 + 12 * k },
    ]),
  );
  const rows = PATHS.map((_, k) => 2 * k);
  expect(
    echoesOf(
      new Nearness(list),
      rows,
      rows.map((row) => row + 1),
    ),
  ).toBeUndefined();
});
