// The backward order of URLs in memory, and the number of last tokens that neighbours in it share. The kernel computes
// both (kernel/order/backward); this distributes the work over threads.
import { inArena, kernel, takeI32, takeU16 } from '../base/heap.js';
import { SiteUrls, type SharedSite } from './site-urls.js';

/** Columns over the URLs of a site, in the heap. */
export interface Backward {
  /** URLs in backward order. */
  readonly backward: Int32Array;
  /** Of the k-th URL in backward order: the number of last tokens, with END, that the one before it has too. 0 for the first. */
  readonly sharedLast: Uint16Array;
}

/** Columns for a backward order, in the arena of this thread; not initialized. */
export function backwardColumns(count: number): Backward {
  return { backward: takeI32(count), sharedLast: takeU16(count) };
}

export interface BackwardOptions {
  /** Memory for the packed last bytes of URLs; at least one bucket is packed at a time. */
  readonly memoryBytes: number;
  /** Preferred and maximum number of rows of a bucket. Their last bytes should fit into the cache of a core. */
  readonly bucketRows?: number;
  readonly maxBucketRows?: number;
}

/** A thread takes parts of the work until none is left. `job` is an address. */
export interface BackwardTask {
  readonly kind: 'backward';
  readonly site: SharedSite;
  readonly job: number;
}

/** Threads, each of which performs one such task. */
interface BackwardCrew {
  readonly threads: number;
  run(tasks: Iterable<BackwardTask>, onPart: (value: unknown) => void): void;
}

const BUCKET_ROWS = 4096;
/** A key of the kernel can number so many rows. */
const MAX_BUCKET_ROWS = 1 << 16;
/** The number of last bytes that are copied of each URL. */
const LAST_BYTES = 32;
const MIN_TURN_BYTES = 1 << 23;
const MIN_TURNS = 4;

/** Fills `order`. Uses the threads of the crew if there is one, which read the list as `site`. */
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
  // Not freed after an error: another thread may still be using it.
  exports.closeBackward(job);
}

/** More would save little: 1,000,000 URLs take 0.137 s of CPU in one turn, 0.141 s in two, 0.145 s in four. */
function memoryFitting(count: number): number {
  return Math.max(MIN_TURN_BYTES, Math.ceil((count * LAST_BYTES) / MIN_TURNS));
}

/** Performs the task in a thread. */
export function performBackward({ site, job }: BackwardTask): void {
  SiteUrls.of(site).use();
  work(job);
}

function work(job: number): void {
  const exports = kernel();
  try {
    inArena(() => exports.workOnBackward(job));
  } catch (error) {
    // Otherwise the other threads would wait for the parts that this thread has claimed.
    exports.giveUpBackward(job);
    throw error;
  }
}
