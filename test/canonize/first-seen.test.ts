import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FirstSeen } from '../../src/canonize/first-seen.js';

it('knows what it has been given, as a set of strings does', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '\xff'), maxLength: 5 });
  fc.assert(
    fc.property(fc.array(text, { maxLength: 200 }), (list) => {
      const seen = new FirstSeen();
      const set = new Set<string>();
      for (const one of list) {
        const bytes = Buffer.from(`x${one}y`, 'latin1');
        expect(seen.add(bytes, 1, bytes.length - 1)).toBe(!set.has(one));
        set.add(one);
      }
    }),
    { numRuns: 200, seed: 3 },
  );
});

it('keeps what it knows when its table grows and pages fill', () => {
  const seen = new FirstSeen();
  const nameOf = (k: number) => Buffer.from(`/${'long/'.repeat(k % 40)}${k}`);
  for (const first of [true, false]) {
    for (let k = 0; k < 30_000; k++) if (seen.add(nameOf(k), 0, nameOf(k).length) !== first) expect.fail(`at ${k}`);
  }
});

it('takes strings as long as a page, and longer', () => {
  const seen = new FirstSeen();
  for (const first of [true, false]) {
    for (const length of [(1 << 20) - 5, (1 << 20) - 4, (1 << 20) - 3, 3 << 20, 0]) {
      expect(seen.add(new Uint8Array(length).fill(7), 0, length)).toBe(first);
    }
  }
});
