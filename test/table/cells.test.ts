import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Cells, isIn } from '../../src/table/cells.js';
import { BORDERED, LOW, REPEATED, Shapes, SIMILAR } from '../../src/table/shape.js';

const range = (most: number, wide = 4) =>
  fc.tuple(fc.nat(most), fc.nat(wide)).map(([low, more]) => [low, low + more] as const);
const box = fc.record({ a: range(4), b: range(4), e: range(6, 12), low: fc.boolean() });
/** A pair of URLs: similar or not, with its boxes; several may have cells in common. */
const pair = fc.record({ similar: fc.boolean(), boxes: fc.array(box, { minLength: 1, maxLength: 4 }) });
const pack = ([low, high]: readonly [number, number]) => low | (high << 16);

test('each pair of URLs counts once in each cell that it has, for the best of its instances', () => {
  const cells = new Cells();
  const seen = { counted: 0, together: 0 };
  fc.assert(
    fc.property(
      fc.array(pair, { minLength: 3, maxLength: 12, size: 'max' }),
      range(4),
      range(4),
      fc.nat(3),
      (pairs, [aLow, aHigh], [bLow, bHigh], more) => {
        const shapes = new Shapes();
        const shaped = pairs.map(({ similar, boxes }) =>
          boxes.map(({ a, b, e, low }) => {
            const flags = (similar ? SIMILAR : 0) | (low ? LOW : 0) | (boxes.length > 1 ? BORDERED | REPEATED : 0);
            return shapes.numberOf(0, pack(a), pack(b), pack(e), flags);
          }),
        );
        cells.begin({ aLow, aHigh, bLow, bHigh });
        for (const [first, ...others] of shaped) {
          if (others.length === 0) {
            cells.add(shapes, first!, 1 + more);
            continue;
          }
          cells.nextPair();
          for (const shape of [first!, ...others]) cells.addRepeated(shapes, shape);
        }
        const found: string[] = [];
        cells.each(1, (a, b, low, high, against) => found.push(`${a} ${b}: ${low} ${high} ${against}`));
        const expected: string[] = [];
        for (let a = aLow; a <= aHigh; a++) {
          for (let b = bLow; b <= bHigh; b++) {
            let [low, high, against] = [0, 0, 0];
            for (const list of shaped) {
              const flags = list.filter((shape) => isIn(shapes, shape, a, b)).map((shape) => shapes.flags[shape]!);
              const times = list.length === 1 ? 1 + more : 1;
              if (flags.length === 0) continue;
              if (flags.length > 1) seen.together++;
              if ((flags[0]! & SIMILAR) === 0) against += times;
              else high += times;
              if (flags.some((flag) => (flag & LOW) !== 0 && (flag & SIMILAR) !== 0)) low += times;
            }
            if (low >= 1) expected.push(`${a} ${b}: ${low} ${high} ${against}`);
          }
        }
        expect(found).toEqual(expected);
        seen.counted += expected.length;
      },
    ),
    { numRuns: 500 },
  );
  expect(seen.counted).toBeGreaterThan(1000);
  expect(seen.together).toBeGreaterThan(1000);
});
