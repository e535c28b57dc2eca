import { readdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { UserError } from '../../src/base/error.js';
import { giveBack, newU8, u8At } from '../../src/base/heap.js';
import { SpillSorter } from '../../src/base/spill.js';
import { isFew } from '../amount.js';

const keys = fc.array(fc.uint8Array({ maxLength: 5, max: 2 }), { maxLength: 400, size: 'max' });

function sortThrough(rows: readonly Uint8Array[], memoryBytes: number, folder = tmpdir()) {
  const stats = { runs: 0, bytes: 0 };
  const sorter = new SpillSorter({ memoryBytes, tmpdir: folder }, stats);
  rows.forEach((key, index) => {
    const row = Buffer.concat([key, Buffer.from(String(index))]);
    sorter.add(row, 0, row.length, key.length);
  });
  const out: string[] = [];
  const reader = sorter.finish();
  for (let row = reader.next(); row !== undefined; row = reader.next()) {
    const key = Buffer.from(row.bytes.subarray(row.keyStart, row.keyEnd)).toString('hex');
    out.push(`${key}:${Buffer.from(row.bytes.subarray(row.keyEnd, row.end)).toString()}`);
  }
  reader.close();
  return { out, stats };
}

function inMemory(rows: readonly Uint8Array[]): string[] {
  return Array.from(rows.keys())
    .toSorted((a, b) => Buffer.compare(rows[a]!, rows[b]!) || a - b)
    .map((index) => `${Buffer.from(rows[index]!).toString('hex')}:${index}`);
}

test('rows come out by key, equal keys in the order they came, whatever the memory', () => {
  let mostRuns = 0;
  fc.assert(
    fc.property(keys, fc.constantFrom(64, 300, 2000, 1 << 20), (rows, memoryBytes) => {
      const { out, stats } = sortThrough(rows, memoryBytes);
      mostRuns = Math.max(mostRuns, stats.runs);
      expect(out).toEqual(inMemory(rows));
    }),
  );
  expect(mostRuns).toBeGreaterThan(24);
});

const longKeys = fc.array(
  fc
    .tuple(fc.constantFrom(0, 7, 8, 9, 100), fc.constantFrom(0, 1), fc.uint8Array({ maxLength: 20, max: 1 }))
    .map(([length, byte, rest]) => Buffer.concat([Buffer.alloc(length, byte), rest])),
  { maxLength: 400, size: 'max' },
);

test('long keys with long common prefixes come out in order too, also if they end in zeros', () => {
  fc.assert(
    fc.property(longKeys, fc.constantFrom(3000, 1 << 20), (rows, memoryBytes) => {
      expect(sortThrough(rows, memoryBytes).out).toEqual(inMemory(rows));
    }),
  );
});

test.skipIf(isFew).each([
  ['one key', () => 'x'.repeat(50)],
  ['ascending keys', (k: number) => String(k).padStart(9, '0')],
  ['keys of two', (k: number) => `${'y'.repeat(30)}${k % 2}`],
  ['zeros of all lengths', (k: number) => '\0'.repeat((k * 7) % 61)],
] as const)('a hundred thousand rows of %s are in order', (_, keyOf) => {
  const rows = Array.from({ length: 100_000 }, (__, k) => Buffer.from(keyOf(k)));
  expect(sortThrough(rows, 1 << 26).out).toEqual(inMemory(rows));
});

test('rows are the same one by one and as blocks of the heap, and their memory is freed', () => {
  const first = newU8(1 << 16);
  giveBack(first);
  for (const memoryBytes of [1 << 20, 2000]) {
    for (let round = 0; round < 20; round++) {
      const sorter = new SpillSorter({ memoryBytes, tmpdir: tmpdir() });
      for (let k = 0; k < 300; k++) sorter.add(Buffer.from(String((k * 7919) % 300).padStart(9)), 0, 9, 9);
      const reader = sorter.finish();
      expect(reader.next()).toBeDefined();
      const found: number[] = [];
      for (let rows = reader.nextRows(); rows.length > 0; rows = reader.nextRows()) {
        for (const at of rows) found.push(Number(Buffer.from(u8At(at + 8, 9)).toString()));
      }
      reader.close();
      expect(found).toEqual(Array.from({ length: 299 }, (__, k) => k + 1));
    }
  }
  const last = newU8(1 << 16);
  expect(last.byteOffset).toBe(first.byteOffset);
  giveBack(last);
});

test('rows can be read alternately one by one and in blocks, none twice and none missing', () => {
  for (const memoryBytes of [1 << 24, 20_000]) {
    const sorter = new SpillSorter({ memoryBytes, tmpdir: tmpdir() });
    for (let k = 0; k < 30_000; k++) sorter.add(Buffer.from(String((k * 7919) % 30_000).padStart(9)), 0, 9, 9);
    const reader = sorter.finish();
    const found: number[] = [];
    for (let row = reader.next(); row !== undefined; row = reader.next()) {
      found.push(Number(Buffer.from(row.bytes.slice(row.keyStart, row.keyEnd)).toString()));
      for (const at of reader.nextRows()) found.push(Number(Buffer.from(u8At(at + 8, 9)).toString()));
    }
    reader.close();
    expect(found).toEqual(Array.from({ length: 30_000 }, (_, k) => k));
  }
});

test('more runs than the merge can take are merged in several passes', () => {
  const rows = Array.from({ length: 3000 }, (_, k) => Buffer.from(String((k * 7919) % 3001)));
  const { out, stats } = sortThrough(rows, 40);
  expect(stats.runs).toBe(3000);
  expect(out).toEqual(inMemory(rows));
});

test('rows longer than a block are in order among short ones, in memory and on disk', () => {
  // Around the 65,536 bytes of a block, and far more rows than one holds.
  const lengths = Array.from({ length: 9000 }, (_, k) => (k % 300 === 0 ? 65_520 + k / 300 : (k * 7919) % 90));
  const rows = lengths.map((length, k) => Buffer.alloc(length, (k * 31) % 251));
  for (const memoryBytes of [1 << 26, 1 << 19]) {
    const { out, stats } = sortThrough(rows, memoryBytes);
    expect(stats.runs > 0).toBe(memoryBytes < 1 << 20);
    expect(out).toEqual(inMemory(rows));
  }
});

test('a row longer than the whole memory passes through', () => {
  const rows = [Buffer.alloc(100_000, 1), Buffer.alloc(3, 2), Buffer.alloc(100_000, 0)];
  expect(sortThrough(rows, 1000).out).toEqual(inMemory(rows));
});

test('scratch files have no names, so none can be left over', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dustbuster-test-'));
  const sorter = new SpillSorter({ memoryBytes: 100, tmpdir: folder });
  for (let k = 0; k < 100; k++) sorter.add(Buffer.from(String(k)), 0, 1, 1);
  expect(readdirSync(folder)).toEqual([]);
  sorter.finish().close();
  rmSync(folder, { recursive: true });
});

test('a missing scratch folder is an error for the user', () => {
  expect(() => sortThrough([Buffer.of(1), Buffer.of(2)], 20, '/nonexistent-folder')).toThrow(UserError);
});
