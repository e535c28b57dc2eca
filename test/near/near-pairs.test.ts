// The pairs are those of the naive way, which compares all sketches with all, however they are stored.
import { tmpdir } from 'node:os';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findNearPairs, type NearCounts, type NearOptions } from '../../src/near/near-pairs.js';
import { SketchStore } from '../../src/near/sketch-store.js';
import { createSketch, resemblance } from '../../src/sketch/sketch.js';
import { amount, isFew } from '../amount.js';
import { seeded } from '../bench/input/random.js';

interface Found {
  readonly pairs: ReadonlyMap<string, number>;
  readonly counts: NearCounts;
}

function found(sketches: readonly Float64Array[], memoryBytes: number, options: Partial<NearOptions> = {}): Found {
  const store = new SketchStore({ memoryBytes, tmpdir: tmpdir() });
  for (const minima of sketches) store.add(minima);
  store.freeze();
  const pairs = new Map<string, number>();
  const counts = findNearPairs(store, {
    threshold: 0.9,
    s: S,
    room: { memoryBytes: 1 << 20, tmpdir: tmpdir(), stats: { runs: 0, bytes: 0 } },
    isKnown: () => false,
    found: (a, b, r) => void pairs.set(`${a} ${b}`, r),
    ...options,
  });
  store.close();
  return { pairs, counts };
}

const S = 20;

function naive(sketches: readonly Float64Array[], threshold: number, s = S): Map<string, number> {
  const pairs = new Map<string, number>();
  const made = sketches.map((minima) => createSketch(minima, 4, s));
  for (let b = 0; b < made.length; b++) {
    for (let a = 0; a < b; a++) {
      const r = resemblance(made[a]!, made[b]!);
      if (r >= threshold) pairs.set(`${a} ${b}`, r);
    }
  }
  return pairs;
}

/** Some have fewer than 128 fingerprints, which are all of the page; copies can have a few more or less. */
function sitesOf(random: () => number): Float64Array[] {
  const draw = () => Math.floor(random() * 2 ** 40);
  const many = (count: number) => Array.from({ length: count }, draw);
  const sketches: Float64Array[] = [];
  for (let site = 0; site < 4; site++) {
    const template = many(Math.floor(random() * 80));
    for (let page = 0; page < 12; page++) {
      const length = random() < 0.3 ? 20 + Math.floor(random() * 120) : 150 + Math.floor(random() * 300);
      const first = [...template, ...many(length)];
      for (let copies = Math.floor(random() * 6); copies >= 0; copies--) {
        const own = first.slice(Math.floor(random() * 6));
        for (let change = Math.floor(random() * 0.09 * own.length); change > 0; change--) {
          own[Math.floor(random() * own.length)] = draw();
        }
        sketches.push(Float64Array.from(new Set(own)).sort().slice(0, 128));
      }
    }
  }
  return sketches;
}

/** Pages of a few templates with a few changes each: complete sketches and full ones. */
const fingerprint = fc.oneof(
  fc.nat(60),
  fc.nat(2 ** 40 - 1),
  fc.nat(200).map((k) => 2 ** 39 + k),
);
const page = fc.uniqueArray(fingerprint, { maxLength: 45 });
const crawl = fc
  .tuple(
    fc.array(page, { minLength: 1, maxLength: 4 }),
    fc.array(fc.tuple(fc.nat(3), fc.array(fingerprint, { maxLength: 3 }), fc.array(fc.nat(44), { maxLength: 3 })), {
      maxLength: 30,
    }),
  )
  .map(([templates, changes]) =>
    changes.map(([template, more, fewer]) => {
      const all = templates[template % templates.length]!.filter((_, at) => !fewer.includes(at));
      return Float64Array.from(new Set([...all, ...more]))
        .sort()
        .slice(0, S);
    }),
  );
const threshold = fc.constantFrom(0.05, 0.5, 0.8, 0.85, 0.9, 0.95, 1);

describe('near pairs', () => {
  test.each([
    ['in memory', 1 << 30],
    ['on disk', 0],
  ])('are the naive ones, with sketches %s', (_, memoryBytes) => {
    fc.assert(
      fc.property(crawl, threshold, (sketches, t) => {
        // Pages that share no fingerprint at all are not looked for.
        const some = sketches.filter((minima) => minima.length > 0);
        const { pairs, counts } = found(some, memoryBytes, { threshold: t });
        expect(pairs).toEqual(naive(some, t));
        expect(counts.unseen).toBe(0);
      }),
      { numRuns: amount(100, 3.5) },
    );
  });

  // Pages of sites with templates, and copies of them that differ a little more or less than the threshold allows.
  test.each([
    ['in memory', 1 << 30, 1 << 20],
    ['on disk', 0, 1 << 20],
    ['on disk, candidates too', 0, 1],
  ])('are the naive ones at the very threshold, with sketches %s', (_, storeBytes, memoryBytes) => {
    const stats = { runs: 0, bytes: 0 };
    const room = { memoryBytes, tmpdir: tmpdir(), stats };
    let [least, near, pruned] = [0, 0, 0];
    for (let seed = 0; seed < amount(12); seed++) {
      const sketches = sitesOf(seeded(seed));
      const { pairs, counts } = found(sketches, storeBytes, { s: 128, room });
      const expected = naive(sketches, 0.9, 128);
      expect(pairs).toEqual(expected);
      least += [...expected.values()].filter((r) => r < 0.91).length;
      near += expected.size;
      pruned += (sketches.length * (sketches.length - 1)) / 2 - counts.compared;
    }
    expect(least).toBeGreaterThan(amount(12) * 5);
    expect(pruned).toBeGreaterThan(2 * near);
  });

  test.skipIf(isFew)('over many chunks on disk', () => {
    const sketches = Array.from({ length: 60_000 }, (_, k) =>
      Float64Array.from({ length: S }, (_, at) => ((k % 30_000) * S + at) * 1_000 + (at === 5 ? k : 0)).sort(),
    );
    const { pairs, counts } = found(sketches, 0);
    expect(pairs.size).toBe(30_000);
    expect([...pairs.keys()].every((pair) => Number(pair.split(' ')[1]) - Number(pair.split(' ')[0]) === 30_000)).toBe(
      true,
    );
    expect(counts.compared).toBeLessThan(70_000);
  });

  test('of a long list are counted where they were not looked at', () => {
    // Ten fingerprints of the template, and none of their own: each lacks another one.
    const sketches = Array.from({ length: 400 }, (_, k) =>
      Float64Array.from({ length: S }, (_, at) => at * 7 + (at === k % S ? 1 + k : 0)).sort(),
    );
    const { pairs, counts } = found(sketches, 1 << 30, { maxList: 10 });
    const all = naive(sketches, 0.9);
    for (const [pair, r] of pairs) expect(all.get(pair)).toBe(r);
    const lost = all.size - pairs.size;
    expect(counts.longLists).toBeGreaterThan(0);
    expect(counts.unseen).toBeGreaterThanOrEqual(lost);
    // At .1 each list has nearly all of them, but a pair of ten lists is one pair.
    const low = found(sketches, 1 << 30, { maxList: 10, threshold: 0.1 });
    expect(low.counts.unseen).toBeLessThanOrEqual((400 * 399) / 2);
  });
});
