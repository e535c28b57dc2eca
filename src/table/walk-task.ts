// What a thread does in the walk of a site (see shared-walk): it joins until all nodes have been walked.
import type { Send } from '../base/crew-member.js';
import { inArena } from '../base/heap.js';
import { makeInstances, type InstanceColumns, type InstanceOptions } from './instance.js';
import { withSite, type SharedSite } from './site-urls.js';

export interface WalkTask {
  readonly kind: 'walk';
  readonly walk: number;
  readonly site: SharedSite;
  readonly columns: InstanceColumns;
  readonly options: InstanceOptions;
}

/** Rows of instances, in a block of the heap; or how many rows of the site are done. */
export type WalkResult = Uint8Array | number;

/** Walks, and sends the results. */
export function performWalk({ walk, site, columns, options }: WalkTask, send: Send<WalkResult>): void {
  const tell = (count: number) => count > 0 && send(count);
  withSite(site, (urls) => inArena(() => makeInstances(walk, urls, columns, options, send, tell)));
}
