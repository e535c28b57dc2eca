// Figure 1 for one site: from its URL list to the pairs with low >= MS.
//
// Threads first sort, then walk, then count (`shared-count`). The rows of instances do not depend on which thread made
// them, and counting sorts them first. So the pairs are the same for any number of threads.
import { inArena, takeU16 } from '../base/heap.js';
import type { Progress } from '../base/progress.js';
import type { SpillOptions, SpillStats } from '../base/spill.js';
import { backwardColumns, orderBackward } from './backward.js';
import { MIN_SHARED_URLS, partsOf, type TableCrew } from './crew.js';
import { type BucketOptions, endWalk, newWalk, UNSHARED, walkColumns, type WalkColumns } from './envelope.js';
import { countAlone, countSorted, type SupportOptions } from './instance-groups.js';
import { InstanceRows, type RowBlocks } from './instance-rows.js';
import { type InstanceOptions, makeInstances } from './instance.js';
import { orderUrls, trapColumn, type UrlOrder } from './order.js';
import type { TakePairs } from './pair.js';
import { countByThreads } from './shared-count.js';
import type { SharedSite, SiteUrls } from './site-urls.js';

type LikelyPairOptions = BucketOptions & InstanceOptions & SupportOptions;

interface LikelyPairRoom extends SpillOptions {
  readonly stats: SpillStats;
  readonly crew?: TableCrew | undefined;
  /** Memory that the list leaves unused. */
  readonly spareBytes?: number | undefined;
}

/** URLs of crawler traps, whose pairs among themselves are no instances (SPEC 3.4). */
export interface TrapUrls {
  readonly count: number;
  /** The row of the first one, or -1. */
  readonly row: number;
}

/**
 * Calls `take` for every likely pair; their order depends on the number of threads. Returns the URLs that it left out.
 */
export function eachLikelyPair(
  urls: SiteUrls,
  options: LikelyPairOptions,
  room: LikelyPairRoom,
  take: TakePairs,
): TrapUrls {
  const { crew, progress } = room;
  const site = crew === undefined || urls.count < MIN_SHARED_URLS ? undefined : urls.share();
  const shared = site === undefined ? undefined : new Shared(urls, site, options, room, crew!);
  const rows = new InstanceRows(room, room.spareBytes ?? 0);
  progress?.begin({ name: 'sorting' });
  // The columns of the walk are freed before counting.
  const traps = inArena(() => (shared === undefined ? walkAlone(urls, options, room, rows) : shared.walk(rows)));
  progress?.begin({ name: 'counting', unit: 'instances', total: rows.count });
  rows.eachLoad({
    blocks: (load) => {
      inArena(() => {
        if (shared === undefined) countAlone(urls, load, options, take, progress);
        else shared.count(load, take);
      });
    },
    sorted: (load) => inArena(() => countSorted(urls, load, options, take, progress)),
  });
  rows.close();
  return traps;
}

function trapsIn(column: Uint8Array): TrapUrls {
  const row = column.indexOf(1);
  let count = 0;
  if (row >= 0) for (let at = row; at < column.length; at++) count += column[at]!;
  return { count, row };
}

function walkAlone(urls: SiteUrls, options: LikelyPairOptions, room: LikelyPairRoom, rows: InstanceRows): TrapUrls {
  const { progress } = room;
  const order = orderUrls(urls, room, room.stats);
  progress?.begin({ name: 'comparing', unit: 'URLs', total: urls.count });
  const walk = newWalk(walkColumns(order), options, UNSHARED);
  makeInstances(
    walk,
    urls,
    order,
    options,
    (block) => rows.take(block),
    (done) => progress?.add(done),
  );
  endWalk(walk);
  return trapsIn(order.traps);
}

class Shared {
  readonly #urls: SiteUrls;
  readonly #site: SharedSite;
  readonly #options: LikelyPairOptions;
  readonly #room: LikelyPairRoom;
  readonly #crew: TableCrew;

  constructor(urls: SiteUrls, site: SharedSite, options: LikelyPairOptions, room: LikelyPairRoom, crew: TableCrew) {
    this.#urls = urls;
    this.#site = site;
    // Only these options are sent to threads: others may not be plain data.
    const { S, T_low, T_high, MS, similarity } = options;
    this.#options = { S, T_low, T_high, MS, similarity };
    this.#room = room;
    this.#crew = crew;
  }

  walk(rows: InstanceRows): TrapUrls {
    const { progress } = this.#room;
    const columns = walkColumns(this.#order());
    const walk = { site: this.#site, columns, options: this.#options };
    progress?.begin({ name: 'comparing', unit: 'URLs', total: this.#site.count });
    walkByThreads(this.#crew, walk, (chunk) => rows.take(chunk), progress);
    return trapsIn(columns.traps);
  }

  count(rows: RowBlocks, take: TakePairs): void {
    countByThreads(this.#crew, { site: this.#site, rows, MS: this.#options.MS }, take, this.#room.progress);
  }

  #order(): UrlOrder {
    if (!this.#urls.isResident) return orderUrls(this.#urls, this.#room, this.#room.stats);
    const { count } = this.#site;
    const site = this.#site;
    const known = this.#urls.forward;
    const forward = known ?? { tokens: takeU16(count), sharedFirst: takeU16(count) };
    const order = { ...forward, ...backwardColumns(count), traps: trapColumn(count) };
    if (known === undefined) {
      const parts = partsOf(count, this.#crew);
      const tasks = parts.map((part) => ({ kind: 'forward' as const, site, order, ...part }));
      this.#crew.run(tasks, () => undefined);
    }
    orderBackward(this.#urls, order, this.#room, { crew: this.#crew, site });
    return order;
  }
}

// Threads share the nodes of a site's walk (kernel/walk/walk); the caller takes the instances that they find.

/** At least this many tasks per thread, so that threads end at about the same time. */
const TASKS_PER_THREAD = 24;

interface SharedWalk {
  readonly site: SharedSite;
  readonly columns: WalkColumns;
  readonly options: InstanceOptions;
}

/** Walks all nodes with threads; `take` gets rows of instances. Consumes the backward order. */
function walkByThreads(
  crew: TableCrew,
  { site, columns, options }: SharedWalk,
  take: (rows: Uint8Array) => void,
  progress?: Progress,
): void {
  const walk = newWalk(columns, options, Math.ceil(site.count / (TASKS_PER_THREAD * crew.threads)));
  const { tokens, traps } = columns;
  const task = { kind: 'walk' as const, walk, site, columns: { tokens, traps }, options };
  let left = site.count;
  crew.run(
    Array.from({ length: crew.threads }, () => task),
    (found) => {
      if (typeof found !== 'number') return take(found as Uint8Array);
      left -= found;
      progress?.add(found);
    },
  );
  progress?.add(left);
  endWalk(walk);
}
