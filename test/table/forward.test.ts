import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inArena, kernel, takeU16, takeU8 } from '../../src/base/heap.js';
import { collate, FIRST_RUN_BYTE, uncollate } from '../../src/url/token.js';
import { tokenOffsets } from '../token-offsets.js';

const { setForward } = kernel();

/** Tokens of a URL in collation bytes, one text each. */
function tokensOf(url: Uint8Array): string[] {
  const offsets = tokenOffsets(uncollate(url));
  return offsets.slice(1).map((end, k) => Buffer.from(url.subarray(offsets[k], end)).toString('latin1'));
}

/** Two URLs in whole units, with other bytes of both kinds around them, none of which may count. */
function forwardOf(before: Uint8Array | undefined, url: Uint8Array): { tokens: number; shared: number } {
  return inArena(() => {
    const bytes = takeU8(1024).fill(200);
    for (let k = 0; k < bytes.length; k += 3) bytes[k] = 5;
    if (before !== undefined) bytes.set(before, 16);
    bytes.set(url, 512);
    const columns = takeU16(2).fill(9);
    const [tokens, shared, at] = [columns.byteOffset, columns.byteOffset + 2, bytes.byteOffset];
    setForward(tokens, shared, before === undefined ? 0 : at + 16, before?.length ?? 0, at + 512, url.length);
    return { tokens: columns[0]!, shared: columns[1]! };
  });
}

/**
 * Each byte is one of two adjacent values: the last that is a token of its own, and the first of runs; or the extremes.
 */
const byte = fc.constantFrom(0, FIRST_RUN_BYTE - 1, FIRST_RUN_BYTE, 127, 128, 255);
const part = fc.array(byte, { maxLength: 24, size: 'max' });

test('tokens are counted, and those of the common prefix of two URLs', () => {
  let [inTheMiddle, splitRuns] = [0, 0];
  fc.assert(
    fc.property(part, part, part, (head, a, b) => {
      const [before, url] = [Uint8Array.from([...head, ...a]), Uint8Array.from([...head, ...b])];
      const [ofBefore, ofUrl] = [tokensOf(before), tokensOf(url)];
      let shared = 0;
      while (shared < ofUrl.length && ofUrl[shared] === ofBefore[shared]) shared++;
      expect(forwardOf(before, url)).toEqual({ tokens: ofUrl.length + 2, shared: shared + 1 });
      if (shared > 0 && shared < ofUrl.length) inTheMiddle++;
      if (head.length > ofUrl.slice(0, shared).join('').length) splitRuns++;
    }),
    { numRuns: 2000 },
  );
  expect(inTheMiddle).toBeGreaterThan(200);
  expect(splitRuns).toBeGreaterThan(100);
});

test('the first URL of a list shares no token, not even START', () => {
  expect(forwardOf(undefined, collate(Buffer.from('/a/b1')))).toEqual({ tokens: 6, shared: 0 });
});
