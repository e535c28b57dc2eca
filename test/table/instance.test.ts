import { expect, test } from 'vitest';
import { ROW, RowChunks, sortable } from '../../src/table/instance.js';
import { countShares, eachGroup } from '../../src/table/instance-groups.js';
import { LOW, SIMILAR } from '../../src/table/shape.js';
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
  const chunks = new RowChunks('own', () => all.push(...chunks.take()));
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

test('rows come in groups of one core, by their URLs, from so many witnesses on, each core in one share', () => {
  const byCore = new Map<number, { urls: string[]; witnesses: number }>();
  for (const [core, from, to, flags] of rows.toSorted((a, b) => a[1] - b[1] || a[2] - b[2])) {
    const group = byCore.get(core) ?? { urls: [], witnesses: 0 };
    group.urls.push(`${from} ${to}`);
    group.witnesses += flags === (LOW | SIMILAR) ? 1 : 0;
    byCore.set(core, group);
  }
  const expected = [...byCore.values()].filter(({ witnesses }) => witnesses >= 2).map(({ urls }) => urls.join(', '));
  const found: string[] = [];
  const counts = countShares(chunksOf(rows), 3);
  for (const part of [0, 1, 2]) {
    let inShare = 0;
    eachGroup(chunksOf(rows), { part, parts: 3 }, 2, ({ count, from, to }) => {
      found.push(Array.from({ length: count }, (_, k) => `${from[k]} ${to[k]}`).join(', '));
    });
    eachGroup(chunksOf(rows), { part, parts: 3 }, 0, ({ count }) => (inShare += count));
    expect(inShare).toBe(counts[part]);
  }
  expect(found.toSorted()).toEqual(expected.toSorted());
  expect(found.length).toBeGreaterThan(500);
});
