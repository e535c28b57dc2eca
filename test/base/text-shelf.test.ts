import fc from 'fast-check';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { encodeText } from '../../src/base/bytes.js';
import { scratchUse } from '../../src/base/scratch.js';
import { TextShelf } from '../../src/base/text-shelf.js';
import { amount } from '../amount.js';

const long = fc.integer({ min: 0, max: 200_000 }).map((length) => 'ä'.repeat(length));
const texts = fc.array(fc.oneof({ weight: 9, arbitrary: fc.string({ unit: 'grapheme' }) }, long), { maxLength: 60 });

test('texts come back in order, as often as they are read, from memory and from disk', () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 300_000 }), (all, memoryBytes) => {
      const before = scratchUse().now;
      const shelf = new TextShelf({ memoryBytes, tmpdir: tmpdir() });
      for (const text of all) {
        const bytes = encodeText(`<${text}>`);
        shelf.add(bytes, 1, bytes.length - 1);
      }
      expect(shelf.length).toBe(all.length);
      expect([...shelf]).toEqual(all);
      const two = [shelf[Symbol.iterator](), shelf[Symbol.iterator]()] as const;
      for (const text of all) expect(two.map((each) => each.next().value as unknown)).toEqual([text, text]);
      const bytes = all.reduce((sum, text) => sum + encodeText(text).length + 4, 0);
      expect(scratchUse().now > before).toBe(bytes > memoryBytes && all.length > 1);
      shelf.close();
      expect(scratchUse().now).toBe(before);
      expect([...shelf]).toEqual([]);
    }),
    { numRuns: amount(300) },
  );
});
