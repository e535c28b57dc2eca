// The walk of a site's nodes with threads. They share the work among themselves (kernel/walk/walk); the caller takes
// what they find.
import type { Progress } from '../base/progress.js';
import type { TableCrew } from './crew.js';
import { endWalk, newWalk, type WalkColumns } from './envelope.js';
import type { InstanceOptions } from './instance.js';
import type { SharedSite } from './site-urls.js';

/** At least this many tasks per thread, so that threads end at about the same time. */
const TASKS_PER_THREAD = 24;

export interface SharedWalk {
  readonly site: SharedSite;
  readonly columns: WalkColumns;
  readonly options: InstanceOptions;
}

/** Walks all nodes with threads; `take` gets rows of instances. Consumes the backward order. */
export function walkByThreads(
  crew: TableCrew,
  { site, columns, options }: SharedWalk,
  take: (rows: Uint8Array) => void,
  progress?: Progress,
): void {
  const walk = newWalk(columns, options, Math.ceil(site.count / (TASKS_PER_THREAD * crew.threads)));
  const { tokens, traps } = columns;
  const task = { kind: 'walk' as const, walk, site, columns: { tokens, traps }, options };
  let left = site.count;
  crew.run(
    Array.from({ length: crew.threads }, () => task),
    (found) => {
      if (typeof found !== 'number') return take(found as Uint8Array);
      left -= found;
      progress?.add(found);
    },
  );
  progress?.add(left);
  endWalk(walk);
}
