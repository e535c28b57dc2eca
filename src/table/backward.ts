// The backward order of URLs that are in memory, and what neighbours in it share at their ends.
//
// The URLs lie all over memory, and to fetch their bytes is what costs. So the last bytes of each are fetched twice in row
// order, which memory is good at, and all else happens in the cache (a sample sort):
//
//   split    a sample gives some cuts; between which two does each URL belong?   bucket of a row | 2 | 0 | 1 | 2 | …
//   gather   the rows of each bucket, and their last words, end to end           | bucket 0 … | bucket 1 … | bucket 2 … |
//   arrange  each bucket is sorted by these words, which also say how many tokens neighbours share
//
// All URLs of the sample may share their last `skipped` bytes: then the words are those before them, and the few URLs that
// end otherwise go to the first bucket and the last. These are sorted by all their bytes, as are URLs with the same words,
// and buckets too large for the cache, which have many such.
import { memoryFor } from '../base/crew.js';
import { MAX_PACKED_ROWS, WORDS } from '../base/packed-sort.js';
import { NONE, performBackward, sortRows, type BackwardJob, type BackwardStep, type Places } from './backward-steps.js';
import { hasSameWords, LAST_BYTES, packLast } from './last-words.js';
import { fillSharedLast, type Backward } from './order.js';
import type { SiteUrls } from './site-urls.js';

export interface BackwardOptions {
  /** Bytes that the words may take, which are in memory for some of the buckets at a time; but one bucket always may. */
  readonly memoryBytes: number;
  /** Rows that a bucket should have, and may have: they and their words are to fit into the cache of a core. */
  readonly bucketRows?: number;
  readonly maxBucketRows?: number;
}

/** Who does the steps. */
export interface BackwardCrew {
  /** With more than one, columns lie in shared memory. */
  readonly threads: number;
  /** Has steps done, in any order; gives what came of each. */
  run(job: BackwardJob, steps: readonly BackwardStep[]): readonly (Int32Array | undefined)[];
  /** Sorts places [from, to) of `backward` by all bytes of the URLs, and says what each shares with the one before. */
  sortWhole(order: Backward, from: number, to: number): void;
}

const BUCKET_ROWS = 4096;
const MAX_BUCKETS = 1 << 13;
const SAMPLES = 32;
/** Lists of so many times less than a bucket are sorted at once: splitting them costs more than it saves. */
const FEW = 64;
const MIN_TURN_BYTES = 1 << 23;
const MIN_TURNS = 4;
const PARTS_PER_THREAD = 2;
const ARRANGES_PER_THREAD = 4;

/** Fills `order`, which is all 0. */
export function orderBackward(
  urls: SiteUrls,
  order: Backward,
  options: BackwardOptions,
  crew: BackwardCrew = alone(urls),
): void {
  const { count } = urls;
  const { memoryBytes, bucketRows = BUCKET_ROWS, maxBucketRows = MAX_PACKED_ROWS } = options;
  const wanted = Math.min(MAX_BUCKETS, Math.ceil(count / bucketRows));
  const sample = count <= bucketRows / FEW ? undefined : sampleOf(urls, wanted);
  // Where most of the sample have words in common, these do not help.
  if (sample === undefined || sample.cuts.length / WORDS + 1 < wanted / 2) {
    for (let row = 0; row < count; row++) order.backward[row] = row;
    return crew.sortWhole(order, 0, count);
  }
  const bucketOf = new Uint16Array(memoryOf(crew, count * 2));
  const job = { order, ...sample, buckets: sample.cuts.length / WORDS + 3, bucketOf, words: new Uint32Array(0) };
  const parts = partsOf(count, crew.threads === 1 ? 1 : PARTS_PER_THREAD * crew.threads);
  const splits = parts.map((part) => ({ kind: 'split' as const, ...part }));
  const counts = crew.run(job, splits) as readonly Int32Array[];
  const places = placesOf(counts, maxBucketRows);
  const turns = turnsOf(places, Math.max(maxBucketRows, Math.min(memoryBytes, memoryFitting(count)) / LAST_BYTES));
  const words = new Uint32Array(memoryOf(crew, Math.max(...turns.map(({ rows }) => rows)) * LAST_BYTES));
  for (const turn of turns) {
    const next = nextOf(turn, places, counts);
    const gathers = parts.map((part, k) => ({ kind: 'gather' as const, ...part, next: next[k]!, places }));
    crew.run({ ...job, words }, gathers);
    const runs = crew.threads === 1 ? [turn] : evenly(turn, places, ARRANGES_PER_THREAD * crew.threads);
    const arranges = runs.map(({ from, to }) => ({ kind: 'arrange' as const, from, to, places }));
    crew.run({ ...job, words }, arranges);
  }
  places.shift.forEach((shift, bucket) => {
    const [from, to] = [places.start[bucket]!, places.start[bucket + 1]!];
    if (shift === NONE && to > from) crew.sortWhole(order, from, to);
  });
  // The first row of a bucket has its neighbour in the one before.
  for (const place of places.start) if (place < count) fillSharedLast(urls, order, place, place + 1);
}

