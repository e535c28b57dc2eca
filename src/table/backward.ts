// The backward order of URLs that are in memory, and what neighbours in it share at their ends. The kernel has all of it
// (kernel/order/backward); here is who works on it.
import { inArena, kernel, takeI32, takeU16 } from '../base/heap.js';
import { SiteUrls, type SharedSite } from './site-urls.js';

/** Columns over the URLs of a site, in the heap. */
export interface Backward {
  /** URLs in backward order. */
  readonly backward: Int32Array;
  /** Last tokens that the k-th URL in backward order shares with the one before; END counts. 0 for the first. */
  readonly sharedLast: Uint16Array;
}

/** Columns for a backward order, in the arena of this thread; what is in them is left over from others. */
export function backwardColumns(count: number): Backward {
  return { backward: takeI32(count), sharedLast: takeU16(count) };
}

export interface BackwardOptions {
  /** Bytes that copies of the last bytes of URLs may take at once; but those of one bucket always may. */
  readonly memoryBytes: number;
  /** Rows that a bucket should have, and may have: their last bytes are to fit into the cache of a core. */
  readonly bucketRows?: number;
  readonly maxBucketRows?: number;
}

/** What a thread does of it: a part, until there is nothing left to do. `job` is an address. */
export interface BackwardTask {
  readonly kind: 'backward';
  readonly site: SharedSite;
  readonly job: number;
}

/** Threads, each of which is to do one such task. */
export interface BackwardCrew {
  readonly threads: number;
  run(tasks: Iterable<BackwardTask>, onPart: (value: unknown) => void): void;
}

const BUCKET_ROWS = 4096;
/** More have no number in a key of the kernel. */
const MAX_BUCKET_ROWS = 1 << 16;
/** That are copied of each URL. */
const LAST_BYTES = 32;
const MIN_TURN_BYTES = 1 << 23;
const MIN_TURNS = 4;

/** Fills `order`, by the threads of a crew if there is one: then the list is `site`. */
export function orderBackward(
  urls: SiteUrls,
  { backward, sharedLast }: Backward,
  { memoryBytes, bucketRows = BUCKET_ROWS, maxBucketRows = MAX_BUCKET_ROWS }: BackwardOptions,
  shared?: { readonly crew: BackwardCrew; readonly site: SharedSite },
): void {
  const exports = kernel();
  urls.use();
  const room = Math.floor(Math.min(memoryBytes, memoryFitting(urls.count)) / LAST_BYTES);
  const job = exports.openBackward(backward.byteOffset, sharedLast.byteOffset, bucketRows, maxBucketRows, room) >>> 0;
  if (shared === undefined) {
    work(job);
  } else {
    const { crew, site } = shared;
    const tasks = Array.from({ length: crew.threads }, () => ({ kind: 'backward' as const, site, job }));
    crew.run(tasks, () => undefined);
  }
  // Not where that threw: some thread may still be at it.
  exports.closeBackward(job);
}

/** More would save little: 1,000,000 URLs take 0.137 s of CPU in one turn, 0.141 s in two, 0.145 s in four. */
function memoryFitting(count: number): number {
  return Math.max(MIN_TURN_BYTES, Math.ceil((count * LAST_BYTES) / MIN_TURNS));
}

/** One task, in a thread. */
export function performBackward({ site, job }: BackwardTask): void {
  SiteUrls.of(site).use();
  work(job);
}

function work(job: number): void {
  const exports = kernel();
  try {
    inArena(() => exports.workOnBackward(job));
  } catch (error) {
    // The others would wait for what this thread has taken upon itself.
    exports.giveUpBackward(job);
    throw error;
  }
}
