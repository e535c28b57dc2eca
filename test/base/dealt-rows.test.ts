// Rows come back part by part, in the order in which they came, whatever fits in memory.
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { DealtRows } from '../../src/base/dealt-rows.js';
import { seeded } from '../bench/input/random.js';

const PARTS = 7;

test.each([
  ['in memory', 1 << 24, false],
  ['on disk', 1 << 14, true],
  ['with no memory', 0, true],
])('rows are read as they were dealt, %s', (_, memoryBytes, isOnDisk) => {
  const random = seeded(3);
  const stats = { runs: 0, bytes: 0 };
  const dealt = new DealtRows(PARTS, 2, { memoryBytes, tmpdir: tmpdir(), stats });
  const expected: number[][] = Array.from({ length: PARTS }, () => []);
  for (let row = 0; row < 40_000; row++) {
    // Most are in one part, and none in another.
    const part = random() < 0.6 ? 2 : Math.floor(random() * (PARTS - 1));
    const at = dealt.add(part);
    dealt.words[at] = row;
    dealt.words[at + 1] = ~row;
    expected[part]!.push(row, ~row >>> 0);
  }
  let target: Uint32Array = new Uint32Array(10);
  for (let part = 0; part < PARTS; part++) {
    const words = 2 * dealt.rowsOf(part);
    target = dealt.read(part, target);
    expect(Array.from(target.subarray(0, words))).toEqual(expected[part]);
    const read: number[] = [];
    for (const block of dealt.blocksOf(part)) read.push(...block);
    expect(read).toEqual(expected[part]);
    dealt.drop(part);
    expect(dealt.rowsOf(part)).toBe(0);
  }
  expect(stats.bytes > 0).toBe(isOnDisk);
  dealt.close();
});
