import fc from 'fast-check';
import { expect, test } from 'vitest';
import { collectGarbage } from '../../src/base/garbage.js';
import { SameTexts } from '../../src/base/same-texts.js';
import { amount } from '../amount.js';

const word = fc.string({ minLength: 1, maxLength: 2, unit: fc.constantFrom('a', 'b', 'ä') });

test('texts and pairs stay equal to what they were, however few are remembered', () => {
  const pairs = fc.array(fc.tuple(word, word));
  fc.assert(
    fc.property(pairs, fc.integer({ min: 1, max: 5 }), (all, most) => {
      const texts = new SameTexts(most);
      for (const pair of all) {
        expect(texts.pair(pair)).toEqual(pair);
        expect(texts.text(pair[1])).toBe(pair[1]);
      }
    }),
    { numRuns: amount(300) },
  );
});

test('a pair that recurs is the one object of before', () => {
  const texts = new SameTexts();
  const first = texts.pair(['http://a/', 'http://b/']);
  expect(texts.pair(['http://a/', 'http://b/'])).toBe(first);
  expect(texts.pair(['http://a/', 'http://c/'])).not.toBe(first);
});

test('texts that recur take the memory of one', () => {
  const texts = new SameTexts();
  const [plain, shared] = [bytesOf((pair) => pair), bytesOf((pair) => texts.pair(pair))];
  expect(plain).toBeGreaterThan(20_000 * 2 * 100);
  expect(shared).toBeLessThan(plain / 4);
});

/** Bytes of the heap that so many pairs take whose texts are made anew from bytes, as JSON.parse makes them. */
function bytesOf(keep: (pair: readonly [string, string]) => readonly [string, string]): number {
  const pairs: (readonly [string, string])[] = [];
  const bytes = Buffer.from(`http://a.example/${'x'.repeat(100)}`);
  const fresh = () => bytes.toString('latin1');
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let k = 0; k < 20_000; k++) pairs.push(keep([fresh(), fresh()]));
  collectGarbage();
  const used = process.memoryUsage().heapUsed - before;
  expect(pairs).toHaveLength(20_000);
  return used;
}
