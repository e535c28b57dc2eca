import { tmpdir } from 'node:os';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { giveBack, i32At, kernel } from '../../src/base/heap.js';
import {
  addBuckets,
  askForInstances,
  beginInstances,
  endInstances,
  handOnRest,
  type InstanceOptions,
} from '../../src/table/instance.js';
import { orderUrls } from '../../src/table/order.js';
import { BORDERED, LOW, ROW, SIMILAR } from '../../src/kernel/layout/instance-row.js';
import type { SiteUrls } from '../../src/table/site-urls.js';
import { isFew } from '../amount.js';
import { tokenOffsets } from '../token-offsets.js';
import { seeded } from '../bench/input/random.js';
import { bucketsOf, chunkOf, instancesOf, rowBytesOf, type Bucket, type InstanceRow } from '../instance-rows.js';
import { isSimilar, isTrap, shrinks } from '../twin.js';
import { siteReaderOf, siteUrlsOf, urlAt, type TestRecord } from '../url-list.js';

const START = '\u0100';
const END = '\u0101';
const room = { memoryBytes: 1 << 22, tmpdir: tmpdir() };
const orderOf = (list: SiteUrls) => orderUrls(list, room, { runs: 0, bytes: 0 });
const tokensOf = (url: string) => {
  const offsets = tokenOffsets(Buffer.from(url, 'latin1'));
  return [START, ...offsets.slice(1).map((end, k) => url.slice(offsets[k], end)), END];
};

/** `α → β, URLs: flags`, for every two substrings in all envelopes of all buckets. */
function bruteInstances(
  urls: readonly string[],
  records: readonly TestRecord[],
  buckets: readonly Bucket[],
  { T_low, similarity }: InstanceOptions,
): Map<string, number> {
  const facts = new Map(records.map((record) => [record.url, twinOf(record)]));
  const tokens = urls.map(tokensOf);
  const found = new Map<string, number>();
  for (const { members, box } of buckets) {
    for (const u of members) {
      for (const v of members) {
        const areSimilar = !similarity || isSimilar(facts.get(urls[u]!)!, facts.get(urls[v]!)!);
        const flags = (members.length <= T_low ? LOW : 0) | (areSimilar ? SIMILAR : 0);
        if (u === v || flags === 0 || isTrap(urls[u]!, urls[v]!)) continue;
        for (let i = box.iLow; i <= box.iHigh; i++) {
          for (let j = Math.max(box.jLow, box.dLow - i); j <= Math.min(box.jHigh, box.dHigh - i); j++) {
            const [alpha, beta] = [u, v].map((row) => tokens[row]!.slice(i, tokens[row]!.length - j).join(''));
            if (shrinks(alpha!, beta!)) mark(found, `${alpha} → ${beta}, ${u} ${v}`, flags);
          }
        }
      }
    }
  }
  return found;
}

const twinOf = ({ url, size, sketch }: TestRecord) => ({
  url,
  ...(size !== undefined && { min: size, max: size }),
  ...(sketch !== undefined && { sketch }),
});

/** A pair of URLs that is also in a small bucket has all the flags that it has in a large one. */
function mark(found: Map<string, number>, key: string, flags: number): void {
  found.set(key, (found.get(key) ?? 0) | flags);
}

/** The same of rows. */
function spelledOut(urls: readonly string[], rows: readonly InstanceRow[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const { from, to, coreOffset, flags, fromBytes, toBytes, a, b, e } of rows) {
    const before = tokensOf(urls[from]!.slice(0, coreOffset)).slice(0, -1);
    const after = tokensOf(urls[from]!.slice(coreOffset + fromBytes)).slice(1);
    const cores = [
      urls[from]!.slice(coreOffset, coreOffset + fromBytes),
      urls[to]!.slice(coreOffset, coreOffset + toBytes),
    ];
    for (let left = a[0]; left <= a[1]; left++) {
      for (let right = Math.max(b[0], e[0] - left); right <= Math.min(b[1], e[1] - left); right++) {
        const head = before.slice(before.length - left).join('');
        const tail = after.slice(0, right).join('');
        const [alpha, beta] = cores.map((core) => head + core + tail);
        mark(found, `${alpha} → ${beta}, ${from} ${to}`, flags & (LOW | SIMILAR));
      }
    }
  }
  return found;
}

