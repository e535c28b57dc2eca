// Are texts found again by their number, in memory and on disk?
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { encodeText } from '../../src/base/bytes.js';
import { NumberedTexts } from '../../src/base/numbered-texts.js';
import { scratchUse } from '../../src/base/scratch.js';

const TEXTS = Array.from({ length: 200 }, (_, k) => 'ü\udc80'.repeat(k % 13) + k);

test.each([0, 1, 100, 1 << 20])('texts are read in any order, with %d bytes of memory', (memoryBytes) => {
  const texts = new NumberedTexts({ memoryBytes, tmpdir: tmpdir() });
  const { written, now } = scratchUse();
  const numbers = TEXTS.map((text) => texts.add(encodeText(text)));
  for (const number of [...numbers].reverse()) expect(texts.at(number)).toBe(TEXTS[number]);
  expect(scratchUse().written > written).toBe(memoryBytes < 1 << 20);
  expect(() => texts.at(TEXTS.length)).toThrow('no text has the number 200');
  texts.close();
  expect(scratchUse().now).toBe(now);
});
