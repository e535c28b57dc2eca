// Counting instances with threads, in two steps.
//
//   deal     each thread partitions some blocks of rows by the hash of their core
//   count    each takes the largest partition that nobody has begun, and later branches that other threads split off
//
// One core may have a third of all instances. So its partition comes first, and the branches that are split off from it
// are ready when other threads are free.
import { giveBack, takeI32, takeU32 } from '../base/heap.js';
import type { Progress } from '../base/progress.js';
import { ROW } from '../kernel/layout/instance-row.js';
import type { TableCrew } from './crew.js';
import { Counted, partBits, rowsOfPart } from './instance-groups.js';
import { blockList, type RowBlocks } from './instance-rows.js';
import type { TakePairs } from './pair.js';
import type { SharedSite } from './site-urls.js';
import type { CountJob, CountResult, CountTask } from './tasks.js';

/** Tasks per thread, so that threads end at about the same time. Branches are for a core that has most instances. */
const DEALS_PER_THREAD = 2;
const BRANCHES_PER_THREAD = 6;
const MIN_BRANCH_ROWS = 4096;

interface SharedCount {
  readonly site: SharedSite;
  readonly rows: RowBlocks;
  /** Minimum support of a likely pair. */
  readonly MS: number;
}

/** Counts rows with threads. The caller frees the arena memory that this uses. */
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
  crew.run(dealTasks(job, rows, DEALS_PER_THREAD * crew.threads), (found) => deals.push(found as CountResult));
  const parts = partsOf(job.bits, deals);
  const state = takeI32(2).fill(0);
  const tasks = countTasks({ kind: 'count', job, deals: listOf(deals), parts, state }, crew.threads, counted);
  let reported = 0;
  crew.run(tasks, (found) => {
    counted.take(found as CountResult);
    progress?.add(state[1]! - reported);
    reported = state[1]!;
  });
  progress?.add(rows.count - reported);
  for (const dealt of deals) giveBack({ byteOffset: dealt });
}

function listOf(addresses: readonly number[]): Uint32Array {
  const list = takeU32(addresses.length);
  list.set(addresses);
  return list;
}

/** Splits the rows into tasks with about the same number of rows. */
function* dealTasks(job: CountJob, rows: RowBlocks, tasks: number): Generator<CountTask> {
  let some: Uint8Array[] = [];
  let bytes = 0;
  for (const block of rows.blocks) {
    some.push(block);
    bytes += block.length;
    if (bytes < (rows.count * ROW) / tasks) continue;
    yield { kind: 'deal', job, blocks: blockList(some) };
    some = [];
    bytes = 0;
  }
  if (some.length > 0) yield { kind: 'deal', job, blocks: blockList(some) };
}

/** The non-empty partitions, largest first, in the arena. */
function partsOf(bits: number, deals: readonly number[]): Int32Array {
  const rowsOf = Array.from({ length: 1 << bits }, (_, part) =>
    deals.reduce((rows, dealt) => rows + rowsOfPart(dealt, part), 0),
  );
  const order = Array.from(rowsOf.keys()).filter((part) => rowsOf[part]! > 0);
  order.sort((a, b) => rowsOf[b]! - rowsOf[a]!);
  const parts = takeI32(order.length);
  parts.set(order);
  return parts;
}

/** One task per thread, then branches as they come. */
function* countTasks(
  task: CountTask & { readonly kind: 'count' },
  threads: number,
  counted: Counted,
): Generator<CountTask | undefined> {
  for (let k = 0; k < Math.min(threads, task.parts.length); k++) yield task;
  for (;;) {
    const branches = counted.nextBranches();
    yield branches === undefined ? undefined : { kind: 'branches', job: task.job, branches };
  }
}