const sorted = (found: Map<string, number>) => [...found].map(([key, flags]) => `${key}: ${flags}`).toSorted();

// Bytes of é, of a character of four bytes, and some that are not UTF-8: text longer in bytes may be shorter in code
// points. Then those whose order differs in collation bytes.
const utf8 = ['\xc3\xa9', '\xf0\x9f\x98\x80', '\xff', '\xe2\x82', '\xe0\x80\x80', '\xe2\x82\xac'];
const escapes = ['%', '%4', '%41', '%zz', '%%20', '%2'];
const pieces = ['a', 'b1', '/', '.', 'a/', 'ab/ab/', 'longword_', ':', '~', '0', 'Z', ...utf8, ...escapes];
const someUrl = fc.oneof(
  fc.array(fc.constantFrom(...pieces), { maxLength: 9 }).map((parts) => parts.join('')),
  fc
    .tuple(fc.constantFrom('', 'x/'), fc.constantFrom('a/', 'a/b.', '/'), fc.nat(9), fc.constantFrom('', 'y', '.'))
    .map(([head, word, times, tail]) => head + word.repeat(times) + tail),
);
const someRecords = fc.uniqueArray(
  fc.record({ url: someUrl, size: fc.nat(2), sketch: fc.constantFrom('s', 't') }, { requiredKeys: ['url'] }),
  { minLength: 2, maxLength: 30, size: 'max', selector: ({ url }) => url },
);
const someOptions = fc.record({
  S: fc.constantFrom(35, 5, 65_000),
  T_low: fc.constantFrom(6, 2),
  T_high: fc.constantFrom(11, 3),
  similarity: fc.boolean(),
});

test('rows hold every pair of substrings of every bucket, in the shrinking direction, and nothing else', () => {
  const seen = { rows: 0, bordered: 0, dissimilar: 0, large: 0 };
  fc.assert(
    fc.property(someRecords, someOptions, (records, options) => {
      const list = siteUrlsOf(records);
      const urls = Array.from({ length: list.count }, (_, row) => urlAt(list, row));
      const order = orderOf(list);
      const buckets = bucketsOf(order, options);
      const rows = instancesOf(list, order, options, buckets);
      expect(sorted(spelledOut(urls, rows))).toEqual(sorted(bruteInstances(urls, records, buckets, options)));
      seen.rows += rows.length;
      for (const { flags } of rows) {
        if ((flags & BORDERED) !== 0) seen.bordered++;
        if ((flags & SIMILAR) === 0) seen.dissimilar++;
        if ((flags & LOW) === 0) seen.large++;
      }
    }),
    { numRuns: 150, seed: 3 },
  );
  expect(seen.rows).toBeGreaterThan(5000);
  expect(Math.min(seen.bordered, seen.dissimilar, seen.large)).toBeGreaterThan(300);
}, 60_000);

const random = seeded(6);
const pick = (count: number) => Math.floor(random() * count);
/** A trap, and others that share ends of many lengths. */
const varied: readonly TestRecord[] = Array.from({ length: 1500 }, (_, k) => {
  const steps = Array.from({ length: 2 + pick(4) }, () => `/${'section-'.slice(pick(8))}${pick(5)}`);
  const trap = `/site/${'img/'.repeat(k)}${k % 5 === 0 ? 'x' : ''}`;
  return { url: k < 100 ? trap : steps.join(''), ...(k % 3 > 0 && { size: k % 4 }) };
});
const options: InstanceOptions = { S: 35, T_low: 6, T_high: 11, similarity: true };

test.skipIf(isFew)(
  'rows are the same for a list in memory and one on disk, and for any number of buckets at once',
  () => {
    const list = siteUrlsOf(varied);
    const order = orderOf(list);
    const buckets = bucketsOf(order, options);
    const expected = instancesOf(list, order, options, buckets);
    expect(instancesOf(list, order, options, buckets, 3)).toEqual(expected);
    const paged = siteReaderOf(varied, 4000).next()!;
    expect(paged.isResident).toBe(false);
    expect(instancesOf(paged, orderOf(paged), options, buckets)).toEqual(expected);
    expect(expected.length).toBeGreaterThan(6000);
  },
);

