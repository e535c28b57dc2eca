// A sketch is read from its bytes as `parseSketch` reads it from text; a damaged signature is told from a digest.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DamagedLabels, SketchLabelReader } from '../../src/sketch/label-reader.js';
import { fingerprints } from '../../src/sketch/shingle.js';
import { createSketch, formatSketch, MAX_SKETCH_MINIMA, parseSketch } from '../../src/sketch/sketch.js';
import { createSpotMaker, formatSpots } from '../../src/sketch/spots.js';
import { amount } from '../amount.js';

test('sketches are read from bytes as from text, and nothing else is', () => {
  const reader = new SketchLabelReader();
  let sketches = 0;
  const minima = fc
    .uniqueArray(fc.nat(2 ** 40 - 1), { maxLength: MAX_SKETCH_MINIMA })
    .map((all) => Float64Array.from(all).sort());
  const kind = fc.constantFrom([4, 128], [99, 147], [1, 3]);
  fc.assert(
    fc.property(
      minima,
      kind,
      fc.nat(2000),
      fc.string({ maxLength: 2 }),
      fc.boolean(),
      (all, [w, s], place, change, is) => {
        const whole = formatSketch({ w: w!, s: s!, minima: all.slice(0, s) });
        const at = place % (whole.length + 1);
        const text = is ? whole : whole.slice(0, at) + change + whole.slice(at + change.length);
        const expected = parseSketch(Buffer.from(text, 'latin1').toString('latin1'));
        // The label is a part of what is there.
        const bytes = Buffer.from(`A${text}AAAA`, 'latin1');
        expect(reader.read(bytes, 1, 1 + text.length)).toBe(expected !== undefined);
        if (expected === undefined) return;
        sketches++;
        const { head, tops, rests } = reader;
        expect([head.w, head.s, head.count]).toEqual([expected.w, expected.s, expected.minima.length]);
        const read = Array.from(tops.subarray(0, head.count), (top, k) => top * 256 + rests[k]!);
        expect(read).toEqual([...expected.minima]);
      },
    ),
    { numRuns: amount(3000) },
  );
  expect(sketches).toBeGreaterThan(amount(1000));
});

const SKETCH = formatSketch(createSketch(fingerprints('one two three four five six seven')));
const SPOTS = formatSpots(createSpotMaker({ kind: 'spotsigs', chain: 1, long: 20, words: 4 })('the a b c d')!);

test.each([
  ['', false],
  ['sha1:A', false],
  ['db1', false],
  [SKETCH, false],
  [SPOTS, false],
  ['db1-', true],
  [SKETCH.slice(0, -1), true],
  [`${SKETCH}A`, true],
  [SPOTS.slice(0, -1), true],
])('%j is damaged: %s', (label, isDamaged) => {
  const bytes = Buffer.from(`db1-${label}AAAA`);
  expect(new DamagedLabels().has(bytes, 4, 4 + label.length)).toBe(isDamaged);
});
