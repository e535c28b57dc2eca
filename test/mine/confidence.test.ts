import { describe, expect, test } from 'vitest';
import { confidenceOf, type Witness } from '../../src/mine/confidence.js';
import type { DifferenceKind } from '../../src/mine/difference.js';
import { NOTHING_SAID } from '../../src/mine/said.js';

type Seven = readonly [number, number, number, number, number, number, number];

const OTHERS: Seven = [2, 3, 4, 8, 9, 40, 120];
const STEADY: Seven = [400, 2, 0, 0, 0, 0, 0];

/** Sixty equal pairs of a host that was renamed. */
const witness = (
  { near = [60, 0, 0, 0, 0, 0, 0], nearByChance = OTHERS, ...more }: Partial<Witness>,
  kinds: readonly DifferenceKind[] = ['host'],
): Witness => ({
  pairs: near,
  chance: nearByChance,
  near,
  nearByChance,
  self: STEADY,
  differences: new Set(kinds),
  changed: 70,
  listed: 60,
  pageless: 0,
  said: NOTHING_SAID,
  instances: 60,
  list: 5000,
  ...more,
});

const seen = (near: Seven, nearByChance: Seven = OTHERS, self: Seven = STEADY) => witness({ near, nearByChance, self });

test.each([
  ['pages that are equal', seen([60, 0, 0, 0, 0, 0, 0]), 0.98, 1],
  [
    'pages with a date, where one page has another each time',
    seen([20, 25, 12, 3, 0, 0, 0], OTHERS, [100, 200, 90, 30, 0, 0, 0]),
    0.95,
    1,
  ],
  ['the same, where one page is always as long', seen([2, 3, 5, 40, 10, 0, 0]), 0, 0.1],
  ['one in four is another page', seen([45, 0, 0, 0, 0, 5, 10]), 0, 0.1],
  ['pages that are all of one size', seen([60, 0, 0, 0, 0, 0, 0], [180, 0, 0, 0, 0, 0, 0]), 0.5, 1],
  ['pages as near as any of the template', seen([10, 10, 5, 5, 5, 15, 10], [30, 30, 15, 15, 15, 45, 30]), 0, 0.2],
] as const)('%s', (_, evidence, least, most) => {
  const found = confidenceOf(evidence);
  expect(found).toBeGreaterThanOrEqual(least);
  expect(found).toBeLessThanOrEqual(most);
});

describe('pages that hold their address many times', () => {
  const FAR: Seven = [0, 0, 0, 45, 140, 0, 0];
  const echoing = (bytes: number, kinds?: readonly DifferenceKind[]) =>
    witness({ near: FAR, echo: { pairs: [128, 56, 0, 1, 0, 0, 0], chance: OTHERS, bytes } }, kinds);

  test('are one, although their sizes differ', () => {
    expect(confidenceOf(witness({ near: FAR }))).toBeLessThan(0.1);
    expect(confidenceOf(echoing(4))).toBeGreaterThan(0.98);
  });

  test('or have a frame that is longer by a multiple, which is the more probable the fewer bytes it is of', () => {
    const found = [2, 4, 8, 16].map((bytes) => confidenceOf(echoing(bytes, ['parameter'])));
    expect(found).toEqual(found.toSorted((a, b) => a - b));
    expect(found[0]).toBeLessThan(0.8);
    expect(found[3]).toBeGreaterThan(0.95);
  });

  test.each(['language', 'mount', 'folder'] as const)('are never sure where a %s differs', (kind) => {
    expect(confidenceOf(echoing(40, [kind]))).toBeLessThanOrEqual(0.9);
  });
});

describe('at most .9', () => {
  test.each<[string, Witness]>([
    ['what only pages can tell', witness({}, ['language'])],
    ['and what differs in that, too', witness({}, ['host', 'number'])],
    ['four pairs', witness({ near: [4, 0, 0, 0, 0, 0, 0], listed: 4 })],
    ['images of which the log has hardly any', witness({ changed: 700 })],
    ['images that it has as redirects', witness({ pageless: 4 })],
    [
      'a rule that would make other pages of five',
      witness({ near: [180, 0, 0, 0, 0, 2, 5], instances: 400, list: 2000 }),
    ],
  ])('%s', (_, evidence) => {
    expect(confidenceOf(witness({}))).toBeGreaterThan(0.95);
    expect(confidenceOf(evidence)).toBeLessThanOrEqual(0.9);
  });
});

test('a tracker needs less evidence than another parameter', () => {
  const near: Seven = [5, 1, 0, 0, 0, 1, 0];
  const [tracker, parameter] = (['tracker', 'parameter'] as const).map((kind) =>
    confidenceOf(witness({ near }, [kind])),
  );
  expect(tracker).toBeGreaterThan(parameter!);
});

test('more than forty instances are not more evidence, as they are not independent', () => {
  const of = (times: number) => confidenceOf(seen([30 * times, 5 * times, 3 * times, 0, 0, 2 * times, 0]));
  expect(of(1)).toBeCloseTo(of(10), 2);
});

test('plain sizes that differ by a byte from page to page are told apart, and compressed ones that do are one page', () => {
  const equal: Seven = [60, 0, 0, 0, 0, 0, 0];
  const close: Seven = [5, 175, 0, 0, 0, 0, 0];
  const plain = witness({
    pairs: equal,
    chance: [0, 180, 0, 0, 0, 0, 0],
    near: equal,
    nearByChance: [180, 0, 0, 0, 0, 0, 0],
  });
  expect(confidenceOf(plain)).toBeGreaterThan(0.95);
  const packed = witness({ pairs: close, chance: OTHERS, near: [180, 0, 0, 0, 0, 0, 0], nearByChance: OTHERS });
  expect(confidenceOf(packed)).toBeGreaterThan(0.95);
});
