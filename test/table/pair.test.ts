import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Anchor } from '../../src/rule/rule.js';
import { RowWriter } from '../../src/base/row.js';
import { putSide, readPair, type Pair } from '../../src/table/pair.js';
import { eachPairOf, PairWriter, writePair } from '../pair-bytes.js';

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

test('a pair is read back from a row unchanged', () => {
  fc.assert(
    fc.property(somePair, (pair) => {
      const row = putSide(new RowWriter().descending(pair.high), pair.from, pair.anchor);
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

test('concatenated pairs are read one after another', () => {
  fc.assert(
    fc.property(fc.array(somePair, { maxLength: 20 }), (pairs) => {
      const sent: Uint8Array[] = [];
      const writer = new PairWriter((bytes) => sent.push(bytes));
      for (const pair of pairs) writer.add(pair);
      writer.flush();
      const found = sent.flatMap((bytes) => [...eachPairOf(bytes)]);
      const shown = ({ from, to, ...rest }: Pair) => ({ ...rest, from: [...from], to: [...to] });
      expect(found.map(shown)).toEqual(pairs.map(shown));
    }),
  );
});
