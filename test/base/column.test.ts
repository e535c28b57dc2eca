// A column on disk is one in memory.
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { Column, numbersOf } from '../../src/base/column.js';
import { Bits } from '../../src/base/numbers.js';
import { amount } from '../amount.js';
import { seeded } from '../bench/input/random.js';

const BLOCK = 1024;

/** Places near each other, then elsewhere. */
function* walk(length: number, steps: number, random: () => number): Generator<number> {
  for (let at = 0, step = 0; step < steps; step++) {
    at = random() < 0.1 ? Math.floor(random() * length) : (at + Math.floor(random() * 4)) % length;
    yield at;
  }
}

test.each([
  { length: 1, blocks: 0 },
  { length: BLOCK, blocks: 0 },
  { length: 3 * BLOCK + 1, blocks: 0 },
  { length: 20 * BLOCK - 7, blocks: 3 },
  { length: 20 * BLOCK + 1, blocks: 19 },
])('$length numbers with room for $blocks blocks are those of an array', ({ length, blocks }) => {
  const random = seeded(length);
  const column = new Column(length, { memoryBytes: Math.min(4 * length - 1, 4 * BLOCK * blocks), tmpdir: tmpdir() });
  expect(column.isInMemory).toBe(false);
  const twin = new Uint32Array(length);
  for (const at of walk(length, amount(100_000), random)) {
    expect(column.get(at)).toBe(twin[at]);
    const number = Math.floor(random() * 2 ** 32);
    if (random() < 0.5) column.set(at, (twin[at] = number));
    else column.add(at, (twin[at] = (twin[at]! + 1) >>> 0) === 0 ? -0xffffffff : 1);
  }
  expect([...column.each()]).toEqual([...twin]);
  column.close();
});

test('what fits is in memory, and an array is a column', () => {
  const column = new Column(100, { memoryBytes: 400, tmpdir: '/nowhere' });
  column.set(99, 7);
  column.add(99, 2);
  expect([column.isInMemory, column.get(0), column.get(99)]).toEqual([true, 0, 9]);
  const array = Uint32Array.of(4, 2);
  const numbers = numbersOf(array);
  expect([numbers.length, numbers.get(1), [...numbers.each()]]).toEqual([2, 2, [4, 2]]);
});

test('bits are those that were set', () => {
  const random = seeded(5);
  const [bits, twin] = [new Bits(1000), new Set<number>()];
  for (let k = 0; k < 300; k++) {
    const at = Math.floor(random() * 1000);
    bits.set(at);
    twin.add(at);
  }
  for (let at = 0; at < 1000; at++) expect(bits.has(at)).toBe(twin.has(at));
});
