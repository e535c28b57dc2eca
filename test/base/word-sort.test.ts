import { tmpdir } from 'node:os';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { WordSorter, type WordReader } from '../../src/base/word-sort.js';

const KEY = 2;
const WIDTH = 4;

function rowsOf(reader: WordReader): number[][] {
  const rows: number[][] = [];
  while (reader.next()) rows.push(Array.from(reader.words.subarray(reader.at, reader.at + WIDTH)));
  return rows;
}

const word = fc.oneof(fc.nat(2), fc.nat(2), fc.constantFrom(0x7fff_ffff, 0x8000_0000, 0xffff_ffff));

test('rows come out by key, equal ones in input order, each time; rows with a unique first word may be left out', () => {
  const seen = { runs: 0, merges: 0, inMemory: 0, alone: 0 };
  fc.assert(
    fc.property(
      fc.array(fc.tuple(word, word, word), { maxLength: 400, size: 'max' }),
      fc.constantFrom(100, 1000, 9000, 1 << 20),
      (keys, memoryBytes) => {
        const stats = { runs: 0, bytes: 0 };
        const sorter = new WordSorter(WIDTH, KEY, { memoryBytes, tmpdir: tmpdir(), stats });
        const rows = keys.map((row, k) => [...row, k]);
        for (const row of rows) {
          const at = sorter.add();
          sorter.words.set(row, at);
        }
        const byKey = rows.toSorted((a, b) => a[0]! - b[0]! || a[1]! - b[1]! || a[3]! - b[3]!);
        const isShared = (row: readonly number[]) => rows.filter((other) => other[0] === row[0]).length > 1;
        const reader = sorter.finish();
        for (let round = 0; round < 2; round++) {
          expect(rowsOf(reader).filter(isShared)).toEqual(byKey.filter(isShared));
          reader.rewind();
        }
        const left = rowsOf(reader);
        expect(byKey.filter((row) => left.some((kept) => kept[3] === row[3]))).toEqual(left);
        reader.close();
        if (stats.runs === 0) seen.inMemory++;
        seen.runs += stats.runs;
        if (stats.runs > 2 && memoryBytes < 4096) seen.merges++;
        seen.alone += rows.length - byKey.filter(isShared).length;
      },
    ),
    { numRuns: 150, seed: 6 },
  );
  for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(20);
});
