import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Nearness, SILENT } from '../../src/table/nearness.js';
import { byList, twinNearness } from '../twin-confidence.js';
import type { TwinUrl } from '../twin.js';
import { siteUrlsOf, type TestRecord } from '../url-list.js';

/** A record for each end of the size range. */
const recordsOf = ({ url, min, max, sketch }: TwinUrl): TestRecord[] => [
  { url, ...(min !== undefined && { size: min }), ...(sketch !== undefined && { sketch }) },
  ...(max === undefined ? [] : [{ url, size: max }]),
];

function level(a: Omit<TwinUrl, 'url'>, b: Omit<TwinUrl, 'url'>, urls: readonly [string, string] = ['/a', '/b']) {
  const list = siteUrlsOf(
    [
      { ...a, url: urls[0] },
      { ...b, url: urls[1] },
    ].flatMap(recordsOf),
  );
  const found = new Nearness(list).between(0, 1);
  expect(new Nearness(list).between(1, 0)).toBe(found);
  return found;
}

const size = (min: number, max?: number) => ({ min, ...(max !== undefined && { max }) });

describe('two pages are as near as their sizes', () => {
  test.each([
    ['ranges that overlap', size(1000, 1100), size(1050, 1200), 0],
    ['one of them within the other', size(1000, 1100), size(1050), 0],
    ['a date on a page', size(10_000), size(10_010), 1],
    ['a longer one', size(10_000), size(10_030), 2],
    ['a name in it', size(10_000), size(10_100), 3],
    ['a counter or two', size(10_000), size(10_200), 4],
    ['a box on one of them', size(10_000), size(10_900), 5],
    ['two pages', size(10_000), size(12_000), 6],
    ['the ends of ranges that are next to each other', size(9000, 10_000), size(10_030, 11_000), 2],
    ['a size and none', size(10_000), {}, SILENT],
    ['digests that agree, whatever the sizes', { ...size(1), sketch: 'a' }, { ...size(900), sketch: 'a' }, 0],
    ['digests that do not', { ...size(900), sketch: 'a' }, { ...size(900), sketch: 'b' }, 6],
    ['a digest and none', { ...size(900), sketch: 'a' }, size(900), 0],
  ] as const)('%s', (_, a, b, expected) => {
    expect(level(a, b)).toBe(expected);
  });

  test('a wide range is two sizes, and a size between them is near to neither', () => {
    expect(level(size(3000, 9000), size(6000))).toBe(6);
    expect(level(size(3000, 9000), size(9020))).toBe(2);
  });
});

describe('a page that repeats its address is longer by the difference', () => {
  // 20 bytes more in the URL.
  const urls = ['/feed/', '/feed/?ref=newsletters-01'] as const;
  const longer = urls[1].length - urls[0].length;

  test.each([
    ['once, as a feed does', 830 + longer, 0],
    ['six times', 830 + 6 * longer, 0],
    ['twice, and two bytes are another reason', 830 + 2 * longer + 2, 2],
    ['but not seven times', 830 + 7 * longer, 4],
  ])('%s', (_, longerSize, expected) => {
    expect(level(size(830), size(longerSize), urls)).toBe(expected);
  });

  test('but never shorter', () => {
    expect(level(size(830 + longer), size(830), urls)).toBe(5);
  });
});

describe('a page that is known to repeat its address between 100 and 200 times', () => {
  const levelOf = (a: readonly number[], b: readonly number[]) => {
    const list = siteUrlsOf([
      ...a.map((bytes) => ({ url: '//x/', size: bytes })),
      ...b.map((bytes) => ({ url: '//www.x/', size: bytes })),
    ]);
    const isFirst = list.lengthOf(0) > list.lengthOf(1);
    return new Nearness(list).between(isFirst ? 0 : 1, isFirst ? 1 : 0, { least: 100, most: 200 });
  };

  test.each<[string, readonly number[], readonly number[], number]>([
    ['is equal at a multiple', [50_000], [50_600], 0],
    ['is near beside one', [50_000], [50_602], 1],
    ['and above the most', [50_000], [50_840], 1],
    ['but not far above', [50_000], [51_600], 4],
    ['or far below the least', [50_000], [50_004], 1],
    ['has ranges of which like is compared with like', [50_000, 50_055], [50_600, 50_655], 0],
  ])('%s', (_, a, b, expected) => {
    expect(levelOf(a, b)).toBe(expected);
  });
});

test('if pages were sent both compressed and plain, sizes a factor apart say nothing, and sizes further apart do', () => {
  const pages = Array.from({ length: 20 }, (_, k) => ({
    url: `/p${String(k).padStart(2, '0')}`,
    min: 3000,
    max: 9000,
  }));
  const others = [
    { url: '/x1', min: 20_000 },
    { url: '/x2', min: 7000 },
    { url: '/x3', min: 900 },
  ];
  const mixed = new Nearness(siteUrlsOf([...pages, ...others].flatMap(recordsOf)));
  expect([mixed.between(20, 21), mixed.between(20, 22)]).toEqual([SILENT, 6]);
  const plain = new Nearness(
    siteUrlsOf([...pages.map(({ url }) => ({ url, min: 3000 })), ...others].flatMap(recordsOf)),
  );
  expect(plain.between(20, 21)).toBe(6);
});

test('on random lists the levels are those of the twin', () => {
  const seen = new Map<unknown, number>();
  const someSize = fc.tuple(fc.integer({ min: 0, max: 3000 }), fc.constantFrom(0, 0, 3, 40, 2500));
  const someUrl = fc.record({
    url: fc.string({ unit: fc.constantFrom('a', '/', '?'), minLength: 1, maxLength: 30 }),
    size: fc.option(someSize, { freq: 8 }),
    sketch: fc.option(fc.constantFrom('s', 't'), { freq: 1 }),
  });
  fc.assert(
    fc.property(fc.uniqueArray(someUrl, { minLength: 2, maxLength: 30, selector: ({ url }) => url }), (some) => {
      const list = some
        .map(({ url, size: range, sketch }): TwinUrl => {
          const sizes = range === null ? {} : { min: range[0], max: range[0] + range[1] };
          return { url, ...sizes, ...(sketch !== null && { sketch }) };
        })
        .sort((a, b) => byList(a.url, b.url));
      const nearness = new Nearness(siteUrlsOf(list.flatMap(recordsOf)));
      const twin = twinNearness(list);
      for (let k = 1; k < list.length; k++) {
        const expected = twin(list[k - 1]!, list[k]!);
        expect(nearness.between(k - 1, k)).toBe(expected === 'silent' ? SILENT : expected);
        seen.set(expected, (seen.get(expected) ?? 0) + 1);
      }
    }),
    { numRuns: 2000 },
  );
  for (const expected of [0, 1, 2, 3, 4, 'silent']) expect(seen.get(expected)).toBeGreaterThan(20);
});
