// The steps in which threads make the list of all sites, or their caller alone: what they work on lies in the heap, and a job tells
// the kernel where.
import { kernel } from '../base/heap.js';

/** Numbers of a job, in the order of kernel/list/list-job. */
export const FIELDS = [
  ...(['rows', 'textAt', 'places', 'sizes', 'sites'] as const),
  ...(['placeOf', 'firstRow', 'firstUnit', 'firstStretch', 'roots'] as const),
  ...(['stretches', 'firstSite', 'stretchRow', 'stretchUnit', 'cuts'] as const),
  ...(['stretchOf'] as const),
  ...(['records', 'position', 'length', 'site', 'tokens', 'sharedFirst'] as const),
];

/** Counts, and addresses of columns in the heap. */
export type Job = Readonly<Record<(typeof FIELDS)[number], number>>;

export const JOB_WORDS = FIELDS.length;

export function writeJob(words: Uint32Array, job: Job): void {
  FIELDS.forEach((field, k) => (words[k] = job[field]));
}

/** [from, to) of rows or, to sort, of stretches; `job` is the address of one. */
interface Part {
  readonly job: number;
  readonly from: number;
  readonly to: number;
}

export type ListTask =
  /** Rows and units of each stretch, side by side, are added to at `counts`. */
  | (Part & { readonly kind: 'find-stretches'; readonly counts: number })
  /** Where the next row of each stretch goes, and its unit, is at `next`. */
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
