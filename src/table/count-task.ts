// The steps in which threads count: they deal rows, and then count parts, or branches that others have handed on (`shared-count`).
import { kernel } from '../base/heap.js';
import type { Send } from '../base/crew-member.js';
import { inCount, type CountExports } from './instance-groups.js';
import { SiteUrls, type SharedSite } from './site-urls.js';

/** What all steps of one count have in common. */
export interface CountJob {
  readonly site: SharedSite;
  readonly MS: number;
  /** Branches of so many instances are handed on. */
  readonly least: number;
  /** By how many bits of their hashes cores are dealt. */
  readonly bits: number;
}

export type CountTask =
  | {
      readonly kind: 'deal';
      readonly job: CountJob;
      /** Addresses and bytes of blocks, in the heap. */
      readonly blocks: Uint32Array;
    }
  | {
      readonly kind: 'count';
      readonly job: CountJob;
      /** Addresses of all deals, and numbers of parts, in the heap. */
      readonly deals: Uint32Array;
      readonly parts: Int32Array;
    }
  | { readonly kind: 'branches'; readonly job: CountJob; readonly branches: number };

/** The address of a deal, or of what was counted (`counted`). */
export interface CountResult {
  readonly kind: 'dealt' | 'counted';
  readonly address: number;
}

/** Does one step; what comes of it is sent. */
export function performCount(task: CountTask, send: Send<CountResult>): void {
  const { site, MS, least, bits } = task.job;
  if (task.kind === 'deal') {
    const { blocks } = task;
    const address = kernel<CountExports>().deal(blocks.byteOffset, blocks.length / 2, bits) >>> 0;
    return send({ kind: 'dealt', address });
  }
  const take = (address: number) => send({ kind: 'counted', address });
  inCount(SiteUrls.of(site), { MS, least }, take, ({ countPart, countBranches }) => {
    if (task.kind === 'branches') return countBranches(task.branches);
    const { deals, parts } = task;
    for (const part of parts) countPart(deals.byteOffset, deals.length, 1 << bits, part, MS);
  });
}
