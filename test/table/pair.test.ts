import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Anchor } from '../../src/rule/rule.js';
import { eliminationKey, readPair, RowWriter, writePair, type Pair } from '../../src/table/pair.js';

const side = fc.uint8Array({ max: 5, maxLength: 4 });
const anchor = fc.constantFrom<Anchor>('none', 'start', 'end', 'both');
const count = fc.nat(2 ** 32 - 1);

const somePair: fc.Arbitrary<Pair> = fc.record({
  from: side,
  to: side,
  anchor,
  low: count,
  high: fc.oneof(fc.nat(3), count),
  against: count,
  examples: fc.array(fc.tuple(count, count), { maxLength: 3 }),
});

function keyOf(pair: Pair): Buffer {
  const row = eliminationKey(new RowWriter(), pair);
  return Buffer.from(row.bytes.subarray(0, row.length));
}

/** One side as numbers: START, then END, before every byte. */
function numbers(text: Uint8Array, ends: Anchor): number[] {
  const open = ends === 'start' || ends === 'both' ? [-2] : [];
  const close = ends === 'end' || ends === 'both' ? [-1] : [];
  return [...open, ...text, ...close];
}

function compareNumbers(a: readonly number[], b: readonly number[]): number {
  for (let k = 0; k < Math.min(a.length, b.length); k++) if (a[k] !== b[k]) return a[k]! - b[k]!;
  return a.length - b.length;
}

function inOrder(a: Pair, b: Pair): number {
  const [aFrom, bFrom] = [numbers(a.from, a.anchor), numbers(b.from, b.anchor)];
  const [aTo, bTo] = [numbers(a.to, a.anchor), numbers(b.to, b.anchor)];
  const length = bFrom.length + bTo.length - aFrom.length - aTo.length;
  return b.high - a.high || length || compareNumbers(aFrom, bFrom) || compareNumbers(aTo, bTo);
}

test('keys sort as the order of elimination says, marks and lowest bytes included', () => {
  let byText = 0;
  fc.assert(
    fc.property(somePair, somePair, (a, b) => {
      const expected = Math.sign(inOrder(a, b));
      if (a.high === b.high && expected !== 0) byText++;
      expect(Math.sign(Buffer.compare(keyOf(a), keyOf(b)))).toBe(expected);
    }),
    { numRuns: 3000 },
  );
  expect(byText).toBeGreaterThan(100);
});

test('a pair comes back from a row as it went in', () => {
  fc.assert(
    fc.property(somePair, (pair) => {
      const row = eliminationKey(new RowWriter(), pair);
      const keyEnd = row.length;
      writePair(row, pair);
      const back = readPair({ bytes: row.bytes, keyStart: 0, keyEnd, end: row.length });
      expect({ ...back, from: [...back.from], to: [...back.to] }).toEqual({
        ...pair,
        from: [...pair.from],
        to: [...pair.to],
      });
    }),
  );
});
