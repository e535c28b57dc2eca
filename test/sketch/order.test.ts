// The order of common text, compared with how the words were made.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isInOrder } from '../../src/sketch/order.js';

const line = (k: number) => `entry ${k} of the list costs ${k * 17} and weighs ${k * 31}`;
const text = (lines: readonly number[]) => lines.map(line).join('\n');
const upTo = (count: number) => Array.from({ length: count }, (_, k) => k);

describe('two texts of the same lines', () => {
  test('are in order if they are equal, or with one line more, less or moved', () => {
    const lines = upTo(30);
    expect(isInOrder(text(lines), text(lines))).toBe(true);
    expect(isInOrder(text(lines), text(lines.slice(3)))).toBe(true);
    expect(isInOrder(text(lines), text([29, ...lines.slice(0, 29)]))).toBe(true);
  });

  test('are not if one begins in the middle, or is backwards', () => {
    const lines = upTo(30);
    expect(isInOrder(text(lines), text([...lines.slice(12), ...lines.slice(0, 12)]))).toBe(false);
    expect(isInOrder(text(lines), text(lines.toReversed()))).toBe(false);
  });

  test('give the same answer either way round', () => {
    let disordered = 0;
    fc.assert(
      fc.property(fc.shuffledSubarray(upTo(20), { minLength: 10 }), (lines) => {
        const [a, b] = [text(upTo(20)), text(lines)];
        expect(isInOrder(a, b)).toBe(isInOrder(b, a));
        if (!isInOrder(a, b)) disordered++;
      }),
    );
    expect(disordered).toBeGreaterThan(10);
  });
});

test('texts that have nothing in common are in order', () => {
  expect(isInOrder('', '')).toBe(true);
  expect(isInOrder('one two three four five', 'six seven eight nine ten')).toBe(true);
});
