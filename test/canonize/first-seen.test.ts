import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FirstSeen } from '../../src/canonize/first-seen.js';

it('contains what was added, as a set of strings does', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '\xff'), maxLength: 5 });
  fc.assert(
    fc.property(fc.array(text, { maxLength: 200 }), (list) => {
      const seen = new FirstSeen(Infinity);
      const set = new Set<string>();
      for (const one of list) {
        const bytes = Buffer.from(`x${one}y`, 'latin1');
        expect(seen.add(bytes, 1, bytes.length - 1)).toBe(set.has(one) ? 'again' : 'first');
        set.add(one);
      }
    }),
    { numRuns: 200, seed: 3 },
  );
});

const nameOf = (k: number) => Buffer.from(`/${'long/'.repeat(k % 40)}${k}`);

it('keeps its contents when its table grows and pages fill', () => {
  const seen = new FirstSeen(Infinity);
  for (const sight of ['first', 'again']) {
    for (let k = 0; k < 30_000; k++) if (seen.add(nameOf(k), 0, nameOf(k).length) !== sight) expect.fail(`at ${k}`);
  }
});

it('accepts strings as long as a page, and longer', () => {
  const seen = new FirstSeen(Infinity);
  for (const sight of ['first', 'again']) {
    for (const length of [(1 << 20) - 5, (1 << 20) - 4, (1 << 20) - 3, 3 << 20, 0]) {
      expect(seen.add(new Uint8Array(length).fill(7), 0, length)).toBe(sight);
    }
  }
});

it.each([0, 1 << 20, 3 << 20, 5_000_000])(
  'keeps as many as fit into %i bytes, and keeps those for ever',
  (maxBytes) => {
    const seen = new FirstSeen(maxBytes);
    const tell = (k: number) => seen.add(nameOf(k), 0, nameOf(k).length);
    let kept = 0;
    while (tell(kept) === 'first') kept++;
    const bytes = Array.from({ length: kept }, (_, k) => nameOf(k).length + 4 + 18).reduce((a, b) => a + b, 0);
    expect(bytes).toBeLessThanOrEqual(maxBytes);
    expect(bytes).toBeGreaterThanOrEqual(maxBytes / 4 - (1 << 20));
    for (let k = 0; k < kept; k++) expect(tell(k)).toBe('again');
    for (const k of [kept, kept + 1, 40_000_000, 40_000_000]) expect(tell(k)).toBe('unknown');
  },
);
