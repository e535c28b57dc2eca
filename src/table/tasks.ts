// The tasks of threads for the tables: building the list, walking nodes, counting instances. Columns are in shared
// memory.
import type { Send } from '../base/crew.js';
import { inArena, kernel } from '../base/heap.js';
import type { KernelExports } from '../kernel/exports.js';
import * as JOB from '../kernel/layout/list-job.js';
import { inCount, rowsOfPart } from './instance-groups.js';
import { type InstanceColumns, type InstanceOptions, makeInstances } from './instance.js';
import { type SharedSite, withSite } from './site-urls.js';

// The list of all sites is made in steps, by threads or by the caller. Its data are in the heap, and a job tells the
// kernel where.

/** Indices of the fields of a job. */
const FIELDS = {
  rows: JOB.ROWS,
  textAt: JOB.TEXT_AT,
  places: JOB.PLACES,
  sizes: JOB.SIZES,
  sites: JOB.SITES,
  placeOf: JOB.PLACE_OF,
  firstRow: JOB.FIRST_ROW,
  firstUnit: JOB.FIRST_UNIT,
  firstStretch: JOB.FIRST_STRETCH,
  roots: JOB.ROOTS,
  stretches: JOB.STRETCHES,
  firstSite: JOB.FIRST_SITE,
  stretchRow: JOB.STRETCH_ROW,
  stretchUnit: JOB.STRETCH_UNIT,
  cuts: JOB.CUTS,
  stretchOf: JOB.STRETCH_OF,
  records: JOB.RECORDS,
  position: JOB.POSITION,
  length: JOB.LENGTH,
  site: JOB.SITE,
  tokens: JOB.TOKENS,
  sharedFirst: JOB.SHARED_FIRST,
} as const;

type Field = keyof typeof FIELDS;

/** Counts, and addresses of columns in the heap. */
type Job = Readonly<Record<Field, number>>;

export const JOB_WORDS = JOB.JOB_BYTES / 4;

export function writeJob(words: Uint32Array, job: Job): void {
  for (const field of Object.keys(FIELDS) as Field[]) words[FIELDS[field] / 4] = job[field];
}

/** Rows [from, to), or stretches when sorting. `job` is an address. */
interface Part {
  readonly job: number;
  readonly from: number;
  readonly to: number;
}

export type ListTask =
  /** Adds to `counts`: rows and units of each stretch, side by side. */
  | (Part & { readonly kind: 'find-stretches'; readonly counts: number })
  /** `next` has the cursors of each stretch: where its next row goes, and its unit. */
  | (Part & { readonly kind: 'scatter'; readonly next: number })
  | (Part & { readonly kind: 'sort-stretches' });

export function performListTask(task: ListTask): void {
  const { job, from, to } = task;
  const { findStretches, scatter, sortStretches } = kernel();
  switch (task.kind) {
    case 'find-stretches':
      return findStretches(job, task.counts, from, to);
    case 'scatter':
      return scatter(job, task.next, from, to);
    case 'sort-stretches':
      return sortStretches(job, from, to);
    default:
      return task satisfies never;
  }
}

/** Joins the walk of a site (`likely-pairs`) until all nodes have been walked. */
export interface WalkTask {
  readonly kind: 'walk';
  readonly walk: number;
  readonly site: SharedSite;
  readonly columns: InstanceColumns;
  readonly options: InstanceOptions;
}

/** Rows of instances, in a block of the heap; or the number of finished rows of the site. */
export type WalkResult = Uint8Array | number;

/** Walks, and sends the results. */
export function performWalk({ walk, site, columns, options }: WalkTask, send: Send<WalkResult>): void {
  const tell = (count: number) => count > 0 && send(count);
  withSite(site, (urls) => inArena(() => makeInstances(walk, urls, columns, options, send, tell)));
}

// Counting has steps too: threads partition rows, then count partitions, or branches that other threads split off
// (`shared-count`).

/** Common to all steps of one count. */
export interface CountJob {
  readonly site: SharedSite;
  readonly MS: number;
  /** Branches of at least this many instances are split off for other threads. */
  readonly least: number;
  /** The number of hash bits that partition the cores. */
  readonly bits: number;
}

export type CountTask =
  | {
      readonly kind: 'deal';
      readonly job: CountJob;
      /** Addresses and bytes of blocks of the heap. */
      readonly blocks: Uint32Array;
    }
  | {
      readonly kind: 'count';
      readonly job: CountJob;
      /** Addresses of all deals, and indices of partitions, in the heap. */
      readonly deals: Uint32Array;
      readonly parts: Int32Array;
      /** The number of partitions that some thread has begun, and the number of rows in finished ones. */
      readonly state: Int32Array;
    }
  | { readonly kind: 'branches'; readonly job: CountJob; readonly branches: number };

/** The address of a deal, or of a result of counting (`Counted`). */
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

/** Counts one partition after another, until all have been begun. */
function countParts({ countPart }: KernelExports, { job, deals, parts, state }: CountTask & { kind: 'count' }): void {
  const all = 1 << job.bits;
  for (let next = Atomics.add(state, 0, 1); next < parts.length; next = Atomics.add(state, 0, 1)) {
    const part = parts[next]!;
    countPart(deals.byteOffset, deals.length, all, part, job.MS);
    for (const dealt of deals) Atomics.add(state, 1, rowsOfPart(dealt, part));
  }
}