type Range = { readonly from: number; readonly to: number };

/** Rows that stand evenly apart in the list say how all of them end. */
function sampleOf(urls: SiteUrls, buckets: number): Pick<BackwardJob, 'sampled' | 'skipped' | 'cuts'> {
  const { bytes, count } = urls;
  const size = Math.min(count, SAMPLES * buckets);
  const rows = Int32Array.from({ length: size }, (_, k) => Math.floor((k * count) / size));
  sortRows(urls, rows);
  const endOf = (row: number) => urls.at(row) + urls.lengthOf(row);
  const [first, last] = [rows[0]!, rows.at(-1)!];
  const most = Math.min(urls.lengthOf(first), urls.lengthOf(last));
  let shared = 0;
  while (shared < most && bytes[endOf(first) - 1 - shared] === bytes[endOf(last) - 1 - shared]) shared++;
  const skipped = shared - (shared % 4);
  const source = { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length) };
  const cuts = new Uint32Array(buckets * WORDS);
  let used = 0;
  for (let k = 1; k < buckets; k++) {
    const row = rows[Math.floor((k * size) / buckets)]!;
    packLast(source, urls.at(row), endOf(row) - skipped, cuts, used);
    if (used === 0 || !hasSameWords(cuts, used - WORDS, used)) used += WORDS;
  }
  return { sampled: first, skipped, cuts: cuts.slice(0, used) };
}

/** The buckets one after another. The first and the last one, and those that are too large, are sorted without words. */
function placesOf(counts: readonly Int32Array[], maxBucketRows: number): Places {
  const buckets = counts[0]!.length;
  const start = new Int32Array(buckets + 1);
  const shift = new Int32Array(buckets).fill(NONE);
  for (let bucket = 0; bucket < buckets; bucket++) {
    const rows = counts.reduce((sum, part) => sum + part[bucket]!, 0);
    start[bucket + 1] = start[bucket]! + rows;
    if (bucket > 0 && bucket < buckets - 1 && rows <= maxBucketRows) shift[bucket] = 0;
  }
  return { start, shift };
}

interface Turn extends Range {
  /** Rows with words. */
  readonly rows: number;
}

/** Buckets [from, to) whose words are in memory at the same time; says where these lie. */
function turnsOf({ start, shift }: Places, maxRows: number): readonly Turn[] {
  const turns: Turn[] = [];
  let [from, rows] = [0, 0];
  for (let bucket = 0; bucket < shift.length; bucket++) {
    if (shift[bucket] === NONE) continue;
    const more = start[bucket + 1]! - start[bucket]!;
    if (rows + more > maxRows) {
      turns.push({ from, to: bucket, rows });
      [from, rows] = [bucket, 0];
    }
    shift[bucket] = start[bucket]! - rows;
    rows += more;
  }
  return [...turns, { from, to: shift.length, rows }];
}

/** For each part, where its rows of each bucket go: behind those of the parts before it. */
function nextOf({ from, to }: Range, { start }: Places, counts: readonly Int32Array[]): readonly Int32Array[] {
  const at = start.slice(0, -1).fill(NONE, 0, from).fill(NONE, to);
  return counts.map((part) => {
    const next = at.slice();
    for (let bucket = from; bucket < to; bucket++) at[bucket]! += part[bucket]!;
    return next;
  });
}

/** Buckets [from, to) in about so many runs of about as many rows. */
function evenly({ from, to }: Range, { start }: Places, runs: number): readonly Range[] {
  const rows = (start[to]! - start[from]!) / runs;
  const ranges: Range[] = [];
  for (let bucket = from; bucket < to;) {
    const first = bucket++;
    while (bucket < to && start[bucket + 1]! - start[first]! <= rows) bucket++;
    ranges.push({ from: first, to: bucket });
  }
  return ranges;
}

function partsOf(count: number, parts: number): readonly Range[] {
  const step = Math.ceil(count / parts);
  const starts = Array.from({ length: Math.ceil(count / step) }, (_, k) => k * step);
  return starts.map((from) => ({ from, to: Math.min(from + step, count) }));
}

/** More would save little: 1,000,000 URLs take 0.31 s of CPU in one turn, 0.33 s in four. */
function memoryFitting(count: number): number {
  return Math.max(MIN_TURN_BYTES, (count * LAST_BYTES) / MIN_TURNS);
}

function memoryOf({ threads }: BackwardCrew, bytes: number): ArrayBuffer | SharedArrayBuffer {
  return memoryFor(threads === 1 ? undefined : {}, bytes);
}

/** The caller does all steps itself. */
function alone(urls: SiteUrls): BackwardCrew {
  return {
    threads: 1,
    run: (job, steps) => steps.map((step) => performBackward(urls, job, step)),
    sortWhole(order, from, to) {
      sortRows(urls, order.backward.subarray(from, to));
      fillSharedLast(urls, order, from, to);
    },
  };
}
