// Where tokens are cut, and what collation bytes keep.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { kernel, inArena, takeU8 } from '../../src/base/heap.js';
import { collate, isBoundary, tokenEnd, tokensOf, uncollate } from '../../src/url/token.js';

const cases: readonly (readonly [url: string, tokens: readonly string[]])[] = [
  ['/a%20b', ['/', 'a', '%20', 'b']],
  ['%20%2f%Ff', ['%20', '%2f', '%Ff']],
  ['a%', ['a', '%']],
  ['%4', ['%', '4']],
  ['%4/1', ['%', '4', '/', '1']],
  ['%zz', ['%', 'zz']],
  ['%4z1', ['%', '4z1']],
  ['%%20', ['%', '%20']],
  ['%%%', ['%', '%', '%']],
  ['%2%20', ['%', '2', '%20']],
  ['%2041', ['%20', '41']],
  ['x%C3%A4x', ['x', '%C3', '%A4', 'x']],
];

/** A URL of pieces that join into escapes, runs and broken escapes. */
const urls = fc
  .array(fc.constantFrom('%', '%4', '%41', '%zz', '4', '1f', 'a', 'zz', '/', '-', '\xe4', '~', ' '), { maxLength: 14 })
  .map((pieces) => pieces.join(''));

const latin1 = (text: string) => Buffer.from(text, 'latin1');

describe('tokens', () => {
  test.each(cases)('%j', (url, tokens) => {
    expect(tokensOf(url)).toEqual(tokens);
    expect(cutByEnds(latin1(url))).toEqual(tokens);
    expect(cutByBoundaries(latin1(url))).toEqual(tokens);
  });

  test('their ends, and the boundaries between them, agree with the expression', () => {
    fc.assert(
      fc.property(urls, (url) => {
        expect(cutByEnds(latin1(url))).toEqual(tokensOf(url));
        expect(cutByBoundaries(latin1(url))).toEqual(tokensOf(url));
      }),
    );
  });

  test('a part of a text has boundaries of its own', () => {
    const bytes = latin1('x%41');
    expect([2, 3].map((at) => isBoundary(bytes, at))).toEqual([false, false]);
    expect(isBoundary(bytes, 2, 0, 3)).toBe(true);
    expect(isBoundary(bytes, 3, 2)).toBe(false);
  });
});

describe('collation bytes', () => {
  test('keep every URL', () => {
    fc.assert(
      fc.property(urls, (url) => {
        expect(latin1Of(uncollate(collate(latin1(url))))).toBe(url);
      }),
    );
  });

  test('are those of the kernel', () => {
    fc.assert(
      fc.property(urls, (url) => {
        expect(collatedByKernel(latin1(url))).toEqual([...collate(latin1(url))]);
      }),
    );
  });

  test('URLs that share tokens at an end are neighbours', () => {
    fc.assert(
      fc.property(fc.uniqueArray(urls, { minLength: 3, maxLength: 40 }), fc.boolean(), (all, isBackward) => {
        const turned = (bytes: Buffer) => (isBackward ? bytes.reverse() : bytes);
        const sorted = all
          .map((url) => ({ tokens: tokensOf(url), key: turned(Buffer.from(collate(latin1(url)))) }))
          .toSorted((a, b) => Buffer.compare(a.key, b.key))
          .map(({ tokens }) => (isBackward ? tokens.toReversed() : tokens));
        for (let count = 1; count < 5; count++) {
          const ends = sorted.map((tokens) => (tokens.length < count ? undefined : tokens.slice(0, count).join('\n')));
          const starts = ends.filter((end, at) => end !== undefined && end !== ends[at - 1]);
          expect(new Set(starts).size).toBe(starts.length);
        }
      }),
      { numRuns: 300 },
    );
  });
});

function cutByEnds(bytes: Uint8Array): string[] {
  const tokens: string[] = [];
  for (let at = 0, end: number; at < bytes.length; at = end) {
    end = tokenEnd(bytes, at, bytes.length);
    tokens.push(latin1Of(bytes.subarray(at, end)));
  }
  return tokens;
}

function cutByBoundaries(bytes: Uint8Array): string[] {
  const cuts = Array.from({ length: bytes.length + 1 }, (_, at) => at).filter((at) => isBoundary(bytes, at));
  return cuts.slice(1).map((end, k) => latin1Of(bytes.subarray(cuts[k], end)));
}

function collatedByKernel(raw: Uint8Array): number[] {
  return inArena(() => {
    const [source, target] = [takeU8(256), takeU8(256).fill(0x25)];
    source.set(raw);
    kernel().collateTo(target.byteOffset, source.byteOffset, raw.length);
    return Array.from(target.subarray(0, raw.length));
  });
}

function latin1Of(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}
