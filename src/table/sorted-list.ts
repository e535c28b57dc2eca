// From the frozen URL table to all sites in order: has the records copied to their stretches and these sorted, by threads if
// there are many. The table can go before the sorting begins.
import { memoryFor } from '../base/crew.js';
import { giveBack, newI32, newU16, newU32, newU8 } from '../base/heap.js';
import { MIN_SHARED_URLS, type TableCrew } from './crew.js';
import { setForward } from './forward.js';
import { performListTask, type ListTask, type Stretches } from './list-task.js';
import { UNIT, type SiteWindow } from './site-urls.js';
import type { Cursors, ListColumns } from './stretch-sort.js';
import { cutsOf, type Layout } from './stretches.js';
import type { TableColumns } from './url-table.js';

/** Parts for each thread, so that they end at about one time. */
const PARTS_PER_THREAD = 4;

/** All sites of a table, one after another; first scattered (`of`), then sorted (`sort`), then looked at. */
export class SortedList {
  readonly #layout: Layout;
  readonly #list: ListColumns;
  readonly #stretches: Stretches;
  readonly #crew: TableCrew | undefined;

  constructor(layout: Layout, list: ListColumns, stretches: Stretches, crew: TableCrew | undefined) {
    this.#layout = layout;
    this.#list = list;
    this.#stretches = stretches;
    this.#crew = crew;
  }

  /** A list with all that is in the table, which is of no use to it any more. */
  static of(columns: TableColumns, layout: Layout, crew: TableCrew | undefined): SortedList {
    const { rows } = columns;
    const { placeOf, stretches } = layout;
    const helpers = rows < MIN_SHARED_URLS ? undefined : crew;
    const parts = partsOf(rows, helpers);
    const stretch = new Uint16Array(memoryFor(crew, rows * 2));
    const cuts = cutsOf(columns, layout, crew);
    const counts = run(
      helpers,
      parts.map((part) => ({ kind: 'find-stretches', columns, cuts, stretch, ...part })),
    );
    const { next, starts } = cursorsOf(counts, stretches);
    const list = listFor(rows, layout);
    run(
      helpers,
      parts.map((part, k) => ({ kind: 'scatter', columns, placeOf, stretch, list, next: next[k]!, ...part })),
    );
    return new SortedList(layout, list, starts, helpers);
  }

  /** Puts all rows in order, and says of each what it shares with the one before. */
  sort(): this {
    const [list, stretches] = [this.#list, this.#stretches];
    const parts = partsOf(this.#layout.stretches, this.#crew);
    run(
      this.#crew,
      parts.map((part) => ({ kind: 'sort-stretches', list, stretches, ...part })),
    );
    this.#joinStretches();
    return this;
  }

  get names(): readonly string[] {
    return this.#layout.names;
  }

  /** Bytes of the records of all sites. */
  get recordBytes(): number {
    return this.#list.bytes.length;
  }

  /** Gives the memory of all sites back. */
  close(): void {
    const { bytes, position, length, tokens, sharedFirst, site } = this.#list;
    for (const column of [bytes, position, length, tokens, sharedFirst, site]) giveBack(column);
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

  /** Stretches were sorted without a look at the one before. */
  #joinStretches(): void {
    const list = this.#list;
    const words = new Int32Array(list.bytes.buffer, list.bytes.byteOffset, list.bytes.length >> 2);
    for (const row of this.#stretches.row) {
      if (row === 0 || row >= list.site.length || list.site[row] !== list.site[row - 1]) continue;
      const base = list.firstUnit[list.site[row]!]!;
      const before = (base + list.position[row - 1]!) * UNIT;
      const at = (base + list.position[row]!) * UNIT;
      setForward(list, row, list.bytes, words, before, list.length[row - 1]!, at, list.length[row]!);
    }
  }
}

function listFor(rows: number, { firstUnit }: Layout): ListColumns {
  return {
    bytes: newU8(firstUnit.at(-1)! * UNIT),
    position: newU32(rows),
    length: newU16(rows),
    tokens: newU16(rows),
    sharedFirst: newU16(rows),
    site: newI32(rows),
    firstUnit,
  };
}

/** Where each part begins to write in each stretch, and where the stretches start. */
function cursorsOf(counts: readonly Int32Array[], stretches: number): { next: Cursors[]; starts: Stretches } {
  const starts = { row: new Int32Array(stretches + 1), unit: new Float64Array(stretches + 1) };
  const next = counts.map(() => ({ row: new Int32Array(stretches), unit: new Float64Array(stretches) }));
  let [row, unit] = [0, 0];
  for (let stretch = 0; stretch < stretches; stretch++) {
    starts.row[stretch] = row;
    starts.unit[stretch] = unit;
    next.forEach((cursors, part) => {
      cursors.row[stretch] = row;
      cursors.unit[stretch] = unit;
      row += counts[part]![stretch]!;
      unit += counts[part]![stretches + stretch]!;
    });
  }
  starts.row[stretches] = row;
  starts.unit[stretches] = unit;
  return { next, starts };
}

/** [0, count) in about even parts, some for each thread. */
function partsOf(count: number, crew: TableCrew | undefined): { readonly from: number; readonly to: number }[] {
  const parts = crew === undefined ? 1 : Math.min(count, PARTS_PER_THREAD * crew.threads);
  const startOf = (part: number) => Math.floor((part * count) / parts);
  return Array.from({ length: parts }, (_, part) => ({ from: startOf(part), to: startOf(part + 1) }));
}

/** What came of each task. */
function run(crew: TableCrew | undefined, tasks: readonly ListTask[]): Int32Array[] {
  const results: Int32Array[] = [];
  const take = (found: Int32Array | undefined, task: ListTask) => {
    if (found !== undefined) results[tasks.indexOf(task)] = found;
  };
  if (crew === undefined) for (const task of tasks) take(performListTask(task), task);
  else crew.run(tasks, (found, task) => take(found as Int32Array, task as ListTask));
  return results;
}
