// The pairs by spot signatures are those of the naive way, however they are stored and cut into blocks.
import { tmpdir } from 'node:os';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BagStore, FEATURE_WORDS, HEAD_WORDS } from '../../src/near/bag-store.js';
import { countFrequencies } from '../../src/near/near-spots.js';
import { sizedBags, type Window } from '../../src/near/sized-bags.js';
import { findSpotPairs, type SpotPairCounts, type SpotPairOptions } from '../../src/near/spot-pairs.js';
import { bagOf } from '../../src/sketch/spots.js';
import { amount } from '../amount.js';

type Pages = readonly (readonly number[])[];

interface Room {
  readonly storeBytes: number;
  readonly tableBytes: number;
  readonly sortBytes: number;
  readonly blockBytes: number;
}

const AMPLE: Room = { storeBytes: 1 << 26, tableBytes: 1 << 24, sortBytes: 1 << 20, blockBytes: 1 << 24 };
const TIGHT: Room = { storeBytes: 0, tableBytes: 0, sortBytes: 4096, blockBytes: 1 };
const ALL: Window = { minIdf: 0, maxIdf: 1, minSize: 1 };

function found(pages: Pages, threshold: number, window: Window, room: Room, options: Partial<SpotPairOptions> = {}) {
  const store = new BagStore({ memoryBytes: room.storeBytes, tmpdir: tmpdir() });
  for (const [page, occurrences] of pages.entries()) store.add(page, bagOf(Float64Array.from(occurrences)));
  countFrequencies(store, room.tableBytes);
  const stats = { runs: 0, bytes: 0 };
  const { file, small } = sizedBags(store, window, { memoryBytes: room.sortBytes, tmpdir: tmpdir(), stats });
  const pairs = new Map<string, number>();
  const counts: SpotPairCounts = findSpotPairs(file, {
    threshold,
    memoryBytes: room.blockBytes,
    isKnown: () => false,
    found: (a, b, r) => {
      expect(pairs.has(`${a} ${b}`)).toBe(false);
      pairs.set(`${a} ${b}`, r);
    },
    ...options,
  });
  file.close();
  store.close();
  return { pairs, counts, small };
}

/** All with all, by the definitions. */
function naive(pages: Pages, threshold: number, { minIdf, maxIdf, minSize }: Window): Map<string, number> {
  const df = new Map<number, number>();
  for (const page of pages) for (const print of new Set(page)) df.set(print, (df.get(print) ?? 0) + 1);
  const isIn = (print: number) => {
    const idf = Math.log((pages.length + 1) / df.get(print)!) / Math.log(pages.length + 1);
    return idf >= minIdf && idf <= maxIdf;
  };
  const left = pages.map((page) => page.filter(isIn));
  const pairs = new Map<string, number>();
  for (let b = 0; b < left.length; b++) {
    for (let a = 0; a < b; a++) {
      if (left[a]!.length < minSize || left[b]!.length < minSize) continue;
      const sim = similarity(left[a]!, left[b]!);
      if (sim >= threshold) pairs.set(`${a} ${b}`, sim);
    }
  }
  return pairs;
}

function similarity(a: readonly number[], b: readonly number[]): number {
  let [least, most] = [0, 0];
  for (const print of new Set([...a, ...b])) {
    const [inA, inB] = [a, b].map((page) => page.filter((one) => one === print).length) as [number, number];
    least += Math.min(inA, inB);
    most += Math.max(inA, inB);
  }
  return least / most;
}

/** The same lower or upper bits, and any. */
const print = fc.oneof(
  fc.nat(30),
  fc.nat(12).map((k) => k * 2 ** 32 + 7),
  fc.nat(2 ** 40 - 1),
);
/** Pages of a few templates with a few changes each, some features several times; also the empty one. */
const crawl = fc
  .tuple(
    fc.array(fc.array(print, { maxLength: 40 }), { minLength: 1, maxLength: 4 }),
    fc.array(fc.tuple(fc.nat(3), fc.array(print, { maxLength: 4 }), fc.array(fc.nat(39), { maxLength: 4 })), {
      minLength: 8,
      maxLength: 30,
    }),
  )
  .map(([templates, changes]) =>
    changes.map(([template, more, fewer]) => [
      ...templates[template % templates.length]!.filter((_, at) => !fewer.includes(at)),
      ...more,
    ]),
  );
const threshold = fc.constantFrom(0.05, 0.5, 0.7, 0.8, 0.85, 0.9, 0.95, 1);
const window = fc.constantFrom(ALL, { minIdf: 0.2, maxIdf: 0.85, minSize: 4 }, { minIdf: 0.1, maxIdf: 1, minSize: 3 });

