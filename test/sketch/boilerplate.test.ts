import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isFew } from '../amount.js';
import { Boilerplate, MAX_PAGES, MIN_PAGES } from '../../src/sketch/boilerplate.js';
import type { TextDocument } from '../../src/sketch/document.js';
import { htmlDocument, textDocument, wordsOf } from './sample.js';

let made = 0;
const documentWith = (values: readonly number[], isComplete = true): TextDocument => {
  const fingerprints = Float64Array.from(new Set(values)).sort();
  return { kind: 'text', digest: `sha256:${made++}`, fingerprints, isComplete };
};

/** Pages with nothing in common. */
function addPages(boilerplate: Boilerplate, count: number, from = 1e9): void {
  for (let k = 0; k < count; k++) boilerplate.add(documentWith([from + boilerplate.pages]));
}

describe('a shingle is boilerplate', () => {
  test('on more than 5 % of the pages', () => {
    const boilerplate = new Boilerplate();
    for (let k = 0; k < 6; k++) boilerplate.add(documentWith(k < 5 ? [1, 2, 100 + k] : [2, 100 + k]));
    addPages(boilerplate, 94);
    expect(boilerplate.pages).toBe(100);
    expect([1, 2, 100, 3].map((value) => boilerplate.has(value))).toEqual([false, true, false, false]);
  });

  test('only once there are enough pages', () => {
    const boilerplate = new Boilerplate();
    for (let k = 0; k < MIN_PAGES; k++) {
      expect(boilerplate.has(1)).toBe(false);
      boilerplate.add(documentWith([1, 100 + k]));
    }
    expect(boilerplate.has(1)).toBe(true);
  });

  test('on three of forty pages, but not on two', () => {
    const boilerplate = new Boilerplate();
    for (let k = 0; k < 3; k++) boilerplate.add(documentWith(k < 2 ? [1, 2, 100 + k] : [2, 100 + k]));
    addPages(boilerplate, 37);
    expect([1, 2].map((value) => boilerplate.has(value))).toEqual([false, true]);
  });

  test('not if its page has many names', () => {
    const boilerplate = new Boilerplate();
    const page = textDocument(wordsOf('own', 30));
    for (let k = 0; k < 10; k++) {
      boilerplate.add(page);
      // The same text in other bytes.
      boilerplate.add(htmlDocument(wordsOf('own', 30), `<!-- ${k} -->`));
    }
    expect(boilerplate.pages).toBe(1);
    addPages(boilerplate, 60);
    expect(page.fingerprints.some((value) => boilerplate.has(value))).toBe(false);
  });

  test('by the pages that could have it', () => {
    // A page that is not complete says nothing about fingerprints beyond its last one.
    const boilerplate = new Boilerplate();
    for (let k = 0; k < 60; k++) boilerplate.add(documentWith([10, 1000 + k], false));
    for (let k = 0; k < 50; k++) boilerplate.add(documentWith(k < 4 ? [10, 5000, 6000 + k] : [6000 + k]));
    expect(boilerplate.pages).toBe(110);
    expect(boilerplate.has(10)).toBe(true);
    expect(boilerplate.has(5000)).toBe(true); // 4 of 50; it would not be of 110
    const toTheLast = new Boilerplate();
    for (let k = 0; k < 60; k++) toTheLast.add(documentWith([k, 5000], false));
    expect(toTheLast.has(5000)).toBe(true);
    const mostlyCut = new Boilerplate();
    for (let k = 0; k < 60; k++) mostlyCut.add(documentWith([1000 + k], false));
    for (let k = 0; k < 30; k++) mostlyCut.add(documentWith([5000, 6000 + k]));
    expect(mostlyCut.has(5000)).toBe(false); // 30 pages are too few
  });
});

test('pages without text, or beyond the limit, are not counted', () => {
  const boilerplate = new Boilerplate();
  boilerplate.add({ kind: 'bytes', digest: 'sha256:' });
  expect(boilerplate.pages).toBe(0);
  addPages(boilerplate, MAX_PAGES);
  for (let k = 0; k < 50; k++) boilerplate.add(documentWith([1, 2e9 + k]));
  expect(boilerplate.pages).toBe(MAX_PAGES);
  expect(boilerplate.has(1)).toBe(false);
});

test.skipIf(isFew)('counts are those of a map, however many fingerprints there are', () => {
  // Fingerprints with equal low bits have the same slot in the table.
  const value = fc.tuple(fc.nat(40), fc.nat(5)).map(([low, high]) => high * 2 ** 32 + low * 4096);
  let [boiled, kept] = [0, 0];
  fc.assert(
    fc.property(fc.array(fc.array(value, { maxLength: 12 }), { minLength: 40, maxLength: 90 }), (pages) => {
      const boilerplate = new Boilerplate();
      const counts = new Map<number, number>();
      pages.forEach((values, k) => {
        const document = documentWith([
          ...values,
          2 ** 39 + k,
          ...Array.from({ length: 60 }, (_, n) => 2 ** 38 + 64 * k + n),
        ]);
        boilerplate.add(document);
        for (const one of document.fingerprints) counts.set(one, (counts.get(one) ?? 0) + 1);
      });
      for (const [one, count] of counts) {
        const expected = count > Math.max(2, pages.length * 0.05);
        expect(boilerplate.has(one)).toBe(expected);
        if (expected) boiled++;
        else kept++;
      }
    }),
    { numRuns: 20, seed: 2 },
  );
  expect(boiled).toBeGreaterThan(100);
  expect(kept).toBeGreaterThan(10_000);
});
