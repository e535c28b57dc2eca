import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeText, encodeText } from '../../src/base/bytes.js';
import { pairsTsv, stageTsv } from '../../src/report/stage.js';

const side = fc.oneof(
  fc.uint8Array({ maxLength: 30 }),
  fc
    .array(fc.constantFrom(0x09, 0x0a, 0x5c, 0x61, 0xc3, 0xa9), { maxLength: 12 })
    .map((bytes) => Uint8Array.from(bytes)),
);
const count = fc.nat({ max: 0xffffffff });
const anchor = fc.constantFrom('none' as const, 'start' as const, 'end' as const, 'both' as const);
const pair = fc.record({ from: side, to: side, anchor, low: count, high: count, against: count });
const rows = fc.record({ site: fc.constantFrom('a.example', 'b\\.example', 'ä.example'), pair });

const slashes = (length: number) => new Uint8Array(length).fill(0x5c);

test('a pair has the same line as bytes and as text, whatever bytes it has', () => {
  let escapes = 0;
  fc.assert(
    fc.property(fc.array(rows, { maxLength: 20 }), fc.nat({ max: 200_000 }), (given, longest) => {
      const long = given.slice(0, 1).map(({ site, pair: one }) => ({ site, pair: { ...one, to: slashes(longest) } }));
      const all = [...given, ...long, ...given];
      const text = all.map(({ site, pair: { from, to, ...rest } }) =>
        stageTsv({ site, from: decodeText(from), to: decodeText(to), ...rest }),
      );
      const pairs = all.map(({ site, pair: one }) => ({ site, pair: { ...one, examples: [] } }));
      const blocks = Array.from(pairsTsv(pairs), (block) => Uint8Array.from(block));
      expect(Buffer.concat(blocks).equals(encodeText(text.join('')))).toBe(true);
      escapes += text.join('').split('\\n').length - 1;
    }),
    { numRuns: 60 },
  );
  expect(escapes).toBeGreaterThan(20);
});
