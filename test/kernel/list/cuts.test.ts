import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inArena, kernel, takeU8 } from '../../../src/base/heap.js';
import { byteString, placed } from '../byte-strings.js';

const { makeNodes, lastCutBefore } = kernel();

/** Bytes of nodes for each cut. */
const NODE_BYTES = 64;

function lastCuts(cuts: readonly Uint8Array[], urls: readonly Uint8Array[]): number[] {
  return inArena(() => {
    const cutsAt = placed(cuts, 0).byteOffset;
    const urlsAt = placed(urls, 0);
    const nodes = takeU8(cuts.length * NODE_BYTES);
    const end = makeNodes(cutsAt, 0, cuts.length, nodes.byteOffset) >>> 0;
    expect(end - nodes.byteOffset).toBeLessThanOrEqual(nodes.length);
    return urls.map((_, k) => lastCutBefore(cutsAt, nodes.byteOffset, urlsAt[2 * k]!, urlsAt[2 * k + 1]!));
  });
}

test('a URL belongs to the last cut that is not greater than it', () => {
  let [before, between, equal] = [0, 0, 0];
  const strings = fc.array(byteString, { minLength: 1, maxLength: 60, size: 'max' });
  fc.assert(
    fc.property(strings, strings, (given, others) => {
      const cuts = given.toSorted((a, b) => Buffer.compare(a, b));
      const urls = [...cuts, ...others];
      const expected = urls.map((url) => cuts.findLastIndex((cut) => Buffer.compare(cut, url) <= 0));
      expect(lastCuts(cuts, urls)).toEqual(expected);
      for (const cut of expected.slice(cuts.length)) {
        if (cut < 0) before++;
        else if (cut < cuts.length - 1) between++;
      }
      equal += cuts.length - new Set(cuts.map(String)).size;
    }),
    { numRuns: 300 },
  );
  expect(Math.min(before, between, equal)).toBeGreaterThan(100);
});
