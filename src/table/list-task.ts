// The steps in which threads make the list of all sites, or their caller alone.
import { StretchSorter, scatter, type Cursors, type ListColumns } from './stretch-sort.js';
import { findStretches, type Cuts } from './stretches.js';
import type { TableColumns } from './url-table.js';

/** Where stretches begin, in rows and in units of the list, and where the last one ends. */
export interface Stretches {
  readonly row: Int32Array;
  readonly unit: Float64Array;
}

export type ListTask =
  | {
      readonly kind: 'find-stretches';
      readonly columns: TableColumns;
      readonly cuts: Cuts;
      readonly stretch: Uint16Array;
      readonly from: number;
      readonly to: number;
    }
  | {
      readonly kind: 'scatter';
      readonly columns: TableColumns;
      readonly placeOf: Int32Array;
      readonly stretch: Uint16Array;
      readonly list: ListColumns;
      readonly next: Cursors;
      readonly from: number;
      readonly to: number;
    }
  | {
      readonly kind: 'sort-stretches';
      readonly list: ListColumns;
      readonly stretches: Stretches;
      readonly from: number;
      readonly to: number;
    };

/** Of `find-stretches`: rows of each stretch, then units. Nothing of the others. */
export function performListTask(task: ListTask): Int32Array | undefined {
  const { from, to } = task;
  switch (task.kind) {
    case 'find-stretches':
      return findStretches(task.columns, task.cuts, task.stretch, from, to);
    case 'scatter':
      scatter(task.columns, task.placeOf, task.stretch, task.list, task.next, from, to);
      return undefined;
    case 'sort-stretches': {
      const { row, unit } = task.stretches;
      const sorter = new StretchSorter();
      for (let k = from; k < to; k++) sorter.sort(task.list, row[k]!, row[k + 1]!, unit[k]!, unit[k + 1]!);
      return undefined;
    }
    default:
      return task satisfies never;
  }
}
