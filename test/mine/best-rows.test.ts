import { tmpdir } from 'node:os';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BestRows } from '../../src/mine/best-rows.js';

/** A row is its key, a slash and its number, and some bytes more. */
interface Row {
  readonly key: string;
  readonly text: string;
}

const rows = fc
  .array(fc.tuple(fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 6 }), fc.nat(9)), {
    maxLength: 200,
    size: 'max',
  })
  .map((drawn) => drawn.map(([key, more], at): Row => ({ key, text: `/${at}/${'x'.repeat(more)}` })));

interface Most {
  readonly rules: number;
  readonly bytes: number;
}

const most = fc.record({
  rules: fc.constantFrom(0, 1, 2, 7, 50, 150, Infinity),
  bytes: fc.constantFrom(0, 9, 60, 500, Infinity),
});

/** The best of all rows, which are sorted first. */
function bestOfAll(all: readonly Row[], { rules, bytes }: Most): string[] {
  const sorted = all.toSorted((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)));
  const best: string[] = [];
  let sum = 0;
  for (const { key, text } of sorted) {
    sum += text.length;
    if (best.length === rules || sum > bytes) break;
    best.push(key + text);
  }
  return best;
}

test('the best rows are those of a sort of all, and a row that is not wanted is none of them', () => {
  let unwanted = 0;
  fc.assert(
    fc.property(rows, most, fc.constantFrom(200, 1 << 20), fc.boolean(), (all, wanted, memoryBytes, asks) => {
      const stats = { runs: 0, bytes: 0 };
      const ranked = new BestRows(wanted, { memoryBytes, tmpdir: tmpdir(), stats });
      for (const { key, text } of all) {
        const row = Buffer.from(key + text);
        if (ranked.wants(row, key.length)) ranked.add(row, row.length, key.length);
        else {
          unwanted++;
          if (!asks) ranked.add(row, row.length, key.length);
        }
      }
      const best = Array.from(ranked.best(), ({ bytes, keyStart, end }) =>
        Buffer.from(bytes.subarray(keyStart, end)).toString(),
      );
      expect(best).toEqual(bestOfAll(all, wanted));
      expect(ranked.rules).toBeGreaterThanOrEqual(best.length);
      expect(ranked.rules).toBeLessThanOrEqual(Math.max(1, 2 * wanted.rules));
    }),
  );
  expect(unwanted).toBeGreaterThan(0);
});