describe('pairs by spot signatures', () => {
  test.each([
    ['with all in memory', AMPLE],
    ['with nothing in memory, and blocks of one page', TIGHT],
    ['with blocks of some pages', { ...TIGHT, blockBytes: 3000 }],
  ])('are the naive ones, %s', (_, room) => {
    let pairs = 0;
    fc.assert(
      fc.property(crawl, threshold, window, (pages, t, w) => {
        const expected = naive(pages, t, w);
        pairs += expected.size;
        expect(found(pages, t, w, room).pairs).toEqual(expected);
      }),
      { numRuns: amount(1500) },
    );
    expect(pairs).toBeGreaterThan(amount(600));
  });

  test('are found where the bound of the seed’s line 17 would leave the list', () => {
    // The first two of the longer page are the rarest, and come first.
    const rest = [11, 12, 13, 14, 15, 16, 17, 18];
    const pages = [[1, 2, ...rest], rest];
    expect(found(pages, 0.8, ALL, AMPLE).pairs).toEqual(new Map([['0 1', 0.8]]));
  });

  test.each([0.05, 0.8, 0.85, 1])('of made pages of all sizes, at the very threshold %f', (t) => {
    // Every size with every number of changes: the largest pages that still resemble a page, and the next larger ones.
    const pages = Array.from({ length: 40 }, (_, size) => Array.from({ length: size }, (_, k) => 100 + k));
    const others = pages.map((page, k) => page.map((one, at) => (at < k % 7 ? one + 1000 * k : one)));
    const all = [...pages, ...others, ...pages.map((page) => [...page, ...page])];
    for (const room of [AMPLE, TIGHT]) expect(found(all, t, ALL, room).pairs).toEqual(naive(all, t, ALL));
  });

  test('compares few of very many pages', () => {
    const pages = Array.from({ length: 6000 }, (_, k) =>
      Array.from({ length: 40 }, (_, at) =>
        at < 20 ? at : 1000 + (k >> 1) * 40 + at + (at === 39 ? (k % 2) * 0.5e9 : 0),
      ),
    );
    const { pairs, counts } = found(pages, 0.85, { minIdf: 0.2, maxIdf: 1, minSize: 4 }, { ...TIGHT, blockBytes: 1e6 });
    expect(pairs.size).toBe(3000);
    expect(counts.compared).toBeLessThan(3100);
    expect(counts.blocks).toBeGreaterThan(3);
    expect(counts.cut).toBe(0);
  });

  test('of very common features are counted where not all were looked at, the same in any memory', () => {
    const pages = Array.from({ length: 200 }, (_, k) =>
      Array.from({ length: 10 }, (_, at) => (at === k % 10 ? 50 + (k % 3) : at)),
    );
    const limits = { maxList: 20, neighbours: 30 };
    const [ample, tight] = [AMPLE, TIGHT].map((room) => found(pages, 0.8, ALL, room, limits));
    expect(tight!.pairs).toEqual(ample!.pairs);
    expect(tight!.counts.cut).toBe(ample!.counts.cut);
    const all = naive(pages, 0.8, ALL);
    for (const [pair, sim] of ample!.pairs) expect(all.get(pair)).toBe(sim);
    expect(ample!.pairs.size).toBeLessThan(all.size);
    expect(ample!.counts.cut).toBeGreaterThan(0);
  });
});

describe('document frequencies', () => {
  test('are those of the naive way, in any part of the memory', () => {
    const pages = Array.from({ length: 3000 }, (_, k) => [k * 2 ** 20, k, 7, 7, (k % 40) * 2 ** 32, 2 ** 33 + (k % 9)]);
    const df = new Map<number, number>();
    for (const page of pages) for (const one of new Set(page)) df.set(one, (df.get(one) ?? 0) + 1);
    for (const [storeBytes, tableBytes] of [
      [1 << 26, 1 << 24],
      [0, 0],
    ] as const) {
      const store = new BagStore({ memoryBytes: storeBytes, tmpdir: tmpdir() });
      for (const [page, occurrences] of pages.entries()) store.add(page, bagOf(Float64Array.from(occurrences)));
      countFrequencies(store, tableBytes);
      let features = 0;
      for (const words of store.chunks('read')) {
        for (let at = 0; at < words.length;) {
          const end = at + HEAD_WORDS + FEATURE_WORDS * words[at + 1]!;
          for (let f = at + HEAD_WORDS; f < end; f += FEATURE_WORDS, features++) {
            const own = (words[f + 1]! & 0xff) * 2 ** 32 + words[f]!;
            if (words[f + 1]! >>> 8 !== df.get(own)) expect([own, words[f + 1]! >>> 8]).toEqual([own, df.get(own)]);
          }
          at = end;
        }
      }
      expect(features).toBe(store.features);
      store.close();
    }
  });
});

test('noise changes the resemblance by at most 2η / (1 + 2η), where pages share no noise (LITERATURE 5.2)', () => {
  const part = (from: number) => fc.array(fc.integer({ min: from, max: from + 20 }), { minLength: 1, maxLength: 30 });
  const noise = fc.array(fc.nat(9), { maxLength: 30 });
  fc.assert(
    fc.property(part(1000), part(1000), noise, noise, (contentA, contentB, noiseA, noiseB) => {
      const a = [...contentA, ...noiseA];
      const b = [...contentB, ...noiseB];
      const eta = Math.max(noiseA.length / contentA.length, noiseB.length / contentB.length);
      const bound = (2 * eta) / (1 + 2 * eta);
      expect(Math.abs(similarity(a, b) - similarity(contentA, contentB))).toBeLessThanOrEqual(bound + 1e-9);
    }),
    { numRuns: amount(2000) },
  );
});
