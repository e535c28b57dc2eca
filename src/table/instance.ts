// Rows of the instance table: the kernel of this thread makes them out of the buckets of one site (kernel/instances/instance), one site
// at a time.
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

/** Takes rows (kernel/layout/instance-row) end to end, in a block of the heap that is to be given back. */
export type RowTaker = (rows: Uint8Array<SharedArrayBuffer>) => void;

let exported: KernelExports | undefined;

/**
 * Begins a site. What repeats in it is remembered until `endInstances`: `tokens`, in the heap, is to stay as it is until then.
 */
export function beginInstances(urls: SiteUrls, { tokens }: Pick<UrlOrder, 'tokens'>, options: InstanceOptions): void {
  exported ??= kernel();
  urls.use();
  const { S, T_low, T_high, similarity } = options;
  exported.beginInstances(S, T_low, T_high, Number(similarity), tokens.byteOffset);
}

/** Instances of the site go to `take` from now on. To be called again where this thread may have worked on another list since. */
export function askForInstances(urls: SiteUrls, take: RowTaker): void {
  urls.use();
  answerAlike(urls);
  calls.give = (address, bytes) => take(u8At(address, bytes));
}

/** Adds the instances in a chunk of buckets (bucket-chunks), and hands on rows where there are many. */
export function addBuckets(chunk: Int32Array): void {
  exported!.addBuckets(chunk.byteOffset, chunk.byteLength);
}

/** Hands on the rows that there are. */
export function handOnRest(): void {
  exported!.handOnRest();
}

/** Forgets the site, and rows that were not handed on. */
export function endInstances(): void {
  exported?.endInstances();
}

/**
 * Joins a walk of the site, and makes instances of its buckets; `take` gets the rows, `tell` is told of rows of the site that are
 * done. Takes from the arena of this thread.
 */
export function makeInstances(
  walk: number,
  urls: SiteUrls,
  order: Pick<UrlOrder, 'tokens'>,
  options: InstanceOptions,
  take: RowTaker,
  tell: (rows: number) => void,
): void {
  beginInstances(urls, order, options);
  askForInstances(urls, take);
  joinWalk(walk, { buckets: 'made instances', take: calls.give, tell });
  handOnRest();
  endInstances();
}
