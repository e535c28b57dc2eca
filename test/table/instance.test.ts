import { expect, test } from 'vitest';
import { ROW, RowChunks } from '../../src/table/instance.js';
import { eachGroup } from '../../src/table/instance-groups.js';
import { seeded } from '../bench/input/random.js';

/** A row with this number as its core and these URLs. */
function rowOf(core: number, from: number, to: number): Uint8Array {
  const row = new Uint8Array(ROW);
  const view = new DataView(row.buffer);
  view.setUint32(0, core, true);
  view.setUint32(4, core * 7, true);
  view.setUint32(8, from);
  view.setUint32(12, to);
  return row;
}

const random = seeded(6);
const pick = (count: number) => Math.floor(random() * count);
const rows = Array.from({ length: 20_000 }, (_, k) => [pick(pick(2) === 0 ? 3 : 4000), pick(300), k] as const);

function chunksOf(list: typeof rows): Uint8Array[] {
  const all: Uint8Array[] = [];
  const chunks = new RowChunks(() => all.push(...chunks.take()));
  list.forEach(([core, from, to], k) => {
    chunks.add(rowOf(core, from, to), 0, ROW);
    if (k % 777 === 0) all.push(...chunks.take());
  });
  all.push(...chunks.take());
  return all;
}

test('rows are handed on once each, whenever they are taken', () => {
  const bytes = chunksOf(rows).reduce((sum, { length }) => sum + length, 0);
  expect(bytes).toBe(rows.length * ROW);
});

test('rows come in groups of one core, by their URLs, from so many on, each core in one share', () => {
  const byCore = new Map<number, string[]>();
  for (const [core, from, to] of rows.toSorted((a, b) => a[1] - b[1] || a[2] - b[2])) {
    byCore.set(core, [...(byCore.get(core) ?? []), `${from} ${to}`]);
  }
  const expected = [...byCore.values()].filter(({ length }) => length >= 3).map((group) => group.join(', '));
  const found: string[] = [];
  for (const part of [0, 1, 2]) {
    eachGroup(chunksOf(rows), { part, parts: 3 }, 3, ({ count, from, to }) => {
      found.push(Array.from({ length: count }, (_, k) => `${from[k]} ${to[k]}`).join(', '));
    });
  }
  expect(found.toSorted()).toEqual(expected.toSorted());
  expect(found.length).toBeGreaterThan(500);
});
