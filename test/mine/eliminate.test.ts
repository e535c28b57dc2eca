import fc from 'fast-check';
import { expect, test } from 'vitest';
import { coreHash, eliminateRedundancies } from '../../src/mine/eliminate.js';
import { rankScore, swapsOneWord, wilsonLower } from '../../src/mine/rank.js';
import { refinesPair } from '../../src/rule/refine.js';
import type { Pair } from '../../src/table/pair.js';

function pair(from: string, to: string, high = 10, anchor: Pair['anchor'] = 'none'): Pair {
  const bytes = (text: string) => Buffer.from(text, 'latin1');
  return { from: bytes(from), to: bytes(to), anchor, low: high, high, against: 0, examples: [] };
}

const text = fc.array(fc.constantFrom('a', 'b', '/', '.', 'ab'), { maxLength: 5 }).map((parts) => parts.join(''));

/** As SPEC 1 writes pairs; the text is ASCII. */
const isLonger = (a: string, b: string) => a.length > b.length || (a.length === b.length && a > b);

test('pairs that refine one another have one core hash', () => {
  let refining = 0;
  let turned = 0;
  fc.assert(
    fc.property(text, text, text, text, (before, after, one, other) => {
      fc.pre(one !== other);
      const [from, to] = isLonger(one, other) ? [one, other] : [other, one];
      const [broad, fine] = [pair(from, to), pair(before + from + after, before + to + after)];
      if (!refinesPair(fine, broad)) return;
      refining++;
      if (to === '' && from.length > 1) turned++;
      expect(coreHash(fine)).toBe(coreHash(broad));
    }),
    { numRuns: 5000 },
  );
  expect(refining).toBeGreaterThan(1000);
  expect(turned).toBeGreaterThan(100);
});

const left = (pairs: readonly Pair[], options = {}) =>
  Array.from(eliminateRedundancies(pairs, { MRD: 0.05, MAD: 1, MW: 1100, ...options }), ({ from }) =>
    Buffer.from(from).toString(),
  );

test('the refining pair stays, whichever of the two comes first', () => {
  const [fine, broad] = [pair('/index.html', '/', 10), pair('index.html', '', 10)];
  expect(left([fine, broad])).toEqual(['/index.html']);
  expect(left([{ ...broad, high: 11 }, fine])).toEqual(['/index.html']);
});

test('a pair of clearly larger support is not taken for its refinement', () => {
  expect(left([pair('index.html', '', 12), pair('/index.html', '/', 10)])).toHaveLength(2);
  expect(left([pair('index.html', '', 100), pair('/index.html', '/', 95)])).toHaveLength(1);
  expect(left([pair('index.html', '', 100), pair('/index.html', '/', 94)])).toHaveLength(2);
});

test('the window counts every pair, eliminated ones too', () => {
  const list = [pair('/x.y', '/'), pair('x.y', ''), pair('q', 'r'), pair('/q', '/r')];
  expect(left(list, { MW: 1 })).toEqual(['/x.y', '/q']);
  const apart = [pair('/x.y', '/'), pair('q', 'r'), pair('x.y', '')];
  expect(left(apart, { MW: 1 })).toHaveLength(3);
  expect(left(apart, { MW: 2 })).toHaveLength(2);
  expect(left(apart, { MW: 0 })).toHaveLength(3);
});

test.each([
  [3, 0, 0.438503],
  [9, 1, 0.59585],
  [100, 0, 0.963006],
  [0, 5, 0],
  [0, 0, 0],
])('%d for and %d against have the lower Wilson bound %d', (low, against, bound) => {
  expect(wilsonLower(low, against)).toBeCloseTo(bound, 5);
});

test('confidence prefers many clean instances, support only many', () => {
  expect(rankScore(50, 0, 'confidence')).toBeGreaterThan(rankScore(60, 60, 'confidence'));
  expect(rankScore(50, 0, 'support')).toBeLessThan(rankScore(60, 60, 'support'));
});

test.each([
  ['lect1', 'lect2', true],
  ['/da/', '/fr/', true],
  ['movie-forum', 'politics-forum', true],
  ['=2', '=1', true],
  ['a', 'ab', true],
  ['\u00e4', 'b', true],
  ['.html', '', false],
  ['/index.html', '/', false],
  ['story?id=', 'story_', false],
  ['/da/x', '/fr/y', false],
  ['-', '_', false],
  ['x.a.a', 'x.a', false],
  ['a/b', 'b', false],
])('%s → %s puts one word in the place of another: %s', (from, to, expected) => {
  const sides = { from: Buffer.from(from), to: Buffer.from(to) };
  expect(swapsOneWord(sides)).toBe(expected);
  const [plain, swapped] = [rankScore(30, 0, 'likeliness'), rankScore(30, 0, 'likeliness', sides)];
  expect(swapped < plain).toBe(expected);
});
