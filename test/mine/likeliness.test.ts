import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { likelinessOf, isSeries, swapsCodes, type RatedEvidence } from '../../src/mine/likeliness.js';
import { NO_EVIDENCE } from '../../src/mine/evidence.js';

const sides = (from: string, to: string) => ({ from: Buffer.from(from), to: Buffer.from(to) });
const alias = sides('/index.html', '/');

/** How many pairs are equal, within 0.3 %, 2 %, 10 %, and further apart. */
type Five = readonly [number, number, number, number, number];
const seen = (pairs: Five, chance: Five): RatedEvidence => ({ pairs: levels(pairs), chance: levels(chance) });

/** The levels of the list are finer: 0.1 and 0.3 % are one here, and so are 1 and 2 %. */
function levels([equal, small, medium, large, other]: Five): number[] {
  return [
    equal,
    Math.ceil(small / 2),
    Math.floor(small / 2),
    Math.floor(medium / 2),
    Math.ceil(medium / 2),
    large,
    other,
  ];
}

const OTHERS: Five = [2, 1, 4, 30, 150];

describe('the confidence of a rule follows its evidence', () => {
  test.each([
    ['pages that are equal', seen([60, 0, 0, 0, 0], OTHERS), 0.99, 1],
    ['pages with a date on them', seen([3, 45, 12, 0, 0], OTHERS), 0.97, 1],
    ['five pages that are equal', seen([5, 0, 0, 0, 0], [0, 0, 0, 2, 13]), 0.95, 0.99],
    ['three of them', seen([3, 0, 0, 0, 0], [0, 0, 0, 1, 5]), 0.5, 0.95],
    ['one in four is another page', seen([45, 0, 0, 0, 15], OTHERS), 0, 0.4],
    ['one in thirty is', seen([290, 0, 0, 0, 10], OTHERS), 0.5, 0.95],
    ['pages that are all of one size', seen([60, 0, 0, 0, 0], [180, 0, 0, 0, 0]), 0.5, 0.8],
    ['pages as near as any of the template', seen([20, 5, 5, 20, 10], [60, 15, 15, 60, 30]), 0, 0.1],
    [
      'images that the log has by redirects only',
      { ...seen([60, 0, 0, 0, 0], OTHERS), listed: 70, pageless: 10 },
      0.4,
      0.51,
    ],
    ['two of those', { ...seen([60, 0, 0, 0, 0], OTHERS), listed: 62, pageless: 2 }, 0.99, 1],
    ['nothing', NO_EVIDENCE, 0.2, 0.5],
  ] as const)('%s', (_, evidence, least, most) => {
    const found = likelinessOf(evidence, alias);
    expect(found).toBeGreaterThan(least);
    expect(found).toBeLessThan(most);
  });

  // 150 kB of template and 4 kB of text: other pages are mostly within 10 %.
  const TEMPLATE: Five = [2, 10, 80, 80, 5];

  test.each([
    ['equal pages are', seen([175, 0, 0, 0, 0], TEMPLATE), 0.95, 1],
    ['pages with a date are', seen([20, 120, 35, 0, 0], TEMPLATE), 0.95, 1],
    ['with as many others as chance has within 10 %, they are not', seen([150, 10, 10, 5, 0], TEMPLATE), 0, 0.9],
    ['all but one, which may have changed, are', seen([10, 0, 0, 1, 0], TEMPLATE), 0.95, 1],
  ] as const)('where pages are mostly template, %s certain', (_, evidence, least, most) => {
    const found = likelinessOf(evidence, 'remove');
    expect(found).toBeGreaterThanOrEqual(least);
    expect(found).toBeLessThan(most);
  });

  test('instances against a rule lower its confidence, all else being equal', () => {
    const evidence = seen([20, 0, 0, 0, 0], OTHERS);
    const [clean, doubtful] = [0, 110].map((against) =>
      likelinessOf({ ...evidence, counted: { low: 4250, against } }, alias),
    );
    expect(clean).toBe(likelinessOf(evidence, alias));
    expect(doubtful).toBeLessThan(0.95);
    // If pages have noise, it does not.
    const noisy = seen([2, 14, 4, 0, 0], OTHERS);
    expect(likelinessOf({ ...noisy, counted: { low: 40, against: 9000 } }, alias)).toBeCloseTo(
      likelinessOf(noisy, alias),
      1,
    );
  });
});

describe('what makes other pages of more than one URL in 2,000 is not sure', () => {
  // One in a hundred, which would do for being true.
  const some = { ...seen([188, 0, 0, 0, 4], OTHERS), counted: { low: 1300, high: 1500, against: 0 } };

  test('if the list is small', () => {
    expect(likelinessOf({ ...some, list: 4000 }, alias)).toBe(0.9);
    expect(likelinessOf({ ...some, list: 100_000 }, alias)).toBeGreaterThan(0.95);
  });

  test('but one page may have changed', () => {
    const one = seen([191, 0, 0, 0, 1], OTHERS);
    expect(likelinessOf({ ...one, counted: some.counted, list: 4000 }, alias)).toBeGreaterThan(0.95);
  });

  test('a parameter, by the URLs of its groups', () => {
    const groups = seen([99, 0, 0, 0, 1], OTHERS);
    const members = (others: number) => ({ near: levels([120, 0, 0, 0, others]), unvouched: 0 });
    expect(likelinessOf({ ...groups, members: members(1), list: 4000 }, 'remove')).toBeGreaterThan(0.95);
    expect(likelinessOf({ ...groups, members: members(6), list: 4000 }, 'remove')).toBeLessThan(0.9);
    expect(likelinessOf({ ...groups, members: members(60), list: 4000 }, 'remove')).toBeLessThan(0.4);
  });
});

