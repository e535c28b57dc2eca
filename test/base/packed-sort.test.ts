import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_PACKED_ROWS, PackedSorter, WORDS } from '../../src/base/packed-sort.js';
import { seeded } from '../bench/input/random.js';

type Row = readonly number[];

function sorted(rows: readonly Row[], sorter = new PackedSorter()): number[] {
  sorter.sort(Uint32Array.from(rows.flat()), rows.length);
  return rows.map((_, k) => sorter.at(k));
}

function expected(rows: readonly Row[]): number[] {
  const compare = (a: Row, b: Row) => a.map((word, k) => word - b[k]!).find((difference) => difference !== 0) ?? 0;
  return Array.from(rows.keys()).toSorted((a, b) => compare(rows[a]!, rows[b]!) || a - b);
}

// Few words that differ in any byte, so that rows begin to differ at every place.
const word = fc.constantFrom(0, 1, 0x100, 0x10000, 0x1000000, 0xff000000, 0xffffffff, 0x7fffffff, 0x80000000);
const row = fc.array(word, { minLength: WORDS, maxLength: WORDS });

test('rows come in the order of their words, rows with the same words in that of their numbers', () => {
  const sorter = new PackedSorter();
  let large = 0;
  fc.assert(
    fc.property(fc.array(row, { maxLength: 150, size: 'max' }), fc.nat(WORDS), (rows, alike) => {
      const alikeFirst = rows.map((one) => [...rows[0]!.slice(0, alike), ...one.slice(alike)]);
      if (rows.length > 60) large++;
      expect(sorted(alikeFirst, sorter)).toEqual(expected(alikeFirst));
    }),
    { numRuns: 300 },
  );
  expect(large).toBeGreaterThan(30);
});

test('as many rows as a number of 16 bits can name, most of them more than once', () => {
  const random = seeded(5);
  const pick = (count: number) => Math.floor(random() * count);
  const words = new Uint32Array((MAX_PACKED_ROWS + 1) * WORDS);
  for (let row = 0; row < MAX_PACKED_ROWS; row++)
    words.set([7, 7, pick(9), pick(3), 0, pick(2 ** 12), 0, pick(3)], row * WORDS);
  const sorter = new PackedSorter();
  sorter.sort(words, MAX_PACKED_ROWS);
  let [misplaced, same] = [0, 0];
  for (let k = 1; k < MAX_PACKED_ROWS; k++) {
    const [a, b] = [sorter.at(k - 1), sorter.at(k)];
    let w = 0;
    while (w < WORDS && words[a * WORDS + w] === words[b * WORDS + w]) w++;
    if (w === WORDS) same++;
    if (w === WORDS ? a >= b : words[a * WORDS + w]! > words[b * WORDS + w]!) misplaced++;
  }
  expect(misplaced).toBe(0);
  expect(same).toBeGreaterThan(1000);
  expect(new Set(Array.from({ length: MAX_PACKED_ROWS }, (_, k) => sorter.at(k))).size).toBe(MAX_PACKED_ROWS);
  expect(() => sorter.sort(words, MAX_PACKED_ROWS + 1)).toThrow('65536 at most');
});
