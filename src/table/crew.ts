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

/** Splits [0, count) into even parts, several per thread. */
export function partsOf(crew: TableCrew, count: number): { readonly from: number; readonly to: number }[] {
  const step = Math.ceil(count / (2 * crew.threads));
  const starts = Array.from({ length: 2 * crew.threads }, (_, k) => k * step);
  return starts.filter((from) => from < count).map((from) => ({ from, to: Math.min(from + step, count) }));
}
