// Several threads find the same buckets as one. They run the output of `npm run build`.
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { Crew } from '../../src/base/crew.js';
import { endWalk, newWalk, UNSHARED, walkColumns } from '../../src/table/envelope.js';
import { orderUrls } from '../../src/table/order.js';
import { scratchFolder } from '../cli/process.js';
import { siteUrlsOf } from '../url-list.js';
import { eachBucket, eachOfChunk, type BucketVisitor } from './buckets.js';

const dist = (path: string): string => new URL(`../../dist/src/${path}`, import.meta.url).href;
const folder = scratchFolder();
const walker = join(folder.path, 'walker.mjs');
writeFileSync(
  walker,
  `import { serve } from '${dist('base/crew.js')}';
   import { i32At, inArena } from '${dist('base/heap.js')}';
   import { joinWalk } from '${dist('table/envelope.js')}';
   serve(({ walk, breaks }, send) => inArena(() => joinWalk(walk, {
     buckets: 'written down',
     take: (address, bytes) => {
       if (breaks) throw new Error('a bug');
       send(i32At(address, bytes / 4).slice());
     },
     tell: (rows) => send(rows),
   })));`,
);

interface WalkingTask {
  readonly walk: number;
  readonly breaks: boolean;
}

const THREADS = 3;
const crew = new Crew<WalkingTask, Int32Array | number>(THREADS, pathToFileURL(walker));
afterAll(() => {
  crew.stop();
  folder.remove();
});

const options = { S: 35, T_high: 11 };

function orderOf(urls: readonly string[]) {
  const list = siteUrlsOf(urls.map((url) => ({ url })));
  return orderUrls(list, { memoryBytes: 1 << 20, tmpdir: tmpdir() }, { runs: 0, bytes: 0 });
}

/** Adds a text for each bucket and its envelopes. */
const into =
  (found: string[]): BucketVisitor =>
  (members, size, box) =>
    found.push(`${members.subarray(0, size).join()} ${Object.values(box).join()}`);

function foundAlone(urls: readonly string[]): string[] {
  const found: string[] = [];
  eachBucket(orderOf(urls), options, UNSHARED, into(found));
  return found.toSorted();
}

function foundTogether(urls: readonly string[], most: number, breaks = false): { buckets: string[]; rows: number } {
  const buckets: string[] = [];
  let rows = 0;
  const walk = newWalk(walkColumns(orderOf(urls)), options, most);
  crew.run(
    Array.from({ length: THREADS }, () => ({ walk, breaks })),
    (part) => {
      if (typeof part === 'number') rows += part;
      else eachOfChunk(part, into(buckets));
    },
  );
  endWalk(walk);
  return { buckets: buckets.toSorted(), rows };
}

const word = fc.constantFrom('a', 'b', '/', '/', '.', 'ab', 'x', '1', '22');
const url = fc.array(word, { maxLength: 12 }).map((parts) => parts.join(''));
const lists = fc.uniqueArray(url, { minLength: 100, maxLength: 400, size: 'max' });

test('threads find the same buckets as one, each once', { timeout: 60_000 }, () => {
  let found = 0;
  fc.assert(
    fc.property(lists, fc.constantFrom(1, 2, 7, 30, 100), (urls, most) => {
      const { buckets, rows } = foundTogether(urls, most);
      expect(buckets).toEqual(foundAlone(urls));
      expect(rows).toBeLessThanOrEqual(urls.length);
      found += buckets.length;
    }),
    { numRuns: 60 },
  );
  expect(found).toBeGreaterThan(5000);
});

test('an error in one thread is reported, and the others do not wait for ever', { timeout: 60_000 }, () => {
  const urls = Array.from({ length: 2000 }, (_, k) => `/${k % 400}/${k}`);
  expect(() => foundTogether(urls, 50, true)).toThrow('a bug');
  // Threads start afresh.
  expect(foundTogether(urls, 50).buckets).toEqual(foundAlone(urls));
});
