import { tmpdir } from 'node:os';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeText, encodeText } from '../../../../src/base/bytes.js';
import { type HeapRowReader, RowWriter } from '../../../../src/base/row.js';
import { SpillSorter, type SpillStats } from '../../../../src/base/spill.js';
import { pairsTsv, stageTsv } from '../../../../src/cli/run/mine/stage.js';
import type { Pair } from '../../../../src/table/pair.js';
import { amount } from '../../../amount.js';
import { writePair } from '../../../pair-bytes.js';

const side = fc.oneof(
  fc.uint8Array({ maxLength: 30 }),
  fc
    .array(fc.constantFrom(0x09, 0x0a, 0x5c, 0x61, 0xc3, 0xa9), { maxLength: 12 })
    .map((bytes) => Uint8Array.from(bytes)),
);
const count = fc.oneof(fc.nat({ max: 12 }), fc.nat({ max: 0xffffffff }));
const anchor = fc.constantFrom('none' as const, 'start' as const, 'end' as const, 'both' as const);
const examples = fc.array(fc.tuple(count, count), { maxLength: 3 });
const pair: fc.Arbitrary<Pair> = fc.record({
  from: side,
  to: side,
  anchor,
  low: count,
  high: count,
  against: count,
  examples,
});
const site = fc.constantFrom('a.example', 'b\\.example', 'ä.example');
const fewPairs = fc.array(pair, { maxLength: 2 });
const manyPairs = fc.array(pair, { minLength: 12, maxLength: 24 });
const someSites = fc.array(fc.record({ site, pairs: fc.oneof(fewPairs, manyPairs, manyPairs) }), {
  minLength: 1,
  maxLength: 3,
});
const sites = fc.oneof({ weight: 1, arbitrary: fc.constant([]) }, { weight: 9, arbitrary: someSites });

/** The pairs in this order, as they come out of a sort. */
function rowsOf(pairs: readonly Pair[], memoryBytes: number, stats: SpillStats): HeapRowReader {
  const sorter = new SpillSorter({ memoryBytes, tmpdir: tmpdir() }, stats);
  for (const [k, one] of pairs.entries()) {
    const row = new RowWriter().byte(k);
    sorter.add(writePair(row, one).bytes, 0, row.length, 1);
  }
  return sorter.finish();
}

test('a pair has the same line from bytes and from text, whatever its bytes and wherever it was sorted', () => {
  let escapes = 0;
  const stats = { runs: 0, bytes: 0 };
  const someMemory = fc.constantFrom(1 << 20, 400);
  fc.assert(
    fc.property(sites, fc.constantFrom(0, 10, 100, 1000, 150_000), someMemory, (given, longest, memoryBytes) => {
      const long = given.slice(0, 1).map(({ pairs, ...rest }) => {
        return { ...rest, pairs: pairs.slice(0, 1).map((one) => ({ ...one, to: new Uint8Array(longest).fill(0x5c) })) };
      });
      const all = [...given, ...long, ...given];
      const text = all.flatMap(({ site: name, pairs }) =>
        pairs.map(({ from, to, ...rest }) =>
          stageTsv({ site: name, from: decodeText(from), to: decodeText(to), ...rest }),
        ),
      );
      const sorted = all.map(({ site: name, pairs }) => ({ site: name, rows: rowsOf(pairs, memoryBytes, stats) }));
      const blocks = [...pairsTsv(sorted)];
      expect(Buffer.concat(blocks).equals(encodeText(text.join('')))).toBe(true);
      escapes += text.join('').split('\\n').length - 1;
    }),
    { numRuns: amount(60) },
  );
  expect(escapes).toBeGreaterThan(amount(20, 20));
  expect(stats.runs).toBeGreaterThan(amount(50, 20));
});
