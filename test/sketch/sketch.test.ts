import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSketch, formatSketch, isAlike, parseSketch, resemblance, type Sketch } from '../../src/sketch/sketch.js';
import { FINGERPRINT_LIMIT } from '../../src/sketch/shingle.js';
import { seeded } from './sample.js';

const columnOf = (values: Iterable<number>) => Float64Array.from(new Set(values)).sort();
const fingerprint = fc.oneof(
  fc.nat(30),
  fc.maxSafeNat().map((value) => value % FINGERPRINT_LIMIT),
);
const page = fc.array(fingerprint, { maxLength: 60, size: 'max' }).map(columnOf);
const sketch: fc.Arbitrary<Sketch> = fc
  .tuple(page, fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 40 }))
  .map(([all, w, s]) => createSketch(all, w, s));

/** |A ∩ B| / |A ∪ B|. */
function jaccard(a: Float64Array, b: Float64Array): number {
  const inB = new Set(b);
  const shared = a.filter((value) => inB.has(value)).length;
  return shared / (a.length + b.length - shared);
}

/** CS345's r', as written there. */
function estimate(a: Sketch, b: Sketch, s: number): number {
  const [inA, inB] = [new Set(a.minima), new Set(b.minima)];
  const smallest = [...new Set([...inA, ...inB])].sort((x, y) => x - y).slice(0, s);
  return smallest.filter((value) => inA.has(value) && inB.has(value)).length / smallest.length;
}

/** Two pages of `union` shingles together, of which about `share` are in both. */
function twoPages(random: () => number, union: number, share: number): [Float64Array, Float64Array] {
  const [a, b]: [number[], number[]] = [[], []];
  for (let k = 0; k < union; k++) {
    const value = Math.floor(random() * FINGERPRINT_LIMIT);
    const isShared = random() < share;
    const side = random() < 0.5 ? a : b;
    if (isShared || side === a) a.push(value);
    if (isShared || side === b) b.push(value);
  }
  return [columnOf(a), columnOf(b)];
}

describe('the resemblance of two sketches', () => {
  test('is symmetric, in [0, 1], and 1 of a sketch with itself', () => {
    fc.assert(
      fc.property(sketch, sketch, (a, b) => {
        const r = resemblance(a, b);
        expect(resemblance(b, a)).toBe(r);
        expect(r >= 0 && r <= 1).toBe(true);
        expect(resemblance(a, a)).toBe(1);
      }),
    );
  });

  test('is that of CS345', () => {
    let sampled = 0;
    fc.assert(
      fc.property(page, page, fc.integer({ min: 1, max: 20 }), (pageA, pageB, s) => {
        fc.pre(pageA.length >= s || pageB.length >= s);
        const [a, b] = [createSketch(pageA, 4, s), createSketch(pageB, 4, s)];
        expect(resemblance(a, b)).toBe(estimate(a, b, s));
        if (pageA.length > s && pageB.length > s) sampled++;
      }),
      { numRuns: 500 },
    );
    expect(sampled).toBeGreaterThan(100);
  });

  test('is exact if the sketches have all fingerprints of the pages', () => {
    fc.assert(
      fc.property(page, page, (a, b) => {
        fc.pre(a.length + b.length > 0);
        // Their union may well have more than the size of one.
        expect(resemblance(createSketch(a, 4, 61), createSketch(b, 4, 61))).toBe(jaccard(a, b));
      }),
    );
  });

  test('of different sizes is that of the smaller', () => {
    fc.assert(
      fc.property(page, page, fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 20 }), (a, b, small, more) => {
        fc.pre(a.length >= small);
        const expected = estimate(createSketch(a, 4, small), createSketch(b, 4, small), small);
        expect(resemblance(createSketch(a, 4, small), createSketch(b, 4, small + more))).toBe(expected);
      }),
    );
  });

  test('of two empty pages is 1, of one with any other 0', () => {
    const [none, some] = [createSketch(columnOf([])), createSketch(columnOf([1]))];
    expect(resemblance(none, none)).toBe(1);
    expect(resemblance(none, some)).toBe(0);
  });

  test('of shingles of different length is 0', () => {
    expect(resemblance(createSketch(columnOf([1]), 3), createSketch(columnOf([1]), 4))).toBe(0);
  });

  test('suffices at 0.9', () => {
    const ten = Array.from({ length: 10 }, (_, k) => k);
    expect(isAlike(createSketch(columnOf(ten)), createSketch(columnOf(ten.slice(1))))).toBe(true);
    expect(isAlike(createSketch(columnOf(ten)), createSketch(columnOf(ten.slice(2))))).toBe(false);
  });

  test.each([0.2, 0.5, 0.9, 0.95])(
    'at r = %f is estimated without bias, with a standard error of sqrt(r(1-r)/s)',
    (r) => {
      const random = seeded(11);
      const pairs = 600;
      let [sum, squares] = [0, 0];
      for (let k = 0; k < pairs; k++) {
        const [a, b] = twoPages(random, 1500, r);
        const error = resemblance(createSketch(a), createSketch(b)) - jaccard(a, b);
        sum += error;
        squares += error ** 2;
      }
      expect(Math.abs(sum / pairs)).toBeLessThan(0.005);
      // Drawn without replacement from a finite page, so a little less.
      const expected = Math.sqrt((r * (1 - r)) / 128);
      expect(Math.sqrt(squares / pairs) / expected).toBeGreaterThan(0.85);
      expect(Math.sqrt(squares / pairs) / expected).toBeLessThan(1.1);
    },
  );
});

