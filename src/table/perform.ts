// What a thread of the tables' crew does: one task after another, on columns in shared memory.
import type { Send } from '../base/crew-member.js';
import { performSort } from '../base/sort-shared.js';
import { performBackward } from './backward-steps.js';
import { eachOfChunk } from './bucket-chunks.js';
import type { TableResult, TableTask, WalkJob } from './crew.js';
import { eachBucketIn, type BucketVisitor } from './envelope.js';
import { instanceVisitor, RowChunks } from './instance.js';
import { eachGroup } from './instance-groups.js';
import { performListTask } from './list-task.js';
import { fillForward, fillSharedLast } from './order.js';
import { RowWriter, writePair, type Pair } from './pair.js';
import { SiteUrls } from './site-urls.js';
import { createSupport } from './support.js';

interface Walking {
  readonly number: number;
  readonly visit: BucketVisitor;
  readonly rows: RowChunks;
}

/** What is kept from one part of a walk to the next. */
let walk: Walking | undefined;

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
    case 'sort-stretches': {
      const result = performListTask(task);
      if (result !== undefined) send(result);
      return;
    }
    case 'forward':
      return fillForward(SiteUrls.of(task.site), task.order, task.from, task.to);
    case 'backward': {
      const counts = performBackward(SiteUrls.of(task.site), task.job, task.step);
      if (counts !== undefined) send(counts);
      return;
    }
    case 'last':
      return fillSharedLast(SiteUrls.of(task.site), task.order, task.from, task.to);
    case 'walk': {
      const { visit, rows } = walkOf(task.job);
      eachBucketIn(task.job.columns, task.job.options, task.nodes, visit);
      for (const chunk of rows.take()) send(chunk);
      return;
    }
    case 'buckets': {
      const { visit, rows } = walkOf(task.job);
      eachOfChunk(task.chunk, visit);
      for (const chunk of rows.take()) send(chunk);
      return;
    }
    case 'count':
      return count(task, send);
    default:
      task satisfies never;
  }
}

function walkOf({ number, site, columns, options }: WalkJob): Walking {
  if (walk?.number === number) return walk;
  const rows = new RowChunks('shared');
  return (walk = { number, rows, visit: instanceVisitor(SiteUrls.of(site), columns, options, rows) });
}

/** Pairs of a share of the cores. */
function count(task: TableTask & { kind: 'count' }, send: Send<TableResult>): void {
  walk = undefined;
  const urls = SiteUrls.of(task.site);
  const pairs = new PairWriter();
  const support = createSupport(urls, task.options, (pair) => pairs.add(pair));
  eachGroup(task.rows, task.share, task.options.MS, support);
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
