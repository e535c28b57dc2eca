import fc from 'fast-check';
import { expect, test } from 'vitest';
import { REPEATED, Shapes } from '../../src/table/shape.js';

/** Few values, so that shapes differ in one of them. */
const number = fc.constantFrom(0, 0, 0, 0, 0, 0, 1, 65_000);
const packed = fc.tuple(number, number);
const shape = fc.tuple(packed, packed, packed, packed, fc.constantFrom(0, 0, 0, 7));
const pack = ([low, high]: readonly [number, number]) => low | (high << 16);

test('equal shapes have one number, others another, whatever came before in the same table', () => {
  const shapes = new Shapes();
  let most = 0;
  fc.assert(
    fc.property(fc.array(shape, { maxLength: 300, size: 'max' }), (list) => {
      shapes.clear();
      const numbers = new Map<string, number>();
      for (const [lengths, a, b, e, flags] of list) {
        const key = String([lengths, a, b, e, flags]);
        const found = shapes.numberOf(pack(lengths), pack(a), pack(b), pack(e), flags);
        expect(found).toBe(numbers.get(key) ?? numbers.size);
        numbers.set(key, found);
        expect([shapes.fromBytes[found], shapes.toBytes[found]]).toEqual(lengths);
        expect([shapes.aLow[found], shapes.aHigh[found]]).toEqual(a);
        expect([shapes.bLow[found], shapes.bHigh[found]]).toEqual(b);
        expect([shapes.eLow[found], shapes.eHigh[found]]).toEqual(e);
        expect(shapes.flags[found]).toBe(flags);
      }
      expect(shapes.count).toBe(numbers.size);
      most = Math.max(most, numbers.size);
    }),
    { numRuns: 20 },
  );
  expect(most).toBeGreaterThan(150);
});

test('a repeated shape is another one, and stays it', () => {
  const shapes = new Shapes();
  const one = shapes.numberOf(1, 2, 3, 4, 5);
  const repeated = shapes.repeated(one);
  expect(repeated).not.toBe(one);
  expect(shapes.repeated(repeated)).toBe(repeated);
  expect(shapes.flags[repeated]).toBe(5 | REPEATED);
  expect(shapes.aLow[repeated]).toBe(2);
});