test.each([
  [400, 1],
  [1000, 1],
  [2000, 2],
  [9000, 4],
])('of %d URLs %d may have a value of a kind that no group vouches for', (list, most) => {
  const confidenceWith = (unvouched: number) =>
    likelinessOf(
      { ...seen([99, 0, 0, 0, 1], OTHERS), members: { near: levels([120, 0, 0, 0, 0]), unvouched }, list },
      'remove',
    );
  expect(confidenceWith(most)).toBeGreaterThan(0.95);
  expect(confidenceWith(most + 1)).toBe(0.9);
});

describe('a list in another order is as long to the byte', () => {
  const equal = seen([60, 0, 0, 0, 0], OTHERS);

  test.each([
    ['what names an order', equal, sides('?orderby=title&', '?')],
    ['one code for another', equal, sides('C=N', 'C=M')],
    ['instances with another value', { ...equal, listed: 60, revalued: 60 }, sides('priority', 'section')],
    ['a parameter that may sort', { ...equal, mayOrder: true }, 'remove'],
  ] as const)('so %s has a confidence of .9 at most', (_, evidence, saying) => {
    expect(likelinessOf(evidence, saying)).toBe(0.9);
  });

  test.each([
    ['an alias', equal, sides('orders/index.html', 'orders/')],
    ['a value in a few instances', { ...equal, listed: 60, revalued: 6 }, alias],
    ['any other parameter', equal, 'remove'],
  ] as const)('but %s can be certain', (_, evidence, saying) => {
    expect(likelinessOf(evidence, saying)).toBeGreaterThan(0.98);
  });
});

describe('before any page is seen', () => {
  test.each([
    ['an alias', alias],
    ['a word for a word', sides('/da/', '/fr/')],
    ['numbers for numbers', sides('page=2/x=1', 'page=1/x=0')],
    ['a number for a number', sides('page=2', 'page=1')],
  ] as const)('%s is less likely than what comes before', (what, saying) => {
    const order = ['an alias', 'a word for a word', 'numbers for numbers', 'a number for a number'];
    const all = [alias, sides('/da/', '/fr/'), sides('page=2/x=1', 'page=1/x=0'), sides('page=2', 'page=1')];
    const before = all[order.indexOf(what) - 1];
    if (before !== undefined) expect(likelinessOf(NO_EVIDENCE, saying)).toBeLessThan(likelinessOf(NO_EVIDENCE, before));
    expect(likelinessOf(NO_EVIDENCE, saying)).toBeLessThan(0.5);
  });

  test('a required parameter is less likely to have no effect', () => {
    expect(likelinessOf(NO_EVIDENCE, 'set')).toBeLessThan(likelinessOf(NO_EVIDENCE, 'remove'));
    expect(likelinessOf(NO_EVIDENCE, 'remove')).toBe(likelinessOf(NO_EVIDENCE, alias));
  });
});

test.each([
  ['page=2', 'page=1', true],
  ['/2024/05/', '/2023/6/', true],
  ['x10', 'x9', true],
  ['x10', 'x', false],
  ['/a1', '/b1', false],
])('%s → %s is a series of numbers: %s', (from, to, expected) => {
  expect(isSeries(sides(from, to))).toBe(expected);
});

test('a series is a pair that is the same with a zero for each number', () => {
  const side = fc.string({ unit: fc.constantFrom('0', '1', '9', 'a', '/', ':', '\uff11'), maxLength: 6 });
  const isSame = (from: string, to: string) => from.replace(/\d+/g, '0') === to.replace(/\d+/g, '0');
  let series = 0;
  fc.assert(
    fc.property(side, side, (from, to) => {
      if (isSame(from, to)) series++;
      expect(isSeries(sides(from, to))).toBe(isSame(from, to));
    }),
    { numRuns: 2000 },
  );
  expect(series).toBeGreaterThan(20);
});

test.each([
  [';O=D', ';O=A', true],
  ['/en/', '/da/', true],
  ['/en/', '/old/', false],
  ['a.b', 'a.c.d', false],
  ['/1/', '/2/', false],
])('%s → %s replaces one code by another, which sizes cannot distinguish: %s', (from, to, expected) => {
  expect(swapsCodes(sides(from, to))).toBe(expected);
  if (expected) expect(likelinessOf(seen([60, 0, 0, 0, 0], OTHERS), sides(from, to))).toBeLessThanOrEqual(0.9);
});
