import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isFew } from '../amount.js';
import { coreHash, eliminateRedundancies } from '../../src/mine/eliminate.js';
import { likelinessOf } from '../../src/mine/likeliness.js';
import { NO_EVIDENCE } from '../../src/mine/evidence.js';
import { rankScore, swapsOneWord, wilsonLower } from '../../src/mine/rank.js';
import { refinesPair } from '../../src/rule/refine.js';
import type { Pair } from '../../src/table/pair.js';
import { inEliminationOrder } from '../pair-order.js';
import { twinLikely } from '../twin.js';

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

test('the refining pair is kept, whichever of the two comes first', () => {
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

/**
 * From few letters, contexts and supports, so that most refine others and most tie; both sides have one core or a few.
 */
const someOptions = fc.record({
  MRD: fc.constantFrom(0, 0.05, 0.3),
  MAD: fc.constantFrom(0, 1, 3),
  MW: fc.constantFrom(0, 1, 2, 3, 8, 1100),
});
const somePart = fc.constantFrom('a', 'b', '/', '.', 'ab', '', '');
const someContext = fc.array(somePart, { maxLength: 3 }).map((parts) => parts.join(''));
const somePair = (cores: readonly (readonly [string, string])[]) =>
  fc
    .record({
      core: fc.constantFrom(...cores),
      before: someContext,
      after: someContext,
      high: fc.integer({ min: 3, max: 9 }),
      anchor: fc.constantFrom<Pair['anchor']>('none', 'none', 'start', 'end', 'both'),
    })
    .map(({ core: [one, other], before, after, high, anchor }) => {
      const sides = [one, other].map((side) => before + side + after) as [string, string];
      if (!isLonger(...sides)) sides.reverse();
      return pair(...sides, high, anchor);
    });
const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');
const saying = ({ from, to, anchor }: Pick<Pair, 'from' | 'to' | 'anchor'>) =>
  [latin1(from), latin1(to), anchor].join(' ');
test.each([
  [
    'of few cores',
    [
      ['a', ''],
      ['a', 'b'],
      ['/', '.'],
      ['.a', '/b'],
    ],
  ],
  ['of one core', [['a', 'b']]],
  [
    'that repeat',
    [
      ['a', ''],
      ['aa', 'a'],
      ['a/a', 'a'],
      ['/', ''],
      ['//', '/'],
      ['a/', ''],
    ],
  ],
] as const)('on random lists of pairs %s what stays is what Figure 2 leaves', (_, cores) => {
  const seen = { gone: 0, edge: 0, byRefiner: 0 };
  const someList = fc.uniqueArray(somePair(cores), { maxLength: 60, size: 'max', selector: saying });
  fc.assert(
    fc.property(someList, someOptions, (list, options) => {
      const sorted = list.toSorted(inEliminationOrder);
      const stays = Array.from(eliminateRedundancies(sorted, options), saying);
      const asTwin = list.map((of) => ({ ...of, from: latin1(of.from), to: latin1(of.to) }));
      const expected = twinLikely(asTwin, options).map(({ from, to, anchor }) => [from, to, anchor].join(' '));
      expect(stays).toEqual(expected);
      seen.gone += list.length - stays.length;
      if (options.MW < 4 && stays.length < list.length) seen.edge++;
      const gone = sorted.map((of) => !stays.includes(saying(of)));
      const isRefinedLater = (broad: Pair, k: number) =>
        gone[k] && sorted.some((fine, j) => j > k && !gone[j] && refinesPair(fine, broad));
      if (sorted.some(isRefinedLater)) seen.byRefiner++;
    }),
    { numRuns: 400, seed: 7 },
  );
  for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(10);
});

test.skipIf(isFew)(
  'a hundred thousand pairs of one core that do not refine one another need less than one comparison each',
  () => {
    const list = Array.from({ length: 100_000 }, (_, k) => pair(`/x${k}/y?page=1`, `/x${k}/y?page=2`, 3));
    expect(left(list)).toHaveLength(list.length);
  },
);

test.each([
  [3, 0, 0.438503],
  [9, 1, 0.59585],
  [100, 0, 0.963006],
  [0, 5, 0],
  [0, 0, 0],
])('%d for and %d against have the lower Wilson bound %d', (low, against, bound) => {
  expect(wilsonLower(low, against)).toBeCloseTo(bound, 5);
});

test('confidence prefers many clean instances, support only many, likeliness what is likely, in steps of a fiftieth', () => {
  expect(rankScore(50, 0, 0.1, 'confidence')).toBeGreaterThan(rankScore(60, 60, 0.9, 'confidence'));
  expect(rankScore(50, 0, 0.9, 'support')).toBeLessThan(rankScore(60, 60, 0.1, 'support'));
  expect(rankScore(50, 0, 0.1, 'likeliness')).toBeLessThan(rankScore(3, 60, 0.9, 'likeliness'));
  expect(rankScore(50, 0, 0.995, 'likeliness')).toBe(rankScore(3, 60, 0.991, 'likeliness'));
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
])('%s → %s replaces one word by another: %s', (from, to, expected) => {
  const sides = { from: Buffer.from(from), to: Buffer.from(to) };
  expect(swapsOneWord(sides)).toBe(expected);
  expect(likelinessOf(NO_EVIDENCE, sides) < likelinessOf(NO_EVIDENCE, 'remove')).toBe(expected);
});
