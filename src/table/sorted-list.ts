// Makes the list of all sites in order from the frozen URL table, by sample sort: copies records to their stretches
// (partitions) and sorts each stretch, with threads if there are many. The table can be freed before the sorting
// begins.
import { alloc, giveBack, i32At, inArena, kernel, newU32, takeI32, u16At, u32At, u8At } from '../base/heap.js';
import { UNIT } from '../kernel/layout/record.js';
import { MIN_SHARED_URLS, partsOf, type TableCrew } from './crew.js';
import type { Forward, SiteWindow } from './site-urls.js';
import type { Layout } from './stretches.js';
import { JOB_WORDS, type ListTask, performListTask, writeJob } from './tasks.js';
import type { TableColumns } from './url-table.js';

/** A list that is being made, all sites one after another. Columns are by row. */
interface ListColumns extends Forward {
  /** The records. */
  readonly bytes: Uint8Array;
  /** The position of the URL, in units, within the records of its site. */
  readonly position: Uint32Array;
  readonly length: Uint16Array;
}

/** Needed until the list is complete. */
interface Making {
  /** Address of the job. */
  readonly job: number;
  readonly blocks: readonly Column[];
}

/** Where each stretch begins, in rows and in units of the list; one more entry for the end of the last. */
interface Starts {
  readonly stretchRow: Uint32Array;
  readonly stretchUnit: Uint32Array;
}

type Column = Int32Array | Uint32Array | Uint16Array;

/** All sites of a table, one after another: first scattered (`of`), then sorted (`sort`), then read. */
export class SortedList {
  readonly #layout: Layout;
  readonly #list: ListColumns;
  readonly #making: Making;
  readonly #crew: TableCrew | undefined;

  constructor(layout: Layout, list: ListColumns, making: Making, crew: TableCrew | undefined) {
    this.#layout = layout;
    this.#list = list;
    this.#making = making;
    this.#crew = crew;
  }

  /** A list of everything in the table, which can be freed afterwards. Positions of text are relative to `textAt`. */
  static of(columns: TableColumns, layout: Layout, crew: TableCrew | undefined, textAt = 0): SortedList {
    const { rows } = columns;
    const helpers = rows < MIN_SHARED_URLS ? undefined : crew;
    const list = listFor(rows, layout);
    const starts = { stretchRow: newU32(layout.stretches + 1), stretchUnit: newU32(layout.stretches + 1) };
    const making = makingFor(columns, layout, list, starts, textAt);
    const { job } = making;
    const cuts = findCuts(job, layout);
    const parts = partsOf(rows, helpers);
    const next = newU32(parts.length * 2 * layout.stretches);
    const nextAt = (part: number) => next.byteOffset + part * 2 * layout.stretches * 4;
    run(
      helpers,
      parts.map((part, k) => ({ kind: 'find-stretches', job, counts: nextAt(k), ...part })),
    );
    if (cuts !== 0) giveBack({ byteOffset: cuts });
    setCursors(next, starts);
    run(
      helpers,
      parts.map((part, k) => ({ kind: 'scatter', job, next: nextAt(k), ...part })),
    );
    giveBack(next);
    return new SortedList(layout, list, making, helpers);
  }

