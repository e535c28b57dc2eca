import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inArena, kernel, takeU8 } from '../../../src/base/heap.js';
import { byteString, placed } from '../byte-strings.js';

const { sortStrings } = kernel();

/** The numbers of the strings in order. */
function sorted(strings: readonly Uint8Array[]): number[] {
  return inArena(() => {
    const entries = placed(strings, 2);
    const addresses = strings.map((_, k) => entries[4 * k + 2]!);
    const spare = takeU8(1024 + 16 * strings.length);
    sortStrings(entries.byteOffset, strings.length, spare.byteOffset);
    return strings.map((_, k) => addresses.indexOf(entries[4 * k + 2]!));
  });
}

function expected(strings: readonly Uint8Array[]): number[] {
  const numbers = strings.map((_, k) => k);
  return numbers.sort((a, b) => Buffer.compare(strings[a]!, strings[b]!) || a - b);
}

test.each([12, 40, 400])('up to %d strings are sorted, stably', (maxLength) => {
  let [most, equal] = [0, 0];
  fc.assert(
    fc.property(fc.array(byteString, { maxLength, size: 'max' }), (strings) => {
      expect(sorted(strings)).toEqual(expected(strings));
      most = Math.max(most, strings.length);
      equal += strings.length - new Set(strings.map(String)).size;
    }),
    { numRuns: 200 },
  );
  expect(most).toBeGreaterThan(0.8 * maxLength);
  expect(equal).toBeGreaterThan(20);
});

test('strings with long common prefixes, each one a prefix of the next, are sorted', () => {
  const strings = Array.from({ length: 500 }, (_, k) => Buffer.alloc(((k * 37) % 500) * 5, k % 2 === 0 ? 'ab' : 'abc'));
  expect(sorted(strings)).toEqual(expected(strings));
});
