import { tmpdir } from 'node:os';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eachRow } from '../../src/base/row.js';
import type { Anchor } from '../../src/rule/rule.js';
import { readPair, type Pair, PairSorter, type PairOrder } from '../../src/table/pair.js';
import { handOver, PairWriter } from '../pair-bytes.js';
import { inEliminationOrder, inPrintedOrder } from '../pair-order.js';

const someSide = fc.oneof(
  fc.uint8Array({ max: 5, maxLength: 4 }),
  fc
    .array(fc.constantFrom('a', 'ä', '€', '𝄞', '/', 'ab'), { maxLength: 30 })
    .map((parts) => Buffer.from(parts.join(''))),
  fc
    .array(fc.constantFrom(0x61, 0xc3, 0xa4, 0xe2, 0x82, 0xac, 0xed, 0xa0, 0x80, 0xf0, 0x90, 0xff), { maxLength: 12 })
    .map((bytes) => Buffer.from(bytes)),
);
const count = fc.nat(2 ** 32 - 1);
const somePair: fc.Arbitrary<Pair> = fc.record({
  from: someSide,
  to: someSide,
  anchor: fc.constantFrom<Anchor>('none', 'start', 'end', 'both'),
  low: count,
  high: fc.oneof(fc.nat(2), count),
  against: count,
  examples: fc.array(fc.tuple(count, count), { maxLength: 3 }),
});

const shown = ({ from, to, ...rest }: Pair) => ({ ...rest, from: [...from], to: [...to] });
const saying = ({ from, to, anchor }: Pair) => [from, to].map((side) => Buffer.from(side).toString('hex')) + anchor;

function sorted(pairs: readonly Pair[], order: PairOrder, memoryBytes: number) {
  const stats = { runs: 0, bytes: 0 };
  const sorter = new PairSorter(order, { memoryBytes, tmpdir: tmpdir(), stats });
  const writer = new PairWriter((bytes) => handOver(bytes, (found) => sorter.add(found)));
  for (const [k, pair] of pairs.entries()) {
    writer.add(pair);
    if (k % 7 === 6) writer.flush();
  }
  writer.flush();
  expect(sorter.count).toBe(pairs.length);
  return { found: Array.from(eachRow(sorter.finish()), (row) => shown(readPair(row))), runs: stats.runs };
}

test.each([
  ['printed', inPrintedOrder],
  ['elimination', inEliminationOrder],
] as const)('pairs come out in the order of %s as they went in, in memory and from disk', (order, compare) => {
  const seen = { runs: 0, byText: 0 };
  const somePairs = fc.uniqueArray(somePair, { maxLength: 60, selector: saying, size: 'max' });
  fc.assert(
    fc.property(somePairs, fc.constantFrom(1 << 20, 5000), (pairs, memoryBytes) => {
      const expected = pairs.toSorted(compare);
      const { found, runs } = sorted(pairs, order, memoryBytes);
      expect(found).toEqual(expected.map(shown));
      seen.runs += runs;
      seen.byText += expected.filter(({ high }, k) => k > 0 && high === expected[k - 1]!.high).length;
    }),
    { numRuns: 300 },
  );
  expect(seen.runs).toBeGreaterThan(100);
  expect(seen.byText).toBeGreaterThan(100);
});

test('a pair that is longer than the buffer is sorted with the others', () => {
  const common = { anchor: 'none' as const, low: 3, high: 3, against: 0, examples: [] };
  const long = { ...common, from: new Uint8Array(100_000).fill(1), to: new Uint8Array(70_000).fill(0) };
  const short = { ...common, from: Buffer.from('a'), to: Buffer.from('') };
  for (const memoryBytes of [1000, 1 << 20]) {
    expect(sorted([short, long], 'printed', memoryBytes).found).toEqual([long, short].map(shown));
  }
});
