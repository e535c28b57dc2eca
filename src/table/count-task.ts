// The steps in which threads count: they deal rows, and then count parts, or branches that others have handed on (`shared-count`).
import { kernel } from '../base/heap.js';
import type { Send } from '../base/crew-member.js';
import type { KernelExports } from '../kernel/exports.js';
import { inCount, rowsOfPart } from './instance-groups.js';
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
      /** Of these: how many were begun by any thread, and the rows of those that are done. */
      readonly state: Int32Array;
    }
  | { readonly kind: 'branches'; readonly job: CountJob; readonly branches: number };

/** The address of a deal, or of what was counted (`counted`). */
export type CountResult = number;

/** Does one step; what comes of it is sent. */
export function performCount(task: CountTask, send: Send<CountResult>): void {
  const { site, MS, least } = task.job;
  if (task.kind === 'deal') return send(dealRows(task));
  const take = (address: number) => send(address);
  inCount(SiteUrls.of(site), { MS, least }, take, (exports) => {
    if (task.kind === 'branches') exports.countBranches(task.branches);
    else countParts(exports, task);
  });
}

function dealRows({ job, blocks }: CountTask & { kind: 'deal' }): number {
  return kernel().deal(blocks.byteOffset, blocks.length / 2, job.bits) >>> 0;
}

/** Counts one part after another, as long as there is one that nobody has begun. */
function countParts({ countPart }: KernelExports, { job, deals, parts, state }: CountTask & { kind: 'count' }): void {
  const all = 1 << job.bits;
  for (let next = Atomics.add(state, 0, 1); next < parts.length; next = Atomics.add(state, 0, 1)) {
    const part = parts[next]!;
    countPart(deals.byteOffset, deals.length, all, part, job.MS);
    for (const dealt of deals) Atomics.add(state, 1, rowsOfPart(dealt, part));
  }
}
