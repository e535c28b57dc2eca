// The steps of building the list of all sites, in threads or in the caller: the data are in the heap, and a job tells
// the kernel where.
import { kernel } from '../base/heap.js';
import * as JOB from '../kernel/layout/list-job.js';

/** Indices of the numbers of a job. */
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
export type Job = Readonly<Record<Field, number>>;

export const JOB_WORDS = JOB.JOB_BYTES / 4;

export function writeJob(words: Uint32Array, job: Job): void {
  for (const field of Object.keys(FIELDS) as Field[]) words[FIELDS[field] / 4] = job[field];
}

/** [from, to) of rows, or of stretches when sorting; `job` is its address. */
interface Part {
  readonly job: number;
  readonly from: number;
  readonly to: number;
}

export type ListTask =
  /** Rows and units per stretch, side by side, are added to `counts`. */
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