test('buckets that come one by one give the same rows, at the latest with the rest', () => {
  const list = siteUrlsOf(varied);
  const order = orderOf(list);
  const large: InstanceOptions = { ...options, T_low: 9, T_high: 1200, S: 3 };
  // One has more members than fit into the queue.
  const all = {
    members: Array.from({ length: 1200 }, (_, row) => row),
    box: { iLow: 0, iHigh: 1, jLow: 0, jHigh: 0, dLow: 0, dHigh: 1 },
  };
  const buckets = [...bucketsOf(order, large), { ...all, members: all.members.slice(0, 1000) }, all];
  const { queueBucket } = kernel();
  const oneByOne = rowBytesOf(list, order, large, () => {
    for (const { members, box } of buckets) {
      const { iLow, iHigh, jLow, jHigh, dLow, dHigh } = box;
      const bucket = [members.length, iLow, iHigh, jLow, jHigh, dLow, dHigh, ...members];
      i32At(queueBucket(members.length), bucket.length).set(bucket);
    }
  });
  const atOnce = rowBytesOf(list, order, large, () => addBuckets(chunkOf(buckets)));
  expect(oneByOne.length).toBeGreaterThan(1 << 20);
  expect(Buffer.compare(oneByOne, atOnce)).toBe(0);
});

test('equal cores have equal hashes', () => {
  const list = siteUrlsOf(varied);
  const urls = Array.from({ length: list.count }, (_, row) => urlAt(list, row));
  const order = orderOf(list);
  const cores = new Map<string, bigint>();
  for (const { hash, from, to, coreOffset, fromBytes, toBytes } of instancesOf(
    list,
    order,
    options,
    bucketsOf(order, options),
  )) {
    const core = [
      urls[from]!.slice(coreOffset, coreOffset + fromBytes),
      urls[to]!.slice(coreOffset, coreOffset + toBytes),
    ].join(' → ');
    expect(cores.get(core) ?? hash).toBe(hash);
    cores.set(core, hash);
  }
  expect(new Set(cores.values()).size).toBe(cores.size);
  expect(cores.size).toBeGreaterThan(200);
});

test('each row is passed on once, in blocks that are not too large, on request', () => {
  const list = siteUrlsOf(varied);
  const order = orderOf(list);
  const buckets = bucketsOf(order, options);
  const chunk = chunkOf(buckets);
  const blocks: number[] = [];
  beginInstances(list, order, options);
  askForInstances(list, (block) => {
    blocks.push(block.length / ROW);
    giveBack(block);
  });
  const handedOn = [() => handOnRest(), () => addBuckets(chunk), () => handOnRest(), () => handOnRest()].map((step) => {
    step();
    return blocks.length;
  });
  endInstances();
  giveBack(chunk);
  const full = handedOn[1]!;
  expect(handedOn).toEqual([0, full, full + 1, full + 1]);
  expect(full).toBeGreaterThan(0);
  expect(new Set(blocks.slice(0, full)).size).toBe(1);
  expect(blocks[full]).toBeLessThan(blocks[0]!);
  const rows = instancesOf(list, order, options, buckets).length;
  expect(blocks.reduce((sum, some) => sum + some, 0)).toBe(rows);
});

test('the memory of a site is freed, even if it was never ended', () => {
  const list = siteUrlsOf(varied.slice(0, 200));
  const order = orderOf(list);
  const buckets = bucketsOf(order, options);
  const { heapBytes } = kernel();
  const sizes = Array.from({ length: 12 }, () => {
    // Longer ones have larger tables.
    instancesOf(list, order, { ...options, S: 500 }, buckets);
    beginInstances(list, order, { ...options, S: 500 });
    askForInstances(list, giveBack);
    const chunk = chunkOf(buckets);
    addBuckets(chunk);
    giveBack(chunk);
    return heapBytes();
  });
  endInstances();
  expect(new Set(sizes.slice(2)).size).toBe(1);
});
