// Figure 1 for one site: from its URL list to the pairs with low >= MS.
//
// With threads: they sort, then walk (`shared-walk`), then each counts the cores of some hashes. Instances are rows that are the
// same whoever made them, and counting sorts them first; so the pairs are the same for any number of threads.
import { inArena, takeU16 } from '../base/heap.js';
import type { Progress } from '../base/progress.js';
import { readU32, SpillSorter, type SpillOptions, type SpillStats } from '../base/spill.js';
import { MIN_SHARED_URLS, partsOf, type TableCrew } from './crew.js';
import { backwardColumns, orderBackward } from './backward.js';
import { eachBucket, walkColumns, type BucketOptions } from './envelope.js';
import { InstanceReader } from './instance-columns.js';
import { instanceVisitor, KEY, ROW, RowChunks, type InstanceOptions } from './instance.js';
import { eachGroup, sharesOf } from './instance-groups.js';
import { orderUrls, type UrlOrder } from './order.js';
import { readPair, type Pair } from './pair.js';
import { walkByThreads } from './shared-walk.js';
import { STAYING_BYTES, type SharedSite, type SiteUrls } from './site-urls.js';
import { createSupport, type Branches, type SupportOptions } from './support.js';

export type LikelyPairOptions = BucketOptions & InstanceOptions & SupportOptions;

export interface LikelyPairRoom extends SpillOptions {
  readonly stats: SpillStats;
  readonly crew?: TableCrew | undefined;
}

/** Calls `emit` for every likely pair, in an order that depends on the number of threads. */
export function eachLikelyPair(
  urls: SiteUrls,
  options: LikelyPairOptions,
  room: LikelyPairRoom,
  emit: (pair: Pair) => void,
): void {
  inArena(() => findPairs(urls, options, room, emit));
}

function findPairs(urls: SiteUrls, options: LikelyPairOptions, room: LikelyPairRoom, emit: (pair: Pair) => void): void {
  const site = urls.count < MIN_SHARED_URLS ? undefined : urls.share();
  if (room.crew !== undefined && site !== undefined) return new Shared(urls, site, options, room, room.crew).run(emit);
  const { progress } = room;
  progress?.begin({ name: 'sorting' });
  const order = orderUrls(urls, room, room.stats);
  const rows = new InstanceRows(room);
  const chunks = new RowChunks('own', () => rows.takeAll(chunks));
  progress?.begin({ name: 'comparing', unit: 'URLs', total: urls.count });
  eachBucket(order, options, instanceVisitor(urls, order, options, chunks), progress);
  rows.takeAll(chunks);
  if (rows.sorter !== undefined) return countSorted(urls, rows, options, progress, emit);
  progress?.begin({ name: 'counting', unit: 'instances', total: rows.bytes / ROW });
  const support = createSupport(urls, options, emit);
  eachGroup(rows.chunks, { least: options.MS }, (group) => {
    support(group);
    progress?.add(group.count);
  });
}

function countSorted(
  urls: SiteUrls,
  { sorter, bytes }: InstanceRows,
  options: SupportOptions,
  progress: Progress | undefined,
  emit: (pair: Pair) => void,
): void {
  progress?.begin({ name: 'counting', unit: 'instances', total: bytes / ROW });
  const reader = new InstanceReader(sorter!.finish());
  const count = createSupport(urls, options, emit);
  for (let group = reader.next(); group !== undefined; group = reader.next()) {
    count(group);
    progress?.add(group.count);
  }
  reader.close();
}

/** Instances, in memory while they take no more than a third of the room, and then in sorted runs. */
class InstanceRows {
  readonly #room: LikelyPairRoom;
  chunks: Uint8Array[] = [];
  bytes = 0;
  sorter: SpillSorter | undefined;

  constructor(room: LikelyPairRoom) {
    this.#room = room;
  }

  takeAll(chunks: RowChunks): void {
    for (const chunk of chunks.take()) this.take(chunk);
  }

