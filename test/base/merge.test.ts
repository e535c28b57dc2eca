import fc from 'fast-check';
import { expect, test } from 'vitest';
import { u8At } from '../../src/base/heap.js';
import { mergeSorted, type SortedRun } from '../../src/base/merge.js';
import { eachRow, ROW_HEADER, rowAt, writeU32, type HeapRowReader, type Row } from '../../src/base/row.js';

/** A run in memory: rows with these keys and payloads, the keys ascending, at some offset of a file. */
function runOf(rows: readonly (readonly [key: Uint8Array, payload: string])[], start = 0): SortedRun {
  const parts: Uint8Array[] = [Buffer.alloc(start, 0xff)];
  for (const [key, payload] of rows) {
    const head = new Uint8Array(ROW_HEADER);
    writeU32(head, 0, key.length);
    writeU32(head, 4, key.length + payload.length);
    parts.push(head, key, Buffer.from(payload));
  }
  const bytes = Buffer.concat(parts);
  const read = (target: Uint8Array, position: number) => {
    const part = bytes.subarray(position, position + target.length);
    target.set(part);
    return part.length;
  };
  return { file: { read }, start, end: bytes.length };
}

function shown({ bytes, keyStart, keyEnd, end }: Row): string {
  const text = Buffer.from(bytes.subarray(keyStart, end)).toString('latin1');
  return `${text.slice(0, keyEnd - keyStart)}|${text.slice(keyEnd - keyStart)}`;
}

/** Reads rows one by one, or in blocks, alternately. */
function* taken(reader: HeapRowReader, turns: readonly number[]): Generator<string> {
  for (let turn = 0; ; turn++) {
    const count = turns[turn % turns.length]!;
    for (let k = 0; k < count; k++) {
      const row = reader.next();
      if (row === undefined) return;
      yield shown(row);
    }
    if (count > 0 && turn % 2 === 0) continue;
    const rows = reader.nextRows();
    if (rows.length === 0) return;
    for (const row of rows) yield shown(rowAt(u8At(row, 20_000), 0));
  }
}

const key = fc.oneof(
  fc.uint8Array({ maxLength: 4, max: 2 }),
  fc.tuple(fc.constantFrom(7, 8, 9, 40), fc.uint8Array({ maxLength: 9, max: 1 })).map(([length, rest]) => {
    return Uint8Array.of(...new Uint8Array(length), ...rest);
  }),
);
const payload = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('', 'x', 'yy') },
  { weight: 1, arbitrary: fc.constantFrom('z'.repeat(4000), 'z'.repeat(4088), 'z'.repeat(9000)) },
);
const rows = fc
  .array(fc.tuple(key, payload), { maxLength: 60 })
  .map((list) => list.toSorted(([a], [b]) => Buffer.compare(a, b)));

test('rows come in the order of their keys, equal ones in the order of their runs, however they are read', () => {
  const places = fc.constantFrom(0, 1, 5000);
  const manyRuns = fc.array(fc.tuple(rows, places), { maxLength: 12 });
  const turns = fc.array(fc.nat({ max: 5 }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(manyRuns, fc.constantFrom(1, 20_000, 1 << 24), turns, (runs, memoryBytes, some) => {
      const expected = runs
        .flatMap(([list], run) => list.map(([one, text], at) => ({ one, run, at, text })))
        .toSorted((a, b) => Buffer.compare(a.one, b.one) || a.run - b.run || a.at - b.at)
        .map(({ one, text }) => `${Buffer.from(one).toString('latin1')}|${text}`);
      const reader = mergeSorted(
        runs.map(([list, place]) => runOf(list, place)),
        memoryBytes,
      );
      expect([...taken(reader, some)]).toEqual(expected);
      expect(reader.next()).toBeUndefined();
      expect(reader.nextRows()).toHaveLength(0);
      reader.close();
    }),
    { numRuns: 300 },
  );
});

test('so do rows of five hundred interleaved runs', () => {
  const runs = Array.from({ length: 500 }, (_, run) =>
    runOf(Array.from({ length: 40 }, (__, k) => [Buffer.from(String(10_000_000 + k * 500 + run)), ''] as const)),
  );
  const found = Array.from(eachRow(mergeSorted(runs, 1)), shown);
  expect(found).toEqual(Array.from({ length: 20_000 }, (_, k) => `${10_000_000 + k}|`));
});

test('a run that ends too early is an error, at its beginning and later', () => {
  const whole = runOf(Array.from({ length: 3000 }, (_, k) => [Buffer.from(String(10_000 + k)), 'x'] as const));
  for (const missing of [1, 9, 5000]) {
    const read = (target: Uint8Array, position: number) =>
      whole.file.read(target.subarray(0, Math.max(0, whole.end - missing - position)), position);
    const cut = { ...whole, file: { read } };
    expect(() => Array.from(eachRow(mergeSorted([cut, whole], 1)))).toThrow(/sorted run ends \d+ bytes early/);
  }
  const few = { ...whole, end: whole.end - 1 };
  expect(() => Array.from(eachRow(mergeSorted([few], 1 << 20)))).toThrow(/sorted run ends 1 bytes early/);
});
