import { expect, test } from 'vitest';
import { ROW, RowChunks, sortable } from '../../src/table/instance.js';
import { seeded } from '../bench/input/random.js';

/** A row with this number as its core and these URLs. */
function rowOf(core: number, from: number, to: number, flags: number): Int32Array {
  return Int32Array.of(core, core * 7, sortable(from), sortable(to), flags << 16, 0, 0, 0, 0);
}

const random = seeded(6);
const pick = (count: number) => Math.floor(random() * count);
const rows = Array.from(
  { length: 20_000 },
  (_, k) => [pick(pick(2) === 0 ? 3 : 4000), pick(300), (k * 7919) % 20_000, pick(4)] as const,
);

function chunksOf(list: typeof rows): Uint8Array[] {
  const all: Uint8Array[] = [];
  const chunks = new RowChunks(() => all.push(...chunks.take()));
  list.forEach(([core, from, to, flags], k) => {
    chunks.add(rowOf(core, from, to, flags));
    if (k % 777 === 0) all.push(...chunks.take());
  });
  all.push(...chunks.take());
  return all;
}

test('rows are handed on once each, whenever they are taken', () => {
  const bytes = chunksOf(rows).reduce((sum, { length }) => sum + length, 0);
  expect(bytes).toBe(rows.length * ROW);
});
