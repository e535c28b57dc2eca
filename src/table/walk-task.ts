// What a thread does in the walk of a site (see shared-walk): it joins in until all nodes have been walked.
import { inArena } from '../base/heap.js';
import type { Send } from '../base/crew-member.js';
import { eachOfChunk } from './bucket-chunks.js';
import { joinWalk } from './envelope.js';
import { instanceVisitor, RowChunks, type InstanceOptions } from './instance.js';
import type { UrlOrder } from './order.js';
import { SiteUrls, type SharedSite } from './site-urls.js';

export interface WalkTask {
  readonly kind: 'walk';
  readonly walk: number;
  readonly site: SharedSite;
  readonly order: Pick<UrlOrder, 'tokens'>;
  readonly options: InstanceOptions;
}

/** Rows of instances in shared memory; or how many rows of the site are done. */
export type WalkResult = Uint8Array | number;

/** Walks; what comes of it is sent. */
export function performWalk({ walk, site, order, options }: WalkTask, send: Send<WalkResult>): void {
  const urls = SiteUrls.of(site);
  const rows = new RowChunks('shared');
  const visit = instanceVisitor(urls, order, options, rows);
  inArena(() => {
    urls.use();
    joinWalk(walk, {
      buckets: 'written down',
      take: (address, bytes) => eachOfChunk(address, bytes, visit),
      tell: (count) => {
        for (const chunk of rows.take()) send(chunk);
        if (count > 0) send(count);
      },
    });
  });
}
