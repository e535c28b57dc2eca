// Sorts byte strings in several threads: a sample says where to cut, every thread says of its part of the rows between which
// cuts they belong, then each stretch between two cuts is sorted by itself (a sample sort).
//
//   rows       | part of thread 1 | part of thread 2 | …        in the order they came
//   stretch    | 3 0 0 2 1 0 …                                  between which cuts a row belongs
//   sorted     | stretch 0 … | stretch 1 … | …
import { compareByteStrings, sortByteStrings, type ByteStrings } from './sort.js';

export interface SharedStrings extends ByteStrings {
  readonly start: Uint32Array | Int32Array | Float64Array;
  readonly end: Uint32Array | Int32Array | Float64Array;
}

/** All columns lie in shared memory. */
export interface SharedSort {
  readonly strings: SharedStrings;
  readonly order: 'forward' | 'backward';
  /** The rows to sort, ascending; sorted in the end. */
  readonly rows: Int32Array;
  readonly stretch: Uint8Array;
  readonly before: Int32Array;
  readonly cuts: Int32Array;
}

export type SortTask =
  | { readonly kind: 'assign'; readonly sort: SharedSort; readonly from: number; readonly to: number }
  | {
      readonly kind: 'sort';
      readonly sort: SharedSort;
      readonly stretch: number;
      readonly at: number;
      readonly count: number;
    };

/** For each stretch, how many rows were assigned to it; nothing after sorting. */
export type SortResult = Int32Array;

/** Threads that do such tasks, and maybe others. */
export interface SortCrew {
  readonly threads: number;
  run(tasks: Iterable<SortTask>, onPart: (value: unknown) => void): void;
}

/** Stretches for each thread: so that one that is longer than the sample said holds nobody up for long. */
const PER_THREAD = 3;
const SAMPLES = 64;

/** Sorts `rows`, which ascend, as `sortByteStrings` does. */
export function sortShared(
  crew: SortCrew,
  rows: Int32Array,
  strings: SharedStrings,
  order: 'forward' | 'backward',
): void {
  const stretches = Math.min(PER_THREAD * crew.threads, 256);
  const sort: SharedSort = {
    strings,
    order,
    rows,
    stretch: new Uint8Array(new SharedArrayBuffer(rows.length)),
    before: new Int32Array(new SharedArrayBuffer(rows.length * 4)),
    cuts: cutsOf(rows, strings, order, stretches),
  };
  sort.before.set(rows);
  const counts = new Int32Array(stretches);
  const step = Math.ceil(rows.length / crew.threads);
  const parts = Array.from({ length: crew.threads }, (_, k) => k * step).filter((from) => from < rows.length);
  crew.run(
    parts.map((from) => ({ kind: 'assign', sort, from, to: Math.min(from + step, rows.length) })),
    (found) => {
      for (let k = 0; k < stretches; k++) counts[k]! += (found as SortResult)[k]!;
    },
  );
  let at = 0;
  const tasks: SortTask[] = [];
  for (let stretch = 0; stretch < stretches; at += counts[stretch++]!) {
    if (counts[stretch]! > 0) tasks.push({ kind: 'sort', sort, stretch, at, count: counts[stretch]! });
  }
  crew.run(tasks, () => undefined);
}

/** Rows that stand about evenly apart in the sorted order. */
function cutsOf(rows: Int32Array, strings: ByteStrings, order: 'forward' | 'backward', stretches: number): Int32Array {
  const samples = Math.min(rows.length, SAMPLES * stretches);
  const sample = Int32Array.from({ length: samples }, (_, k) => rows[Math.floor((k * rows.length) / samples)]!);
  sortByteStrings(sample, strings, order);
  return Int32Array.from({ length: stretches - 1 }, (_, k) => sample[Math.floor(((k + 1) * samples) / stretches)]!);
}

/** One task, in a thread. */
export function performSort(task: SortTask): SortResult | undefined {
  return task.kind === 'assign' ? assign(task.sort, task.from, task.to) : sortStretch(task);
}

function assign({ strings, order, before, stretch, cuts }: SharedSort, from: number, to: number): SortResult {
  const counts = new Int32Array(cuts.length + 1);
  for (let k = from; k < to; k++) {
    let low = 0;
    let high = cuts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareByteStrings(strings, order, before[k]!, cuts[middle]!) < 0) high = middle;
      else low = middle + 1;
    }
    stretch[k] = low;
    counts[low]!++;
  }
  return counts;
}

function sortStretch({ sort, stretch, at, count }: SortTask & { kind: 'sort' }): undefined {
  const rows = sort.rows.subarray(at, at + count);
  for (let k = 0, next = 0; next < count; k++) if (sort.stretch[k] === stretch) rows[next++] = sort.before[k]!;
  sortByteStrings(rows, sort.strings, sort.order);
}