  /** Sorts all rows, and computes what each row shares with the row before. */
  sort(): this {
    const { job, blocks } = this.#making;
    const parts = partsOf(this.#layout.stretches, this.#crew);
    run(
      this.#crew,
      parts.map((part) => ({ kind: 'sort-stretches', job, ...part })),
    );
    // Sorting a stretch does not look at the stretch before.
    kernel().joinStretches(job);
    for (const block of blocks) giveBack(block);
    return this;
  }

  get names(): readonly string[] {
    return this.#layout.names;
  }

  /** Bytes of the records of all sites. */
  get recordBytes(): number {
    return this.#list.bytes.length;
  }

  /** Frees the memory of all sites. */
  close(): void {
    for (const column of Object.values(this.#list)) giveBack(column);
  }

  /** The rows of one site. */
  window(site: number): SiteWindow {
    const { firstRow, firstUnit } = this.#layout;
    const { bytes, position, length, tokens, sharedFirst } = this.#list;
    const [from, to] = [firstRow[site]!, firstRow[site + 1]!];
    return {
      count: to - from,
      bytes: bytes.subarray(firstUnit[site]! * UNIT, firstUnit[site + 1]! * UNIT),
      position: position.subarray(from, to),
      length: length.subarray(from, to),
      forward: { tokens: tokens.subarray(from, to), sharedFirst: sharedFirst.subarray(from, to) },
    };
  }
}

/** The columns are not initialized, so that threads are the first to touch their pages. */
function listFor(rows: number, { firstUnit }: Layout): ListColumns {
  const recordBytes = firstUnit.at(-1)! * UNIT;
  return {
    bytes: u8At(alloc(recordBytes), recordBytes),
    position: u32At(alloc(4 * rows), rows),
    length: u16At(alloc(2 * rows), rows),
    tokens: u16At(alloc(2 * rows), rows),
    sharedFirst: u16At(alloc(2 * rows), rows),
  };
}

function makingFor(columns: TableColumns, layout: Layout, list: ListColumns, starts: Starts, textAt: number): Making {
  const { rows, places, sizes, sites } = columns;
  const { stretches } = layout;
  const made = {
    ...starts,
    placeOf: inHeap(layout.placeOf),
    firstRow: inHeap(layout.firstRow),
    firstUnit: inHeap(layout.firstUnit),
    firstStretch: inHeap(layout.firstStretch),
    firstSite: inHeap(layout.firstSite),
    roots: newU32(layout.names.length),
    cuts: newU32(2 * stretches),
    stretchOf: u16At(alloc(2 * rows), rows),
    site: i32At(alloc(4 * rows), rows),
  };
  const { bytes: records, ...ofList } = list;
  const job = newU32(JOB_WORDS);
  writeJob(job, { rows, textAt, stretches, ...addressesOf({ places, sizes, sites, records, ...ofList, ...made }) });
  return { job: job.byteOffset, blocks: [job, ...Object.values(made)] };
}

function inHeap(column: Int32Array | Uint32Array): Uint32Array {
  const block = u32At(alloc(4 * column.length), column.length);
  block.set(column);
  return block;
}

function addressesOf<K extends string>(
  columns: Readonly<Record<K, { readonly byteOffset: number }>>,
): Record<K, number> {
  const entries = Object.entries<{ readonly byteOffset: number }>(columns);
  return Object.fromEntries(entries.map(([name, { byteOffset }]) => [name, byteOffset])) as Record<K, number>;
}

/** Finds the splitters (cuts) of large sites. Returns the block with them, or 0. */
function findCuts(job: number, { names, cuts }: Layout): number {
  return inArena(() => {
    const cutsOf = takeI32(names.length);
    cutsOf.set(cuts);
    return kernel().findCuts(job, names.length, cutsOf.byteOffset) >>> 0;
  });
}

/**
 * Finds where stretches start, and turns the counts of rows and units per part and stretch into the offsets where each
 * part writes (prefix sums).
 */
function setCursors(next: Uint32Array, { stretchRow, stretchUnit }: Starts): void {
  const stretches = stretchRow.length - 1;
  let [row, unit] = [0, 0];
  for (let stretch = 0; stretch < stretches; stretch++) {
    stretchRow[stretch] = row;
    stretchUnit[stretch] = unit;
    for (let at = 2 * stretch; at < next.length; at += 2 * stretches) {
      const [rows, units] = [next[at]!, next[at + 1]!];
      next[at] = row;
      next[at + 1] = unit;
      row += rows;
      unit += units;
    }
  }
  stretchRow[stretches] = row;
  stretchUnit[stretches] = unit;
}

function run(crew: TableCrew | undefined, tasks: readonly ListTask[]): void {
  if (crew === undefined) for (const task of tasks) performListTask(task);
  else crew.run(tasks, () => undefined);
}
