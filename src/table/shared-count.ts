// The counting of instances by threads, in two steps.
//
//   deal     each thread deals some blocks of rows to parts of the cores
//   count    each takes the part with the most rows that nobody has begun, and then the branches that others have handed on
//
// One core may have a third of all instances: its part is the first, and what is handed on of it is there when others are free.
import { giveBack, takeI32, takeU32 } from '../base/heap.js';
import type { Progress } from '../base/progress.js';
import type { CountJob, CountResult, CountTask } from './count-task.js';
import { Counted } from './counted.js';
import type { TableCrew } from './crew.js';
import { blockList, partBits, rowsOfPart } from './instance-groups.js';
import type { InstanceRows } from './instance-rows.js';
import type { TakePairs } from './pair.js';
import type { SharedSite } from './site-urls.js';

/** Tasks for each thread, so that they end at about one time; of branches, if one core were to have all instances. */
const DEALS_PER_THREAD = 2;
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
  crew.run(dealTasks(job, rows, DEALS_PER_THREAD * crew.threads), (found) => deals.push(found as CountResult));
  const parts = partsOf(job.bits, deals);
  const state = takeI32(2).fill(0);
  const tasks = countTasks({ kind: 'count', job, deals: listOf(deals), parts, state }, crew.threads, counted);
  let told = 0;
  crew.run(tasks, (found) => {
    counted.take(found as CountResult);
    progress?.add(state[1]! - told);
    told = state[1]!;
  });
  progress?.add(rows.count - told);
  for (const dealt of deals) giveBack({ byteOffset: dealt });
}

function listOf(addresses: readonly number[]): Uint32Array {
  const list = takeU32(addresses.length);
  list.set(addresses);
  return list;
}

/** About as many rows in each of so many tasks. */
function* dealTasks(job: CountJob, rows: InstanceRows, tasks: number): Generator<CountTask> {
  let some: Uint8Array[] = [];
  let bytes = 0;
  for (const block of rows.blocks) {
    some.push(block);
    bytes += block.length;
    if (bytes < rows.bytes / tasks) continue;
    yield { kind: 'deal', job, blocks: blockList(some) };
    some = [];
    bytes = 0;
  }
  if (some.length > 0) yield { kind: 'deal', job, blocks: blockList(some) };
}

/** Parts that have rows, those with the most first, in the arena. */
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

/** One task for each thread, and then branches, as they come. */
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
