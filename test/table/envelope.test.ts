import { tmpdir } from 'node:os';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eachBucket } from './buckets.js';
import { UNSHARED, type Box } from '../../src/table/envelope.js';
import { orderUrls, type UrlOrder } from '../../src/table/order.js';
import type { SiteUrls } from '../../src/table/site-urls.js';
import { tokenOffsets } from '../token-offsets.js';
import { seeded } from '../bench/input/random.js';
import { siteUrlsOf, urlAt } from '../url-list.js';
import { amount } from '../amount.js';

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

function walkedBuckets(list: readonly string[], S: number, T_high: number, most = UNSHARED): Map<string, string[]> {
  const urls = siteUrlsOf(list.map((url) => ({ url })));
  const result = new Map<string, string[]>();
  const rows = eachBucket(orderOf(urls), { S, T_high }, most, (members, size, box) => {
    const names = Array.from(members.subarray(0, size), (row) => urlAt(urls, row));
    for (let i = box.iLow; i <= box.iHigh; i++) {
      for (let j = box.jLow; j <= box.jHigh; j++) {
        if (i + j < box.dLow || i + j > box.dHigh) continue;
        result.set(`${i},${j}`, [...(result.get(`${i},${j}`) ?? []), names.toSorted().join(' ')].toSorted());
      }
    }
  });
  if (most >= list.length) expect(rows).toBe(list.length);
  else expect(rows).toBeLessThanOrEqual(list.length);
  return result;
}

function orderOf(urls: SiteUrls): UrlOrder {
  return orderUrls(urls, { memoryBytes: 1 << 20, tmpdir: tmpdir() }, { runs: 0, bytes: 0 });
}

const tinyUrl = fc
  .array(fc.constantFrom('a', 'b', '/', '.', 'ab', '%20', '%', '%4'), { maxLength: 9 })
  .map((parts) => parts.join(''));
const lists = fc.uniqueArray(tinyUrl, { minLength: 1, maxLength: 40, size: 'max' });
/** Nodes with this many members are split into pieces of about that size. */
const mosts = fc.constantFrom(UNSHARED, UNSHARED, 1, 2, 3, 8);

test('rectangles of runs and nodes are exactly the buckets of all envelopes, also if large nodes are split', () => {
  let found = 0;
  let cut = 0;
  let inPieces = 0;
  fc.assert(
    fc.property(lists, fc.constantFrom(2, 3, 5, 35), fc.constantFrom(2, 3, 6, 11), mosts, (urls, S, T_high, most) => {
      const expected = bruteBuckets(urls, S, T_high);
      found += expected.size;
      if (S < 9 && urls.length > T_high) cut++;
      if (urls.length > 2 * most) inPieces++;
      expect(walkedBuckets(urls, S, T_high, most)).toEqual(expected);
    }),
    { numRuns: amount(1500) },
  );
  expect(found).toBeGreaterThan(amount(10_000, 20));
  expect(cut).toBeGreaterThan(amount(100, 20));
  expect(inPieces).toBeGreaterThan(amount(500, 20));
});

test('an overflow in a run does not drop an enclosing run that does not overflow', () => {
  // Many lengths between few first and last parts, and just enough of each.
  const middle = fc.nat(9).map((tokens) => '.'.repeat(tokens));
  const last = fc.constantFrom('', 'a', '-a', '/-a', 'b', '/b');
  const lasts = fc.tuple(fc.constantFrom('', 'x'), middle, last).map((parts) => parts.join(''));
  const mixed = fc.uniqueArray(lasts, { minLength: 8, maxLength: 60, size: 'max' });
  let found = 0;
  fc.assert(
    fc.property(mixed, fc.constantFrom(2, 4, 6), fc.constantFrom(2, 3, 4), mosts, (urls, S, T_high, most) => {
      const expected = bruteBuckets(urls, S, T_high);
      found += expected.size;
      expect(walkedBuckets(urls, S, T_high, most)).toEqual(expected);
    }),
    { numRuns: amount(500) },
  );
  expect(found).toBeGreaterThan(amount(3000, 20));
});

test.for([3, 8, 15, 16, 17, 40, 300])('a node may have %i children, and URLs alone between them', (children) => {
  const random = seeded(children);
  const urls = Array.from({ length: children }, (_, k) =>
    Array.from(
      { length: k % 3 === 0 ? 1 : 2 + Math.floor(random() * 3) },
      (_, n) => `/${k}/${n}${random() < 0.5 ? '/x' : ''}`,
    ),
  ).flat();
  for (const most of [UNSHARED, 1, 5]) {
    expect(walkedBuckets(urls, 35, 11, most)).toEqual(bruteBuckets(urls, 35, 11));
  }
});

test('a shared first part may have hundreds of tokens', { timeout: 60_000 }, () => {
  const long = Array.from({ length: amount(300, 1.5) }, (_, k) => `/d${k}`).join('');
  const urls = [`${long}/x.html`, `${long}/y.html`, `${long}/index.html`, `${long}/`, `/d0/x.html`, `/d0/`];
  expect(walkedBuckets(urls, 35, 11)).toEqual(bruteBuckets(urls, 35, 11));
});

test('and runs may be nested a hundred deep, in any pieces', { timeout: 60_000 }, () => {
  const urls = Array.from({ length: 100 }, (_, k) => `${k % 7}/${'a/'.repeat(k)}`);
  const expected = bruteBuckets(urls, 3, 11);
  for (const most of [UNSHARED, 1, 7, 30]) expect(walkedBuckets(urls, 3, 11, most)).toEqual(expected);
});

test('a URL may have as many tokens as bytes, and a bucket more members than fit into a chunk', () => {
  const dots = '.'.repeat(30_000);
  const two = siteUrlsOf([{ url: `${dots}a${dots}` }, { url: `${dots}b${dots}` }]);
  const boxes: Box[] = [];
  eachBucket(orderOf(two), { S: 1, T_high: 2 }, UNSHARED, (_members, _size, box) => boxes.push({ ...box }));
  expect(boxes).toEqual([{ iLow: 0, iHigh: 30_001, jLow: 0, jHigh: 30_001, dLow: 60_002, dHigh: 60_002 }]);
  const many = siteUrlsOf(Array.from({ length: 70_000 }, (_, k) => ({ url: `${k}` })));
  const sizes: number[] = [];
  eachBucket(orderOf(many), { S: 3, T_high: 100_000 }, UNSHARED, (_members, size) => sizes.push(size));
  expect(sizes).toEqual([70_000]);
});
