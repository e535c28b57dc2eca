// Makes rows of the instance table: the kernel of this thread makes them from the buckets of one site
// (kernel/instances/instance), one site at a time. Call these in the order
//
//   beginInstances   askForInstances   addBuckets …   handOnRest   askForInstances   …   endInstances
import { calls, kernel, u8At } from '../base/heap.js';
import type { KernelExports } from '../kernel/exports.js';
import { joinWalk, type BucketOptions } from './envelope.js';
import type { UrlOrder } from './order.js';
import { answerAlike } from './similar.js';
import type { SiteUrls } from './site-urls.js';

export interface InstanceOptions extends BucketOptions {
  readonly T_low: number;
  readonly similarity: boolean;
}

/** Takes rows (kernel/layout/instance-row) end to end, in a block of the heap that it must free. */
type RowTaker = (rows: Uint8Array<SharedArrayBuffer>) => void;

let exported: KernelExports | undefined;

/** Columns of the heap. Tokens must not change meanwhile. URLs of crawler traps are marked in `traps`. */
export type InstanceColumns = Pick<UrlOrder, 'tokens' | 'traps'>;

/** Begins a site. Repeats in it are remembered until `endInstances`. */
export function beginInstances(urls: SiteUrls, { tokens, traps }: InstanceColumns, options: InstanceOptions): void {
  exported = kernel();
  urls.use();
  const { S, T_low, T_high, similarity } = options;
  exported.beginInstances(S, T_low, T_high, Number(similarity), tokens.byteOffset, traps.byteOffset);
}

/**
 * Sends instances of the site to `take` from now on. Call it again after this thread may have worked on another list.
 */
export function askForInstances(urls: SiteUrls, take: RowTaker): void {
  urls.use();
  answerAlike(urls);
  calls.give = (address, bytes) => take(u8At(address, bytes));
}

/** Adds the instances of a chunk of buckets (bucket-chunks), and passes on their rows if there are many. */
export function addBuckets(chunk: Int32Array): void {
  exported!.addBuckets(chunk.byteOffset, chunk.byteLength);
}

/** Passes on the remaining rows. */
export function handOnRest(): void {
  exported!.handOnRest();
}

/** Forgets the site, and rows that were not passed on. */
export function endInstances(): void {
  exported?.endInstances();
}

/**
 * Joins a walk of the site and makes instances of its buckets. `take` gets the rows, and `tell` the number of finished
 * rows of the site. Uses the arena of this thread.
 */
export function makeInstances(
  walk: number,
  urls: SiteUrls,
  columns: InstanceColumns,
  options: InstanceOptions,
  take: RowTaker,
  tell: (rows: number) => void,
): void {
  beginInstances(urls, columns, options);
  askForInstances(urls, take);
  joinWalk(walk, { buckets: 'made instances', take: calls.give, tell });
  handOnRest();
  endInstances();
}
