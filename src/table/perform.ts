// What a thread of the tables' crew does: one task after another, on columns in shared memory.
import type { Send } from '../base/crew.js';
import { performBackward } from './backward.js';
import type { TableResult, TableTask } from './crew.js';
import { fillForward } from './order.js';
import { performCount, performListTask, performWalk } from './tasks.js';
import { withSite } from './site-urls.js';

/** Performs one task, and sends the result. */
export function perform(task: TableTask, send: Send<TableResult>): void {
  switch (task.kind) {
    case 'find-stretches':
    case 'scatter':
    case 'sort-stretches': {
      const result = performListTask(task);
      if (result !== undefined) send(result);
      return;
    }
    case 'forward':
      return withSite(task.site, (urls) => fillForward(urls, task.order, task.from, task.to));
    case 'backward':
      return performBackward(task);
    case 'walk':
      return performWalk(task, send);
    case 'deal':
    case 'count':
    case 'branches':
      return performCount(task, send);
    default:
      task satisfies never;
  }
}
