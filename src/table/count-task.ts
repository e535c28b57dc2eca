// The steps of counting in threads: they partition rows, then count partitions, or branches that others have split off
// (`shared-count`).
import { kernel } from '../base/heap.js';
import type { Send } from '../base/crew-member.js';
import type { KernelExports } from '../kernel/exports.js';
import { inCount, rowsOfPart } from './instance-groups.js';
import { withSite, type SharedSite } from './site-urls.js';

/** What all steps of one count have in common. */
export interface CountJob {
  readonly site: SharedSite;
  readonly MS: number;
  /** Branches of at least this many instances are split off for other threads. */
  readonly least: number;
  /** The number of hash bits by which cores are partitioned. */
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
      /** Addresses of all deals, and indices of partitions, in the heap. */
      readonly deals: Uint32Array;
      readonly parts: Int32Array;
      /** For these: how many were begun by any thread, and the rows of those that are done. */
      readonly state: Int32Array;
    }
  | { readonly kind: 'branches'; readonly job: CountJob; readonly branches: number };

/** The address of a deal, or of a result of counting (`counted`). */
export type CountResult = number;

/** Performs one step, and sends the result. */
export function performCount(task: CountTask, send: Send<CountResult>): void {
  const { site, MS, least } = task.job;
  if (task.kind === 'deal') return send(dealRows(task));
  const take = (address: number) => send(address);
  withSite(site, (urls) => {
    inCount(urls, { MS, least }, take, (exports) => {
      if (task.kind === 'branches') exports.countBranches(task.branches);
      else countParts(exports, task);
    });
  });
}

function dealRows({ job, blocks }: CountTask & { kind: 'deal' }): number {
  return kernel().deal(blocks.byteOffset, blocks.length / 2, job.bits) >>> 0;
}

/** Counts one partition after another, as long as there is one that no thread has begun. */
function countParts({ countPart }: KernelExports, { job, deals, parts, state }: CountTask & { kind: 'count' }): void {
  const all = 1 << job.bits;
  for (let next = Atomics.add(state, 0, 1); next < parts.length; next = Atomics.add(state, 0, 1)) {
    const part = parts[next]!;
    countPart(deals.byteOffset, deals.length, all, part, job.MS);
    for (const dealt of deals) Atomics.add(state, 1, rowsOfPart(dealt, part));
  }
}
