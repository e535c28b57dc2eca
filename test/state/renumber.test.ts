// Rows of states from before escapes had collation bytes of their own.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Row } from '../../src/base/row.js';
import { recollated, renumbered } from '../../src/state/renumber.js';
import { collate } from '../../src/url/token.js';

/** A row as it is written now, or with the bytes of escapes numbered like all others. */
function rowOf(url: string, isEarlier: boolean): Row {
  const raw = Buffer.from(url, 'latin1');
  const key = isEarlier ? Buffer.from(raw.map((byte) => collate(Uint8Array.of(byte))[0]!)) : Buffer.from(collate(raw));
  const bytes = Buffer.concat([Buffer.from('<<h.test\0'), key, Buffer.from('payload %41')]);
  return { bytes, keyStart: 2, keyEnd: 9 + key.length, end: bytes.length };
}

const shown = ({ bytes, keyStart, keyEnd, end }: Row) => [
  Buffer.from(bytes.subarray(keyStart, keyEnd)).toString('latin1'),
  Buffer.from(bytes.subarray(keyEnd, end)).toString('latin1'),
];

const urls = fc.uniqueArray(
  fc
    .array(fc.constantFrom('%', '%20', '%4f', 'a', '1', '/', '-', '\xe4'), { maxLength: 8 })
    .map((parts) => `/${parts.join('')}`),
  { maxLength: 30 },
);

test('come out in today’s numbers and order, those of today unchanged', () => {
  fc.assert(
    fc.property(urls, fc.boolean(), (all, isEarlier) => {
      const keyOf = ({ bytes, keyStart, keyEnd }: Row) => Buffer.from(bytes.subarray(keyStart, keyEnd));
      const today = all.map((url) => rowOf(url, false)).toSorted((a, b) => Buffer.compare(keyOf(a), keyOf(b)));
      const given = all.map((url) => rowOf(url, isEarlier)).toSorted((a, b) => Buffer.compare(keyOf(a), keyOf(b)));
      expect(Array.from(renumbered(given), shown)).toEqual(today.map(shown));
      const spelled = (rows: readonly Row[]) =>
        rows.map((row) => shown(row).join(' ')).toSorted((a, b) => (a < b ? -1 : 1));
      expect(spelled(given.map(recollated))).toEqual(spelled(today));
    }),
    { numRuns: 200 },
  );
});