describe('the text form of a sketch', () => {
  test('is read back unchanged', () => {
    fc.assert(
      fc.property(sketch, (one) => {
        expect(parseSketch(formatSketch(one))).toEqual(one);
      }),
    );
  });

  test('fits into a column without being quoted', () => {
    const random = seeded(5);
    const full = formatSketch(
      createSketch(columnOf(Array.from({ length: 200 }, () => Math.floor(random() * 2 ** 40)))),
    );
    expect(full).toMatch(/^db1-4-128-128-[A-Za-z0-9_-]{854}$/);
    expect(formatSketch(createSketch(columnOf([1, 0x123456789a])))).toBe('db1-4-128-2-AAAAAAESNFZ4mg');
    expect(formatSketch(createSketch(columnOf([])))).toBe('db1-4-128-0-');
  });

  const [first, second] = ['AAAAAAE', 'EjRWeJo'].map((text) => Buffer.from(text, 'base64url')) as [Buffer, Buffer];
  const both = Buffer.concat([first, second]).toString('base64url');
  const swapped = Buffer.concat([second, first]).toString('base64url');
  const twice = Buffer.concat([first, first]).toString('base64url');
  test('is read if it is one', () => expect(parseSketch(`db1-4-128-2-${both}`)?.minima).toHaveLength(2));
  test.each([
    '',
    'db1-4-128-2',
    `db2-4-128-2-${both}`,
    ` db1-4-128-2-${both}`,
    `db1-4-128-2-${both}\n`,
    `db1-4-128-2-${both}=`,
    `db1-4-128-2-${both.slice(0, -1)}`,
    `db1-4-128-2-${both.slice(0, 7)}`,
    `db1-4-128-2-${both.slice(0, -1)}h`,
    `db1-4-128-2-${both.slice(0, 5)} ${both.slice(5)}`,
    `db1-4-128-2-${both.replace(/.$/, '+')}`,
    `db1-4-128-1-${both}`,
    `db1-4-128-3-${both}`,
    `db1-4-1-2-${both}`,
    `db1-0-128-2-${both}`,
    `db1-4-0-0-`,
    `db1-04-128-2-${both}`,
    `db1-4-128-02-${both}`,
    `db1-4-128-2-${swapped}`,
    `db1-4-128-2-${twice}`,
    'sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ',
    'd41d8cd98f00b204e9800998ecf8427e',
  ])('is not %j', (text) => expect(parseSketch(text)).toBeUndefined());

  test('is canonical: what is read is written the same', () => {
    const parts = fc.constantFrom(
      'db1-',
      '4-',
      '128-',
      '1-',
      '0-',
      '',
      'AAAAAAE',
      'AAAAAAF',
      '__',
      '=',
      '\n',
      '\ud800',
    );
    const texts = fc.oneof(
      fc.string(),
      fc.array(parts, { maxLength: 6 }).map((list) => list.join('')),
    );
    let read = 0;
    fc.assert(
      fc.property(texts, (text) => {
        const found = parseSketch(text);
        if (found === undefined) return;
        read++;
        expect(formatSketch(found)).toBe(text);
      }),
      { numRuns: 20_000, seed: 1, examples: [['db1-4-128-1-AAAAAAE'], ['db1-4-128-1-AAAAAAF']] },
    );
    expect(read).toBeGreaterThan(0);
  });

  test('has at most 1,000 characters', () => {
    const sized = (s: number) => formatSketch(createSketch(columnOf(Array.from({ length: s }, (_, k) => k)), 99, s));
    expect(parseSketch(sized(147))?.minima).toHaveLength(147);
    expect(parseSketch(sized(148))).toBeUndefined();
  });

  test('truncated anywhere is not one', () => {
    const text = formatSketch(createSketch(columnOf(Array.from({ length: 12 }, (_, k) => k * 1e9))));
    for (let end = 0; end < text.length; end++) expect(parseSketch(text.slice(0, end))).toBeUndefined();
  });
});
