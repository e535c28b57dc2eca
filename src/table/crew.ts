// The tasks that threads perform for the tables, and the number of URLs from which threads are worth while.
import type { Crew } from '../base/crew.js';
import type { BackwardTask } from './backward.js';
import type { UrlOrder } from './order.js';
import type { SharedSite } from './site-urls.js';
import type { CountResult, CountTask, ListTask, WalkResult, WalkTask } from './tasks.js';

export type TableTask =
  | ListTask
  | BackwardTask
  | {
      readonly kind: 'forward';
      readonly site: SharedSite;
      readonly order: UrlOrder;
      readonly from: number;
      readonly to: number;
    }
  | WalkTask
  | CountTask;

/** Counts of a sort or of stretches, results of the walk, or addresses of results of counting. */
export type TableResult = Int32Array | WalkResult | CountResult;

/** Its threads may also perform tasks of other modules, and send their results. */
export type TableCrew = Crew<TableTask, unknown, never, unknown>;

/** Below this, threads cost more than they save. */
export const MIN_SHARED_URLS = 40_000;

/** Parts per thread, so that threads end at about the same time. */
const PARTS_PER_THREAD = 4;

/** Splits [0, count) into even parts, several per thread; one part without threads. */
export function partsOf(count: number, crew: TableCrew | undefined): { readonly from: number; readonly to: number }[] {
  const parts = crew === undefined ? 1 : Math.min(count, PARTS_PER_THREAD * crew.threads);
  const startOf = (part: number) => Math.floor((part * count) / parts);
  return Array.from({ length: parts }, (_, part) => ({ from: startOf(part), to: startOf(part + 1) }));
}
