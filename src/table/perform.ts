// What a thread of the tables' crew does: one task after another, on columns in shared memory.
import type { Send } from '../base/crew-member.js';
import { performSort } from '../base/sort-shared.js';
import { performBackward } from './backward-steps.js';
import type { TableResult, TableTask } from './crew.js';
import { eachGroup } from './instance-groups.js';
import { performListTask } from './list-task.js';
import { fillForward, fillSharedLast } from './order.js';
import { RowWriter, writePair, type Pair } from './pair.js';
import { SiteUrls } from './site-urls.js';
import { countBranches, createSupport } from './support.js';
import { endWalk, performWalk } from './walk-task.js';

/** Does one task; what comes of it is sent. */
export function perform(task: TableTask, send: Send<TableResult>): void {
  switch (task.kind) {
    case 'assign':
    case 'sort': {
      const result = performSort(task);
      if (result !== undefined) send(result);
      return;
    }
    case 'find-stretches':
    case 'scatter':
    case 'sort-stretches':
      return performListTask(task);
    case 'forward':
      return fillForward(SiteUrls.of(task.site), task.order, task.from, task.to);
    case 'backward': {
      const counts = performBackward(SiteUrls.of(task.site), task.job, task.step);
      if (counts !== undefined) send(counts);
      return;
    }
    case 'last':
      return fillSharedLast(SiteUrls.of(task.site), task.order, task.from, task.to);
    case 'walk':
    case 'open':
    case 'runs':
    case 'buckets':
      return performWalk(task, send);
    case 'count':
    case 'branches':
      return count(task, send);
    default:
      task satisfies never;
  }
}

/** A core of twice as many instances is worth handing on in parts. */
const LARGE = 2;

/** Pairs of a share of the cores, or of a part of one. */
function count(task: TableTask & { kind: 'count' | 'branches' }, send: Send<TableResult>): void {
  endWalk();
  const { options, least } = task;
  const urls = SiteUrls.of(task.site);
  const pairs = new PairWriter();
  const emit = (pair: Pair) => pairs.add(pair);
  const handOn = { least, take: send };
  if (task.kind === 'branches') countBranches(urls, options, emit, handOn, task.branches);
  else {
    const { rows, share } = task;
    const support = createSupport(urls, options, emit, handOn);
    eachGroup(rows, { share, least: options.MS, large: LARGE * least }, support);
  }
  pairs.send(send);
}

/** Pairs end to end, each behind its length. */
class PairWriter {
  readonly #pairs = new RowWriter();
  readonly #one = new RowWriter();

  add(pair: Pair): void {
    const { bytes, length } = writePair(this.#one.clear(), pair);
    this.#pairs.u32(length).raw(bytes.subarray(0, length));
  }

  send(send: Send<TableResult>): void {
    const result = this.#pairs.bytes.slice(0, this.#pairs.length);
    send(result, [result.buffer]);
  }
}
