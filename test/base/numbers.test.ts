// A column holds what an array would.
import { expect, test } from 'vitest';
import { Growing, greatest } from '../../src/base/numbers.js';

const range = (count: number) => Array.from({ length: count }, (_, k) => k);

test('a list grows, gives back its last number, and is copied', () => {
  const growing = new Growing();
  for (const number of range(1000)) growing.push(number);
  expect([growing.pop(), growing.length, growing.at(500)]).toEqual([999, 999, 500]);
  expect(growing.slice(990)).toEqual(Uint32Array.from(range(999).slice(990)));
});

test('the greatest of more numbers than a call may have arguments', () => {
  expect(greatest(Array.from({ length: 300_000 }, (_, k) => (k * 7919) % 300_007))).toBe(300_006);
  expect(greatest([])).toBe(-Infinity);
  expect(greatest([1, 3, 2], 5)).toBe(5);
});
