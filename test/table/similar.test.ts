import { tmpdir } from 'node:os';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSketch, formatSketch } from '../../src/sketch/sketch.js';
import { isSimilar } from '../../src/table/similar.js';
import { SiteUrls } from '../../src/table/site-urls.js';
import { isSimilar as isSimilarToTwin, type TwinUrl } from '../twin.js';
import { siteUrlsOf, type TestRecord } from '../url-list.js';

const sketchOf = (values: Iterable<number>, w = 4, s = 128) =>
  formatSketch(createSketch(Float64Array.from(new Set(values)).sort(), w, s));
const range = (start: number, end: number) => Array.from({ length: end - start }, (_, k) => (start + k) * 1e9);

function verdict(a: Omit<TwinUrl, 'url'>, b: Omit<TwinUrl, 'url'>): boolean {
  const twins = [
    { ...a, url: 'a' },
    { ...b, url: 'b' },
  ] as const;
  const urls = siteUrlsOf(twins.flatMap(recordsOf));
  const found = isSimilar(urls, 0, 1);
  expect(isSimilar(urls, 1, 0)).toBe(found);
  expect(isSimilarToTwin(...twins)).toBe(found);
  return found;
}

/** A record for each end of the size range. */
const recordsOf = ({ url, min, max, sketch }: TwinUrl): TestRecord[] => [
  { url, ...(min !== undefined && { size: min }), ...(sketch !== undefined && { sketch }) },
  ...(max === undefined ? [] : [{ url, size: max }]),
];

describe('two URLs look like one document', () => {
  const page = sketchOf(range(0, 100));
  const full = sketchOf(range(0, 128));
  test.each<[string, Omit<TwinUrl, 'url'>, Omit<TwinUrl, 'url'>, boolean]>([
    ['by equal digests', { sketch: 'sha1:A' }, { sketch: 'sha1:A' }, true],
    ['not by different ones', { sketch: 'sha1:A' }, { sketch: 'sha1:B' }, false],
    ['by sketches that resemble', { sketch: page }, { sketch: sketchOf(range(5, 105)) }, true],
    ['not by sketches that do not', { sketch: page }, { sketch: sketchOf(range(6, 106)) }, false],
    [
      'by full sketches with 116 of 128',
      { sketch: full },
      { sketch: sketchOf([...range(0, 116), ...range(900, 912)]) },
      true,
    ],
    ['not with 115', { sketch: full }, { sketch: sketchOf([...range(0, 115), ...range(900, 913)]) }, false],
    [
      'by sketches, whatever the sizes',
      { sketch: page, min: 1 },
      { sketch: sketchOf(range(1, 100)), min: 9, max: 9 },
      true,
    ],
    [
      'by sizes, if a sketch is damaged',
      { sketch: page, min: 1, max: 5 },
      { sketch: `${page}=`, min: 6, max: 8 },
      false,
    ],
    ['if nothing is known but a damaged sketch', { sketch: page }, { sketch: `${page}=` }, true],
    ['by no sketch of other shingles', { sketch: page }, { sketch: sketchOf(range(0, 100), 5) }, false],
    ['by sizes, if only one has a sketch', { sketch: page, min: 1, max: 5 }, { min: 6, max: 8 }, false],
    ['by sizes that overlap', { min: 1, max: 5 }, { min: 5, max: 8 }, true],
    ['if nothing is known', {}, { sketch: page }, true],
  ])('%s', (_, a, b, expected) => expect(verdict(a, b)).toBe(expected));
});

test('nothing is cached from one list to the next', () => {
  const urls = new SiteUrls({
    memoryBytes: 1 << 20,
    tmpdir: tmpdir(),
    pageBytes: 1 << 12,
    stats: { runs: 0, bytes: 0 },
  });
  const verdicts = [0, 1].map((site) => {
    urls.clear(`${site}`);
    for (const start of [0, site * 50 + 1]) {
      urls.add(Buffer.from('url'), 1, -1, -1, Buffer.from(sketchOf(range(start, start + 100))));
    }
    return isSimilar(urls.freeze(), 0, 1);
  });
  expect(verdicts).toEqual([true, false]);
});

test('the twin agrees on all pairs of long lists, one list after another', () => {
  const value = fc.nat(25).map((k) => k * 1e9);
  const ours = fc
    .tuple(fc.array(value, { maxLength: 12 }), fc.constantFrom(4, 5), fc.constantFrom(128, 10))
    .map(([more, w, s]) => sketchOf([...range(0, 20), ...more], w, s));
  const broken = fc.tuple(ours, fc.nat(40), fc.constantFrom('', '-', 'A', 'zzz')).map(([text, at, mark]) => {
    return text.slice(0, at) + mark + text.slice(at + 1);
  });
  const sketch = fc.oneof({ weight: 6, arbitrary: ours }, broken, fc.constantFrom('s', 't', 'db1-', 'db1-4-128-0-'));
  const url = fc.record({ min: fc.nat(3), sketch }, { requiredKeys: [] });
  const seen = { alike: 0, unlike: 0 };
  fc.assert(
    // More URLs than decoded sketches in the cache.
    fc.property(fc.array(url, { minLength: 2, maxLength: 90, size: 'max' }), (list) => {
      const twins = list.map((one, k): TwinUrl => {
        const { min } = one;
        return { ...one, ...(min !== undefined && { max: min + 1 }), url: `${k}`.padStart(3, '0') };
      });
      const urls = siteUrlsOf(twins.flatMap(recordsOf));
      for (let a = 0; a < twins.length; a += 3) {
        for (let b = 0; b < twins.length; b += 2) {
          const expected = isSimilarToTwin(twins[a]!, twins[b]!);
          if (isSimilar(urls, a, b) !== expected) expect([twins[a], twins[b]]).toBe(expected);
          if (twins[a]!.sketch?.startsWith('db1') && twins[a]!.sketch !== twins[b]!.sketch)
            seen[expected ? 'alike' : 'unlike']++;
        }
      }
    }),
    { numRuns: 60, seed: 9 },
  );
  expect(Math.min(seen.alike, seen.unlike)).toBeGreaterThan(1000);
});
