// Near duplicates by their sketches, compared with all pairs.
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { decodeText, encodeText } from '../../src/base/bytes.js';
import type { LabelledUrl } from '../../src/report/measure-labels.js';
import { clustersOf, eachByCluster } from '../../src/report/measure-near.js';
import { createSketch, formatSketch, isAlike, type Sketch } from '../../src/sketch/sketch.js';
import { seededRandom } from '../planted.js';

/** Pages that share most of their minima with one of a few templates, or with an earlier page. */
function plantedSketches(seed: number, count: number, s = 128): Sketch[] {
  const random = seededRandom(seed);
  const some = (n: number) => Array.from({ length: n }, () => Math.floor(random() * 2 ** 40));
  const pages: number[][] = [];
  return Array.from({ length: count }, () => {
    const size = [0, 1, 5, 12, 60, 200][Math.floor(random() * 6)]!;
    const base = pages.length === 0 || random() < 0.3 ? some(size) : pages[Math.floor(random() * pages.length)]!;
    const changed = random() * 0.2;
    const page = base.map((minimum) => (random() < changed ? some(1)[0]! : minimum));
    pages.push(page);
    const w = random() < 0.1 ? 3 : 4;
    return createSketch(Float64Array.from(new Set(page)).sort(), w, s);
  });
}

function naive(sketches: readonly Sketch[]): number[] {
  const root = sketches.map((_, at) => at);
  for (const [a, left] of sketches.entries()) {
    for (let b = 0; b < a; b++) {
      if (!isAlike(left, sketches[b]!) || root[a] === root[b]) continue;
      const [one, other] = [Math.min(root[a]!, root[b]!), Math.max(root[a]!, root[b]!)];
      root.forEach((of, at) => of === other && (root[at] = one));
    }
  }
  return root;
}

test.each([1, 2, 3, 4, 5, 6])('clusters are those of comparing all pairs, seed %i', (seed) => {
  const sketches = plantedSketches(seed, 400, seed % 2 === 0 ? 128 : 16);
  const clusters = clustersOf(sketches);
  expect(Array.from(clusters)).toEqual(naive(sketches));
  const sizes = new Map<number, number>();
  for (const root of clusters) sizes.set(root, (sizes.get(root) ?? 0) + 1);
  expect(sizes.size).toBeGreaterThan(50);
  expect(Math.max(...sizes.values())).toBeGreaterThan(10);
});

test('labels of near duplicates become one, and all others stay as they are', () => {
  const page = Float64Array.from({ length: 128 }, (_, at) => 1000 * at);
  const [one, near, far] = [0, 5, 60].map((changed) =>
    formatSketch(createSketch(page.map((minimum, at) => (at < changed ? minimum + 1 : minimum)))),
  ) as [string, string, string];
  const labels = [one, near, far, 'sha1:X', 'sha1:X', 'db1-cut', undefined, near];
  const urls = labels.map((label, at): LabelledUrl => ({
    site: at < 4 ? 'a.test' : '',
    url: Uint8Array.of(0x2f, at, 0x80),
    label: label === undefined ? undefined : encodeText(label),
  }));
  const out = [...eachByCluster(urls, { memoryBytes: 4096, tmpdir: tmpdir() })].toSorted(
    (a, b) => a.url[1]! - b.url[1]!,
  );
  expect(out.map(({ label }) => label && decodeText(label))).toEqual([
    one,
    one,
    far,
    'sha1:X',
    'sha1:X',
    'db1-cut',
    undefined,
    one,
  ]);
  expect(out.map(({ site, url }) => [site, ...url])).toEqual(urls.map(({ site, url }) => [site, ...url]));
});
