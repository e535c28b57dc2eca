// Pathological inputs for a miner that relies on shared parts: it neither takes for ever nor loses a pair.
import { tmpdir } from 'node:os';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { giveBack } from '../../src/base/heap.js';
import { ROW } from '../../src/kernel/layout/instance-row.js';
import { localEngine, type PairOptions } from '../../src/mine/engine.js';
import { endWalk, newWalk, UNSHARED, walkColumns, type Box } from '../../src/table/envelope.js';
import { makeInstances } from '../../src/table/instance.js';
import { orderUrls } from '../../src/table/order.js';
import { eachPairOf } from '../pair-bytes.js';
import { seeded } from '../bench/input/random.js';
import { TRAPS } from '../bench/input/traps.js';
import { bucketsOf, instancesOf } from '../instance-rows.js';
import { siteUrlsOf, urlAt } from '../url-list.js';
import { twinPairs, twinTraps, type TwinUrl } from '../twin.js';
import { amount } from '../amount.js';

const defaults: PairOptions = { S: 35, T_low: 6, T_high: 11, MS: 3, similarity: true };
const room = () => ({ memoryBytes: 1 << 22, tmpdir: tmpdir(), stats: { runs: 0, bytes: 0 } });
const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

function listOf(urls: readonly TwinUrl[]) {
  return siteUrlsOf(
    urls.map(({ url, min, sketch }) => ({
      url,
      ...(min !== undefined && { size: min }),
      ...(sketch !== undefined && { sketch }),
    })),
  );
}

function minedPairs(urls: readonly TwinUrl[], options: PairOptions): string[] {
  const pairs: string[] = [];
  localEngine.eachLikelyPair(listOf(urls), options, room(), (found) => {
    for (const { anchor, from, to, low, high, against } of eachPairOf(found))
      pairs.push(`${anchor} ${latin1(from)} → ${latin1(to)} ${low}/${high}/${against}`);
  });
  return pairs.toSorted();
}

/** How many URLs are of a crawler trap, and the first of them. */
function minedTraps(urls: readonly TwinUrl[], options: PairOptions) {
  const list = listOf(urls);
  const { count, row } = localEngine.eachLikelyPair(list, options, room(), () => undefined);
  return { count, first: row < 0 ? undefined : urlAt(list, row) };
}

function twinned(urls: readonly TwinUrl[], options: PairOptions): string[] {
  return twinPairs(urls, options)
    .map(({ anchor, from, to, low, high, against }) => `${anchor} ${from} → ${to} ${low}/${high}/${against}`)
    .toSorted();
}

