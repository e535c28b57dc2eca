// The tally compared with a map, with much memory and with hardly any.
import { tmpdir } from 'node:os';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeText, encodeText } from '../../../../src/base/bytes.js';
import { hashBytes } from '../../../../src/base/hash.js';
import { sums, TallyTable } from '../../../../src/report/page/measure/tally.js';

const addition = fc.record({
  key: fc.constantFrom('', 'a', 'b', 'ab', 'a\u0000', '\udcff', 'a longer key than the others'),
  more: fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 2 ** 40 })),
  note: fc.option(fc.constantFrom('x', 'yy'), { nil: undefined }),
});

it('adds up the numbers of each key and keeps its last note, even if it spilled to disk', () => {
  let spilled = 0;
  fc.assert(
    fc.property(fc.array(addition, { maxLength: 40 }), fc.constantFrom(100, 1 << 20), (additions, memoryBytes) => {
      const stats = { runs: 0, bytes: 0 };
      const table = new TallyTable(sums(2), { memoryBytes, tmpdir: tmpdir(), stats });
      const twin = new Map<string, [number, number, string]>();
      for (const { key, more, note } of additions) {
        const bytes = encodeText(key);
        const at = table.entry(bytes, 0, bytes.length, hashBytes(bytes, 0, bytes.length));
        table.numbers[at]! += more[0];
        table.numbers[at + 1]! += more[1];
        if (note !== undefined) table.note(at, encodeText(note), 0, note.length);
        const [first, second, before] = twin.get(key) ?? [0, 0, ''];
        twin.set(key, [first + more[0], second + more[1], note ?? before]);
      }
      const found: [string, [number, number, string]][] = [];
      table.each((key, numbers, note) => found.push([decodeText(key), [numbers[0]!, numbers[1]!, decodeText(note)]]));
      const inOrder = [...twin].sort(([a], [b]) => Buffer.compare(encodeText(a), encodeText(b)));
      expect(found).toEqual(inOrder);
      if (stats.runs > 1) spilled++;
    }),
  );
  expect(spilled).toBeGreaterThan(10);
});