  take(chunk: Uint8Array): void {
    const { memoryBytes, stats } = this.#room;
    this.bytes += chunk.length;
    this.chunks.push(chunk);
    if (this.sorter === undefined && this.bytes <= memoryBytes / 3) return;
    this.sorter ??= new SpillSorter({ ...this.#room, memoryBytes: (memoryBytes * 2) / 3 }, stats);
    for (const rows of this.chunks.splice(0)) {
      for (let at = 0; at < rows.length; at += ROW) this.sorter.add(rows, at, at + ROW, KEY);
    }
  }
}

/** Of the room, that a copy of the members of a node may take. */
const COPY_SHARE = 8;
/** Tasks for each thread, if one core were to have all instances; so that they end at about one time. */
const COUNTS_PER_THREAD = 6;
const MIN_COUNT_ROWS = 4096;

class Shared {
  readonly #urls: SiteUrls;
  readonly #site: SharedSite;
  readonly #options: LikelyPairOptions;
  readonly #room: LikelyPairRoom;
  readonly #crew: TableCrew;
  readonly #rows: InstanceRows;

  constructor(urls: SiteUrls, site: SharedSite, options: LikelyPairOptions, room: LikelyPairRoom, crew: TableCrew) {
    this.#urls = urls;
    this.#site = site;
    // Only these go to the threads: what else stands in options may be no data.
    const { S, T_low, T_high, MS, similarity } = options;
    this.#options = { S, T_low, T_high, MS, similarity };
    this.#room = room;
    this.#rows = new InstanceRows(room);
    this.#crew = crew;
  }

  run(emit: (pair: Pair) => void): void {
    const { progress } = this.#room;
    progress?.begin({ name: 'sorting' });
    const columns = walkColumns(this.#order());
    const copyBytes = this.#room.memoryBytes / COPY_SHARE;
    const walk = { site: this.#site, columns, options: this.#options, copyBytes };
    progress?.begin({ name: 'comparing', unit: 'URLs', total: this.#site.count });
    walkByThreads(this.#crew, walk, (chunk) => this.#rows.take(chunk), progress);
    if (this.#rows.sorter !== undefined) countSorted(this.#urls, this.#rows, this.#options, progress, emit);
    else this.#count(emit);
    const { count, bytes } = this.#site;
    this.#crew.release(bytes.length + count * STAYING_BYTES + this.#rows.bytes, this.#room.memoryBytes / 2);
  }

  #order(): UrlOrder {
    const { count } = this.#site;
    const site = this.#site;
    const known = this.#urls.forward;
    const forward = known ?? { tokens: takeU16(count), sharedFirst: takeU16(count) };
    const order = { ...forward, ...backwardColumns(count) };
    if (known === undefined) {
      const parts = partsOf(this.#crew, count);
      const tasks = parts.map((part) => ({ kind: 'forward' as const, site, order, ...part }));
      this.#crew.run(tasks, () => undefined);
    }
    orderBackward(this.#urls, order, this.#room, { crew: this.#crew, site });
    return order;
  }

  #count(emit: (pair: Pair) => void): void {
    const { threads } = this.#crew;
    const { chunks: rows, bytes } = this.#rows;
    // One core may have a third of all instances: it is begun first, and what it hands on goes before all else.
    const least = Math.max(MIN_COUNT_ROWS, Math.ceil(bytes / ROW / (COUNTS_PER_THREAD * threads)));
    const common = { site: this.#site, options: this.#options, least };
    const handedOn: Branches[] = [];
    const { progress } = this.#room;
    progress?.begin({ name: 'counting', unit: 'instances', total: bytes / ROW });
    function* tasks() {
      for (const share of sharesOf(rows, threads, 2 * least)) {
        yield* branchTasks();
        yield { kind: 'count' as const, ...common, rows, share };
        progress?.add(share.rows);
      }
      for (;;) {
        yield* branchTasks();
        yield undefined;
      }
    }
    function* branchTasks() {
      for (let branches = handedOn.shift(); branches !== undefined; branches = handedOn.shift()) {
        yield { kind: 'branches' as const, ...common, branches };
      }
    }
    this.#crew.run(tasks(), (found) => {
      if (found instanceof Uint8Array) emitAll(found, emit);
      else handedOn.push(found as Branches);
    });
  }
}

/** Pairs end to end, each behind its length. */
function emitAll(bytes: Uint8Array, emit: (pair: Pair) => void): void {
  for (let at = 0; at < bytes.length;) {
    const keyEnd = at + 4;
    const end = keyEnd + readU32(bytes, at);
    emit(readPair({ bytes, keyStart: at, keyEnd, end }));
    at = end;
  }
}