/** How many envelopes of pairs of URLs are in small buckets, in how many rectangles, and how many of both are kept. */
function countEnvelopes(urls: readonly TwinUrl[], options: PairOptions) {
  const list = listOf(urls);
  const counts = { all: 0, seen: 0, boxes: 0, seenRows: 0 };
  // With these options every pair counts.
  const all = { ...options, T_low: options.T_high };
  const order = orderUrls(list, room(), room().stats);
  const buckets = bucketsOf(order, all);
  for (const { members, box } of buckets) {
    counts.all += (envelopesIn(box) * members.length * (members.length - 1)) / 2;
    counts.boxes++;
  }
  for (const { a, b, e } of instancesOf(list, order, all, buckets)) {
    const [aLow, aHigh, bLow, bHigh, eLow, eHigh] = [...a, ...b, ...e] as [
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    counts.seen += envelopesIn({ iLow: aLow, iHigh: aHigh, jLow: bLow, jHigh: bHigh, dLow: eLow, dHigh: eHigh });
    counts.seenRows++;
  }
  return counts;
}

function envelopesIn({ iLow, iHigh, jLow, jHigh, dLow, dHigh }: Readonly<Box>): number {
  let count = 0;
  for (let i = iLow; i <= iHigh; i++) {
    for (let j = jLow; j <= jHigh; j++) if (i + j >= dLow && i + j <= dHigh) count++;
  }
  return count;
}

const words = ['a/', 'a/b/', 'a', '/', 'a.b', 'ab/ab/', 'a/a/b/'];
const trapUrl = fc
  .tuple(
    fc.constantFrom('', '/', 'x/'),
    fc.constantFrom(...words),
    fc.nat(14),
    fc.constantFrom('', '', 'y', 'a/c', '.'),
    fc.nat(2),
  )
  .map(([head, word, times, tail, min]) => ({ url: head + word.repeat(times) + tail, min, max: min }));
const traps = fc.uniqueArray(trapUrl, { minLength: 10, maxLength: 60, size: 'max', selector: ({ url }) => url });
const someOptions = fc.record({
  S: fc.constantFrom(35, 4, 7, 12),
  T_low: fc.constantFrom(6, 2),
  T_high: fc.constantFrom(11, 3),
  MS: fc.constantFrom(1, 3),
  similarity: fc.boolean(),
});

describe('crawler traps', { timeout: 60_000 }, () => {
  test('repetitions give the pairs of the twin', () => {
    let [all, seen] = [0, 0];
    fc.assert(
      fc.property(traps, someOptions, (urls, options) => {
        expect(minedPairs(urls, options)).toEqual(twinned(urls, options));
        const envelopes = countEnvelopes(urls, options);
        all += envelopes.all;
        seen += envelopes.seen;
      }),
      // Of a few lists, all could be without repetitions.
      { numRuns: Math.max(amount(100), 30) },
    );
    expect(seen).toBeLessThan(0.9 * all);
  });

  test.for(TRAPS)('$name: the pairs and the URLs told of are those of the twin', ({ urls }) => {
    const options = { ...defaults, S: 12 };
    const list = Array.from(urls(2000), (url) => ({ url })).filter(({ url }, k) => url.length < 110 && k % 5 < 2);
    const some = list.slice(-amount(120, 2));
    expect(minedPairs(some, options)).toEqual(twinned(some, options));
    const trapped = new Set(twinTraps(some, options));
    expect(trapped.size).toBeGreaterThan(2);
    const { count, first } = minedTraps(some, options);
    expect(count).toBe(trapped.size);
    expect(trapped).toContain(first);
  });

  test.for(TRAPS)('$name: at most 200 rows of instances for each URL', ({ urls }) => {
    const list = siteUrlsOf(Array.from(urls(4000), (url) => ({ url })));
    const order = orderUrls(list, room(), room().stats);
    const walk = newWalk(walkColumns(order), defaults, UNSHARED);
    let rows = 0;
    const take = (block: Uint8Array) => {
      rows += block.length / ROW;
      giveBack(block);
    };
    makeInstances(walk, list, order, defaults, take, () => undefined);
    endWalk(walk);
    expect(rows).toBeLessThan(200 * list.count);
  });

  test('directories nested in themselves four times as deep are not sixteen times the work', () => {
    const nested = (times: number) =>
      Array.from({ length: times }, (_, k) => ({ url: `/site/${'img/'.repeat(k)}` })).filter((_, k) => k % 7 > 2);
    const [shallow, deep] = [countEnvelopes(nested(40), defaults), countEnvelopes(nested(160), defaults)];
    expect(deep.boxes).toBeGreaterThan(12 * shallow.boxes);
    expect(deep.seenRows).toBeLessThan(8 * shallow.seenRows);
    expect(minedPairs(nested(40), defaults)).toEqual(twinned(nested(40), defaults));
  });
});

const random = seeded(5);
const pick = (count: number) => Math.floor(random() * count);
const shapes: Readonly<Record<string, () => TwinUrl[]>> = {
  'numbered files of one directory': () =>
    Array.from({ length: 300 }, (_, k) => ({ url: `/data/file-${k >> 1}.${k % 2 ? 'html' : 'htm'}` })),
  'one first part of a hundred tokens': () =>
    Array.from({ length: 60 }, (_, k) => ({ url: `${'/a'.repeat(50)}/${k >> 1}${k % 2 ? '/index.html' : '/'}` })),
  'URLs of hundreds of tokens': () => {
    const long = Array.from({ length: amount(195, 1.8) }, (_, k) => `/d${k % 40}`).join('');
    return Array.from({ length: 8 }, (_, k) => ({ url: `${long}/${k >> 1}${k % 2 ? '/x.html' : ''}` }));
  },
  'paths of random digits': () =>
    Array.from({ length: 700 }, () => ({ url: Array.from({ length: 2 + pick(4) }, () => `/${pick(4)}`).join('') })),
  'sixty parameters in random order': () =>
    Array.from({ length: 4 }, () => {
      const rest = Array.from({ length: 60 }, (_, name) => `p${name}=${name % 3}`);
      const query = Array.from(rest, () => rest.splice(pick(rest.length), 1)[0]).join('&');
      return [`/q?${query}`, `/q?${query}&print=1`].map((url) => ({ url }));
    }).flat(),
};

describe('other pathological shapes', { timeout: 60_000 }, () => {
  test.for(Object.keys(shapes))('%s', (name) => {
    const urls = [...new Map(shapes[name]!().map((entry) => [entry.url, entry])).values()];
    const expected = twinned(urls, defaults);
    expect(minedPairs(urls, defaults)).toEqual(expected);
    expect(expected.length).toBeGreaterThan(0);
  });
});
