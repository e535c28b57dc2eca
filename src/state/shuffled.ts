// Moves rows of URL tables between machines. Sites are dealt into lots by hash. Each table sends its rows in blocks of
// one lot each, and the receiver gets the blocks of a lot from all tables together.
//
//   table 1 ──→ rows by site ──→ blocks of lot 1, 2, … ──┐     lot 1: a sorted run per table, merged to sites,
//   table 2 ──→ rows by site ──→ blocks of lot 1, 2, … ──┼──→  then lot 2, …
//
// The blocks of one table and lot, in order, are a sorted run. Equal URLs of several tables are merged in the order of
// the tables, so the sites are those that one table of all records would have.
import { sameRange } from '../base/bytes.js';
import { heapHalf } from '../base/heap.js';
import { hashBytes } from '../base/hash.js';
import { mergeRuns } from '../base/merge.js';
import { ROW_HEADER, readU32, writeU32, type Row } from '../base/row.js';
import { ScratchFile } from '../base/scratch.js';
import type { SpillRoom } from '../base/spill.js';
import { MergedSites, type MergingOptions, type SiteReader } from '../table/merged-sites.js';
import { pageBytesFor, SiteUrls } from '../table/site-urls.js';
import { MAX_SKETCH_BYTES } from '../table/url-table.js';

/** Rows end to end, as in runs, of sites of one lot. */
interface Block {
  /** The lot, from 0. */
  readonly lot: number;
  /** Valid until the next block. */
  readonly bytes: Uint8Array;
}

/** The size of a block. With so many lots that all open blocks together would exceed `WAITING`, blocks are smaller. */
const BLOCK = 1 << 20;
const WAITING = 64 << 20;

/** Splits rows, which come site by site, into blocks. A site has the same lot in every table. */
export function* blocksOf(rows: Iterable<Row>, lots: number): Generator<Block> {
  const open = new Map<number, OpenBlock>();
  let site: Uint8Array = new Uint8Array(0);
  let block: OpenBlock | undefined;
  let waiting = 0;
  for (const row of rows) {
    const { bytes, keyStart, end } = row;
    if (
      block === undefined ||
      bytes[keyStart + site.length] !== 0 ||
      !sameRange(bytes, keyStart, site, 0, site.length)
    ) {
      site = bytes.slice(keyStart, bytes.indexOf(0, keyStart));
      const lot = lotOf(site, lots);
      block = open.get(lot);
      if (block === undefined) open.set(lot, (block = new OpenBlock(lot)));
    }
    const added = ROW_HEADER + end - keyStart;
    if (block.used > 0 && block.used + added > BLOCK) {
      yield block.take();
      waiting -= block.taken;
    }
    block.add(row);
    waiting += added;
    if (waiting <= WAITING) continue;
    for (const one of open.values()) if (one.used > 0) yield one.take();
    open.clear();
    block = undefined;
    waiting = 0;
  }
  for (const one of open.values()) if (one.used > 0) yield one.take();
}

function lotOf(site: Uint8Array, lots: number): number {
  return (hashBytes(site, 0, site.length) >>> 0) % lots;
}

class OpenBlock {
  readonly lot: number;
  used = 0;
  /** Size in bytes of the block taken last. */
  taken = 0;
  #bytes = new Uint8Array(4096);

  constructor(lot: number) {
    this.lot = lot;
  }

  add({ bytes, keyStart, keyEnd, end }: Row): void {
    const needed = this.used + ROW_HEADER + end - keyStart;
    if (needed > this.#bytes.length) {
      const wider = new Uint8Array(2 * needed);
      wider.set(this.#bytes.subarray(0, this.used));
      this.#bytes = wider;
    }
    writeU32(this.#bytes, this.used, keyEnd - keyStart);
    writeU32(this.#bytes, this.used + 4, end - keyStart);
    this.#bytes.set(bytes.subarray(keyStart, end), this.used + ROW_HEADER);
    this.used = needed;
  }

  take(): Block {
    this.taken = this.used;
    this.used = 0;
    return { lot: this.lot, bytes: this.#bytes.subarray(0, this.taken) };
  }
}

/** A block and the table that it came from. */
export interface TableBlock extends Block {
  readonly table: number;
}

/**
 * The sites of several lots. Holds one lot at a time, in memory or on disk. Blocks come lot by lot, and within a lot in
 * table order; `nextBlock` returns undefined after the last.
 */
export class SitesOfLots implements SiteReader {
  readonly #nextBlock: () => TableBlock | undefined;
  readonly #room: SpillRoom & MergingOptions;
  #block: TableBlock | undefined;
  #sites: SiteReader | undefined;

  constructor(nextBlock: () => TableBlock | undefined, room: SpillRoom & MergingOptions) {
    this.#nextBlock = nextBlock;
    this.#room = room;
    this.#block = nextBlock();
  }

  next(): SiteUrls | undefined {
    for (;;) {
      const urls = this.#sites?.next();
      if (urls !== undefined) return urls;
      this.close();
      if (this.#block === undefined) return undefined;
      this.#sites = this.#takeLot(this.#block);
    }
  }

  close(): void {
    this.#sites?.close();
    this.#sites = undefined;
  }

  #takeLot(first: TableBlock): SiteReader {
    const { memoryBytes, tmpdir, stats } = this.#room;
    const file = new ScratchFile(tmpdir);
    const ends: number[] = [];
    let longestKey = 0;
    let { table } = first;
    for (let block: TableBlock | undefined = first; ; block = this.#nextBlock()) {
      if (block?.lot !== first.lot || block.table !== table) ends.push(file.length);
      if (block?.lot !== first.lot) {
        this.#block = block;
        break;
      }
      const { bytes } = block;
      if (block.table < table) throw new Error(`a block of table ${block.table} came after one of table ${table}`);
      ({ table } = block);
      for (let at = 0; at < bytes.length; at += ROW_HEADER + readU32(bytes, at + 4)) {
        longestKey = Math.max(longestKey, readU32(bytes, at));
      }
      file.append(bytes);
    }
    if (this.#block !== undefined && this.#block.lot < first.lot)
      throw new Error(`lot ${this.#block.lot} came after lot ${first.lot}`);
    const share = heapHalf(memoryBytes);
    const urls = new SiteUrls({
      memoryBytes: share,
      tmpdir,
      pageBytes: pageBytesFor(longestKey, MAX_SKETCH_BYTES),
      stats,
    });
    const rows = mergeRuns(file, ends, { memoryBytes: share, tmpdir }, (written) => (stats.bytes += written));
    return new MergedSites(rows, urls, this.#room);
  }
}
