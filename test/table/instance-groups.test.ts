import { expect, test } from 'vitest';
import { sortable } from '../../src/table/instance.js';
import { eachGroup, sharesOf } from '../../src/table/instance-groups.js';
import { LOW, SIMILAR } from '../../src/table/shape.js';
import { seeded } from '../bench/input/random.js';

const random = seeded(6);
const pick = (count: number) => Math.floor(random() * count);

/** A row with this number as its core and these URLs. */
function rowOf(core: number, from: number, to: number, flags: number): number[] {
  return [core, core * 7, sortable(from), sortable(to), flags << 16, 0, 0, 0, 0];
}

const rows = Array.from(
  { length: 20_000 },
  (_, k) => [pick(pick(2) === 0 ? 3 : 4000), pick(300), (k * 7919) % 20_000, pick(4)] as const,
);

function chunksOf(list: typeof rows): Uint8Array[] {
  return Array.from({ length: Math.ceil(list.length / 777) }, (_, k) => {
    const words = Int32Array.from(list.slice(k * 777, (k + 1) * 777).flatMap((row) => rowOf(...row)));
    return new Uint8Array(words.buffer);
  });
}

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
  const shares = sharesOf(chunksOf(rows), 3, 10 * rows.length);
  expect(shares).toHaveLength(3);
  for (const share of shares) {
    eachGroup(chunksOf(rows), { share, least: 2 }, ({ count, from, to }) => {
      found.push(Array.from({ length: count }, (_, k) => `${from[k]} ${to[k]}`).join(', '));
    });
  }
  expect(found.toSorted()).toEqual(expected.toSorted());
  expect(found.length).toBeGreaterThan(500);
});
