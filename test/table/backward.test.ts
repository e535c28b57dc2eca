// The backward order against sorting and comparing by the book, and by threads. Threads run what `npm run build` made, and so
// does this test.
import { tmpdir } from 'node:os';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import type { TableCrew, TableTask } from '../../src/table/crew.js';
import type { Backward } from '../../src/table/order.js';
import type { SiteUrls } from '../../src/table/site-urls.js';
import { FIRST_RUN_BYTE } from '../../src/url/token.js';

const dist = (path: string): string => new URL(`../../dist/src/${path}`, import.meta.url).href;
const { orderBackward } = (await import(dist('table/backward.js'))) as typeof import('../../src/table/backward.js');
const { sharedBackward } = (await import(
  dist('table/backward-shared.js')
)) as typeof import('../../src/table/backward-shared.js');
const { SiteUrls: Urls } = (await import(dist('table/site-urls.js'))) as typeof import('../../src/table/site-urls.js');
const { createMineCrew } = (await import(dist('mine/crew.js'))) as typeof import('../../src/mine/crew.js');

const crew: TableCrew = createMineCrew(3)!;
afterAll(() => crew.stop());

/** A list of URLs in collation bytes, and its order with all 0. */
function listed(urls: readonly Uint8Array[], shared?: object): { list: SiteUrls; order: Backward } {
  const stats = { runs: 0, bytes: 0 };
  const list = new Urls({ memoryBytes: 1 << 26, tmpdir: tmpdir(), pageBytes: 1 << 14, stats, crew: shared });
  for (const url of urls) list.add(url, 1, -1, -1, new Uint8Array(0));
  const memory = (bytes: number) => (shared === undefined ? new ArrayBuffer(bytes) : new SharedArrayBuffer(bytes));
  const backward = new Int32Array(memory(urls.length * 4));
  return { list: list.freeze(), order: { backward, sharedLast: new Uint16Array(memory(urls.length * 2)) } };
}

function tokensOf(url: Uint8Array): string[] {
  return (
    String.fromCharCode(...url).match(new RegExp(`[${String.fromCharCode(FIRST_RUN_BYTE)}-\u00ff]+|[^]`, 'g')) ?? []
  );
}

/** Rows, and the last tokens that each shares with the one before it, END included. */
function expected(urls: readonly Uint8Array[]): { rows: number[]; shared: number[] } {
  const reversed = urls.map((url) => Buffer.from(url).reverse());
  const rows = Array.from(urls.keys()).toSorted((a, b) => Buffer.compare(reversed[a]!, reversed[b]!));
  const tokens = urls.map((url) => tokensOf(url).toReversed());
  const shared = rows.map((row, k) => {
    if (k === 0) return 0;
    const [a, b] = [tokens[rows[k - 1]!]!, tokens[row]!];
    const differing = a.findIndex((token, at) => token !== b[at]);
    return 1 + (differing < 0 ? a.length : differing);
  });
  return { rows, shared };
}

const found = ({ backward, sharedLast }: Backward) => ({ rows: Array.from(backward), shared: Array.from(sharedLast) });

// Bytes around those that begin the runs, the highest, and the one that looks like no byte in words.
const alphabets = [
  [0, FIRST_RUN_BYTE],
  [0, 1, FIRST_RUN_BYTE, FIRST_RUN_BYTE + 1],
  [FIRST_RUN_BYTE - 1, FIRST_RUN_BYTE, 127, 128, 255],
  [FIRST_RUN_BYTE, 200],
];

/** Lists whose URLs end alike in none, some or all of the bytes that words hold, and one more or less. */
const lists = fc
  .constantFrom(...alphabets)
  .chain((alphabet) => {
    const bytes = (lengths: fc.ArrayConstraints) => fc.array(fc.constantFrom(...alphabet), lengths);
    const ends = fc.constantFrom(0, 3, 4, 31, 32, 33, 63, 64, 65).chain((n) => bytes({ minLength: n, maxLength: n }));
    const firsts = fc
      .constantFrom(2, 6, 33)
      .chain((maxLength) => fc.array(bytes({ maxLength }), { maxLength: 90, size: 'max' }));
    return fc.tuple(
      firsts,
      fc.array(ends, { minLength: 1, maxLength: 3 }),
      fc.array(bytes({ maxLength: 34 }), { maxLength: 2 }),
    );
  })
  .map(([firsts, ends, others]) => {
    const all = [...firsts.map((first, k) => [...first, ...ends[k % ends.length]!]), ...others];
    const distinct = new Map(all.map((url) => [url.join(), Uint8Array.from(url)]));
    return [...distinct.values()].toSorted((a, b) => Buffer.compare(a, b));
  });

const sizes = fc.constantFrom(
  { memoryBytes: 1 << 20 },
  { memoryBytes: 1 << 20, bucketRows: 64 },
  { memoryBytes: 1 << 20, bucketRows: 4 },
  { memoryBytes: 0, bucketRows: 8, maxBucketRows: 16 },
  { memoryBytes: 0, bucketRows: 3, maxBucketRows: 3 },
);

test('rows and shared tokens are those of URLs sorted and compared from their ends', () => {
  let [withWords, neighbours] = [0, 0];
  fc.assert(
    fc.property(lists, sizes, (urls, options) => {
      const { list, order } = listed(urls);
      orderBackward(list, order, options);
      const book = expected(urls);
      expect(found(order)).toEqual(book);
      neighbours += book.shared.filter((shared) => shared > 1).length;
      withWords += urls.filter(({ length }) => length >= 32).length;
    }),
    { numRuns: 300 },
  );
  expect(neighbours).toBeGreaterThan(2_500);
  expect(withWords).toBeGreaterThan(2_500);
});

test('threads come to the same, also where they sort a bucket together', () => {
  const kinds = new Set<string>();
  const run = crew.run.bind(crew);
  function* watched<Task extends TableTask>(tasks: Iterable<Task | undefined>) {
    for (const task of tasks) {
      if (task !== undefined) kinds.add(task.kind === 'backward' ? task.step.kind : task.kind);
      yield task;
    }
  }
  crew.run = (tasks, onPart) => run(watched(tasks), onPart);
  fc.assert(
    fc.property(lists, sizes, (urls, options) => {
      const { list, order } = listed(urls, crew);
      orderBackward(list, order, options, sharedBackward(crew, list, list.share()!));
      expect(found(order)).toEqual(expected(urls));
    }),
    { numRuns: 60 },
  );
  expect([...kinds].toSorted()).toEqual(['arrange', 'assign', 'gather', 'last', 'sort', 'split']);
});

test('URLs of tens of thousands of bytes that end alike are no trouble', () => {
  const end = Array.from({ length: 10_000 }, (_, k) => (k % 3 === 0 ? 1 : 70));
  const urls = Array.from({ length: 50 }, (_, k) => Uint8Array.from([80 + k, 1, ...end]));
  const { list, order } = listed(urls);
  orderBackward(list, order, { memoryBytes: 0 });
  expect(found(order)).toEqual(expected(urls));
});
