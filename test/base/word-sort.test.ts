import { tmpdir } from 'node:os';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { WordSorter, type WordReader } from '../../src/base/word-sort.js';

const KEY = 2;
const WIDTH = 4;

function rowsOf(reader: WordReader): number[][] {
  const rows: number[][] = [];
  while (reader.next()) rows.push(Array.from(reader.words));
  return rows;
}

const word = fc.oneof(fc.nat(2), fc.nat(2), fc.constantFrom(0x7fff_ffff, 0x8000_0000, 0xffff_ffff));

test('rows come out by key, equal ones in input order, each time they are read', () => {
  const seen = { runs: 0, merges: 0, inMemory: 0 };
  fc.assert(
    fc.property(
      fc.array(fc.tuple(word, word, word), { maxLength: 400, size: 'max' }),
      fc.constantFrom(100, 1000, 9000, 1 << 20),
      (keys, memoryBytes) => {
        const stats = { runs: 0, bytes: 0 };
        const sorter = new WordSorter(WIDTH, KEY, { memoryBytes, tmpdir: tmpdir(), stats });
        const rows = keys.map((row, k) => [...row, k]);
        for (const row of rows) {
          sorter.row.set(row);
          sorter.add();
        }
        const byKey = rows.toSorted((a, b) => a[0]! - b[0]! || a[1]! - b[1]! || a[3]! - b[3]!);
        const reader = sorter.finish();
        const some = Math.floor(rows.length / 2);
        for (let k = 0; k < some; k++) reader.next();
        for (let round = 0; round < 2; round++) {
          reader.rewind();
          expect(rowsOf(reader)).toEqual(byKey);
        }
        reader.close();
        if (stats.runs === 0) seen.inMemory++;
        seen.runs += stats.runs;
        if (stats.runs > 2 && memoryBytes < 4096) seen.merges++;
      },
    ),
    { numRuns: 150, seed: 6 },
  );
  for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(20);
});
