// Rows of URL tables on their way between machines: those of one table leave it in blocks, one stretch of sites each;
// those of a share of the sites come together from all tables.
//
//   table 1 ──→ rows by site ──→ blocks of share 1, 2, … ──┐
//   table 2 ──→ rows by site ──→ blocks of share 1, 2, … ──┼──→ share 1: a sorted run per table, merged to sites
//
// Blocks of one table and share, one after another, are a sorted run, and equal URLs of several tables are merged in
// the order of the tables: the list is that of one table with all records.
import { sameRange } from '../base/bytes.js';
import { heapHalf } from '../base/heap.js';
import { hashBytes } from '../base/hash.js';
import { mergeRuns } from '../base/merge.js';
import { ROW_HEADER, readU32, writeU32, type Row } from '../base/row.js';
import { ScratchFile } from '../base/scratch.js';
import type { SpillRoom } from '../base/spill.js';
import { MergedSites, type SiteReader } from '../table/merged-sites.js';
import { pageBytesFor, SiteUrls } from '../table/site-urls.js';
import { MAX_SKETCH_BYTES } from '../table/url-table.js';

/** Rows end to end, as in runs, of sites of one share. */
export interface Block {
  /** From 0. */
  readonly share: number;
  /** Valid until the next block. */
  readonly bytes: Uint8Array;
}

/** Blocks are this large, unless so many shares wait that all of them together would be larger than `WAITING`. */
const BLOCK = 1 << 20;
const WAITING = 64 << 20;

/** The rows, which come site by site, in blocks: the same share for a site in every table. */
export function* blocksOf(rows: Iterable<Row>, shares: number): Generator<Block> {
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
      const share = shareOf(site, shares);
      block = open.get(share);
      if (block === undefined) open.set(share, (block = new OpenBlock(share)));
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

/** The share that has the site: that of `mine --part-of-sites`. */
function shareOf(site: Uint8Array, shares: number): number {
  return (hashBytes(site, 0, site.length) >>> 0) % shares;
}

class OpenBlock {
  readonly share: number;
  used = 0;
  /** Bytes of the block that was taken last. */
  taken = 0;
  #bytes = new Uint8Array(4096);

  constructor(share: number) {
    this.share = share;
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
    return { share: this.share, bytes: this.#bytes.subarray(0, this.taken) };
  }
}

/** The sites of one share: `add` the blocks of each table in their order, table after table; then `sites`. */
export class SharedRuns {
  readonly #room: SpillRoom;
  readonly #file: ScratchFile;
  readonly #ends: number[] = [];
  #table = -1;
  #longestKey = 0;

  constructor(room: SpillRoom) {
    this.#room = room;
    this.#file = new ScratchFile(room.tmpdir);
  }

  add(table: number, bytes: Uint8Array): void {
    if (table < this.#table) throw new Error(`a block of table ${table} came after one of table ${this.#table}`);
    if (table > this.#table && this.#table >= 0) this.#ends.push(this.#file.length);
    this.#table = table;
    for (let at = 0; at < bytes.length; at += ROW_HEADER + readU32(bytes, at + 4)) {
      this.#longestKey = Math.max(this.#longestKey, readU32(bytes, at));
    }
    this.#file.append(bytes);
  }

  /** To be read once; nothing can be added after this. */
  sites(): SiteReader {
    if (this.#table >= 0) this.#ends.push(this.#file.length);
    const { memoryBytes, tmpdir, stats, progress } = this.#room;
    const share = heapHalf(memoryBytes);
    const pageBytes = pageBytesFor(this.#longestKey, MAX_SKETCH_BYTES);
    const urls = new SiteUrls({ memoryBytes: share, tmpdir, pageBytes, stats });
    const rows = mergeRuns(this.#file, this.#ends, { memoryBytes: share, tmpdir }, (bytes) => (stats.bytes += bytes));
    return new MergedSites(rows, urls, progress);
  }
}
