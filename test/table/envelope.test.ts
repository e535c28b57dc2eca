import { tmpdir } from 'node:os';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eachBucket } from './buckets.js';
import { orderUrls } from '../../src/table/order.js';
import { tokenOffsets } from '../../src/url/token.js';
import { siteUrlsOf, urlAt } from '../url-list.js';

const START = '\u0100';
const END = '\u0101';

function tokensOf(url: string): string[] {
  const offsets = tokenOffsets(Buffer.from(url, 'latin1'));
  return [START, ...offsets.slice(1).map((end, k) => url.slice(offsets[k], end)), END];
}

/** Every bucket of 2 to T_high by brute force: `i,j: URLs`. */
function bruteBuckets(urls: readonly string[], S: number, T_high: number): Map<string, string[]> {
  const buckets = new Map<string, { members: string[]; i: number; j: number }>();
  for (const url of urls) {
    const tokens = tokensOf(url);
    for (let i = 0; i <= tokens.length; i++) {
      for (let end = i; end <= Math.min(tokens.length, i + S); end++) {
        const envelope = `${tokens.slice(0, i).join('\u0102')}\u0103${tokens.slice(end).join('\u0102')}`;
        const bucket = buckets.get(envelope) ?? { members: [], i, j: tokens.length - end };
        bucket.members.push(url);
        buckets.set(envelope, bucket);
      }
    }
  }
  const result = new Map<string, string[]>();
  for (const { members, i, j } of buckets.values()) {
    if (members.length < 2 || members.length > T_high) continue;
    const key = `${i},${j}`;
    result.set(key, [...(result.get(key) ?? []), members.toSorted().join(' ')].toSorted());
  }
  return result;
}

function walkedBuckets(list: readonly string[], S: number, T_high: number): Map<string, string[]> {
  const urls = siteUrlsOf(list.map((url) => ({ url })));
  const order = orderUrls(urls, { memoryBytes: 1 << 20, tmpdir: tmpdir() }, { runs: 0, bytes: 0 });
  const result = new Map<string, string[]>();
  eachBucket(order, { S, T_high }, (members, size, box) => {
    const names = Array.from(members.subarray(0, size), (row) => urlAt(urls, row));
    for (let i = box.iLow; i <= box.iHigh; i++) {
      for (let j = box.jLow; j <= box.jHigh; j++) {
        if (i + j < box.dLow || i + j > box.dHigh) continue;
        result.set(`${i},${j}`, [...(result.get(`${i},${j}`) ?? []), names.toSorted().join(' ')].toSorted());
      }
    }
  });
  return result;
}

const tinyUrl = fc.array(fc.constantFrom('a', 'b', '/', '.', 'ab'), { maxLength: 9 }).map((parts) => parts.join(''));
const lists = fc.uniqueArray(tinyUrl, { minLength: 1, maxLength: 40, size: 'max' });

test('rectangles of runs and nodes are exactly the buckets of all envelopes', () => {
  let found = 0;
  let cut = 0;
  fc.assert(
    fc.property(lists, fc.constantFrom(2, 3, 5, 35), fc.constantFrom(2, 3, 6, 11), (urls, S, T_high) => {
      const expected = bruteBuckets(urls, S, T_high);
      found += expected.size;
      if (S < 9 && urls.length > T_high) cut++;
      expect(walkedBuckets(urls, S, T_high)).toEqual(expected);
    }),
    { numRuns: 1500 },
  );
  expect(found).toBeGreaterThan(10_000);
  expect(cut).toBeGreaterThan(100);
});

test('a shared first part of hundreds of tokens is no trouble', { timeout: 60_000 }, () => {
  const long = Array.from({ length: 300 }, (_, k) => `/d${k}`).join('');
  const urls = [`${long}/x.html`, `${long}/y.html`, `${long}/index.html`, `${long}/`, `/d0/x.html`, `/d0/`];
  expect(walkedBuckets(urls, 35, 11)).toEqual(bruteBuckets(urls, 35, 11));
});
