// The counting of instances by threads: what is there to do, and what comes first?
//
//   branches that were handed on  >  the part with the most rows  >  the next one, and small parts some together
//
// One core may have a third of all instances: it is begun first, and what it hands on goes before all else.
import { giveBack, takeI32, takeU32 } from '../base/heap.js';
import type { Progress } from '../base/progress.js';
import type { CountJob, CountResult, CountTask } from './count-task.js';
import { Counted } from './counted.js';
import type { TableCrew } from './crew.js';
import { blockList, partBits, rowsOfParts } from './instance-groups.js';
import type { InstanceRows, RowBlock } from './instance-rows.js';
import type { TakePairs } from './pair.js';
import type { SharedSite } from './site-urls.js';

/** Tasks for each thread, so that they end at about one time. */
const DEALS_PER_THREAD = 2;
const COUNTS_PER_THREAD = 8;
/** The same for branches, if one core were to have all instances. */
const BRANCHES_PER_THREAD = 6;
const MIN_BRANCH_ROWS = 4096;

export interface SharedCount {
  readonly site: SharedSite;
  readonly rows: InstanceRows;
  /** Least support of a likely pair. */
  readonly MS: number;
}

/** Has threads count all rows. What they need of the arena is to be given back by the caller. */
export function countByThreads(
  crew: TableCrew,
  { site, rows, MS }: SharedCount,
  take: TakePairs,
  progress?: Progress,
): void {
  const least = Math.max(MIN_BRANCH_ROWS, Math.ceil(rows.count / (BRANCHES_PER_THREAD * crew.threads)));
  const job = { site, MS, least, bits: partBits(rows.count) };
  const counted = new Counted(take);
  const deals: number[] = [];
  crew.run(dealTasks(job, rows, DEALS_PER_THREAD * crew.threads), (found) => deals.push(addressIn(found)));
  const tasks = countTasks(job, deals, rows.count / (COUNTS_PER_THREAD * crew.threads), counted, progress);
  crew.run(tasks, (found) => counted.take(addressIn(found)));
  for (const dealt of deals) giveBack({ byteOffset: dealt });
}

function addressIn(found: unknown): number {
  return (found as CountResult).address;
}

/** About as many rows in each of so many tasks. */
function* dealTasks(job: CountJob, rows: InstanceRows, tasks: number): Generator<CountTask> {
  let some: RowBlock[] = [];
  let bytes = 0;
  for (const block of rows.blocks) {
    some.push(block);
    bytes += block.bytes;
    if (bytes < rows.bytes / tasks) continue;
    yield { kind: 'deal', job, blocks: blockList(some) };
    some = [];
    bytes = 0;
  }
  if (some.length > 0) yield { kind: 'deal', job, blocks: blockList(some) };
}

function* countTasks(
  job: CountJob,
  dealt: readonly number[],
  enough: number,
  counted: Counted,
  progress: Progress | undefined,
): Generator<CountTask | undefined> {
  const deals = takeU32(dealt.length);
  deals.set(dealt);
  for (const { parts, rows } of batches(job.bits, dealt, enough)) {
    yield* branchTasks(job, counted);
    yield { kind: 'count', job, deals, parts };
    progress?.add(rows);
  }
  for (;;) {
    yield* branchTasks(job, counted);
    yield undefined;
  }
}

function* branchTasks(job: CountJob, counted: Counted): Generator<CountTask> {
  for (let next = counted.nextBranches(); next !== undefined; next = counted.nextBranches()) {
    yield { kind: 'branches', job, branches: next };
  }
}

interface Batch {
  /** Numbers of parts, in the arena. */
  readonly parts: Int32Array;
  readonly rows: number;
}

/** The parts with the most rows first; those with fewer than `enough` some together. */
function* batches(bits: number, deals: readonly number[], enough: number): Generator<Batch> {
  const rowsOf = new Int32Array(1 << bits);
  for (const dealt of deals) rowsOfParts(dealt, rowsOf.length).forEach((rows, part) => (rowsOf[part]! += rows));
  const order = Array.from(rowsOf.keys()).filter((part) => rowsOf[part]! > 0);
  order.sort((a, b) => rowsOf[b]! - rowsOf[a]!);
  const inOrder = takeI32(order.length);
  inOrder.set(order);
  let [start, rows] = [0, 0];
  for (const [k, part] of order.entries()) {
    rows += rowsOf[part]!;
    if (rows < enough && k + 1 < order.length) continue;
    yield { parts: inOrder.subarray(start, k + 1), rows };
    [start, rows] = [k + 1, 0];
  }
}
