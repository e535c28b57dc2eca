// Sites that are too small to share between threads are mined by one thread each, many in one task.
//
// A pack has several URL lists end to end, as `SiteUrls` holds them: site s has rows [ends[s - 1], ends[s]), and its
// records begin at bytes[starts[s]]. The thread gets a copy, so the list can be filled with the next site.
import { giveBack, newU16, newU32, newU8 } from '../base/heap.js';
import { addScratchUse, takeScratchUse } from '../base/scratch.js';
import type { SpillStats } from '../base/spill.js';
import type { Send } from '../base/crew.js';
import { MIN_SHARED_URLS } from '../table/crew.js';
import { SiteUrls } from '../table/site-urls.js';
import type { RuleRows } from './best-rows.js';
import type { Room } from './engine.js';
import { CollectedRows, type FoundInSite } from './kept-sites.js';
import { SiteMiner } from './site.js';
import { NO_COUNTS, type EndOfSite, type SitePack, type SitesResult, type SitesTask } from './sites-task.js';

/** A pack is sent once it has so many URLs, or bytes: small enough for threads to end at about the same time. */
const PACK_URLS = 5_000;
const PACK_BYTES = 4 << 20;

/** True for a site that one thread should mine, in parallel with others. */
export function isSmall(urls: SiteUrls): boolean {
  return urls.isResident && urls.count < MIN_SHARED_URLS && urls.usedBytes <= PACK_BYTES;
}

/** Collects small sites. */
export class Packer {
  #names: string[] = [];
  #ends: number[] = [];
  #starts: number[] = [];
  #bytes = new Uint8Array(2 * PACK_BYTES);
  #position = new Uint32Array(PACK_URLS + MIN_SHARED_URLS);
  #length = new Uint16Array(PACK_URLS + MIN_SHARED_URLS);
  #used = 0;
  #rows = 0;

  get isEmpty(): boolean {
    return this.#rows === 0;
  }

  get isFull(): boolean {
    return this.#rows >= PACK_URLS || this.#used >= PACK_BYTES;
  }

  /** Adds a small site to a pack that is not full. */
  add(urls: SiteUrls): void {
    this.#bytes.set(urls.bytes.subarray(0, urls.usedBytes), this.#used);
    urls.copyPlaces(this.#position, this.#length, this.#rows);
    this.#names.push(urls.site);
    this.#starts.push(this.#used);
    this.#used += urls.usedBytes;
    this.#ends.push((this.#rows += urls.count));
  }

  /** The pack, in its own shared memory. Begins the next pack. */
  take(): SitePack {
    const pack = {
      names: this.#names,
      ends: this.#ends,
      starts: this.#starts,
      bytes: newU8(this.#used),
      position: newU32(this.#rows),
      length: newU16(this.#rows),
    };
    pack.bytes.set(this.#bytes.subarray(0, this.#used));
    pack.position.set(this.#position.subarray(0, this.#rows));
    pack.length.set(this.#length.subarray(0, this.#rows));
    this.#names = [];
    this.#ends = [];
    this.#starts = [];
    this.#used = this.#rows = 0;
    return pack;
  }
}

/** Frees the memory of a pack that was mined. */
export function dropPack({ bytes, position, length }: SitePack): void {
  for (const column of [bytes, position, length]) giveBack(column);
}

/** The URL lists of a pack, one after another. */
export function* sitesOf({ names, ends, starts, bytes, position, length }: SitePack): Generator<SiteUrls> {
  for (const [site, name] of names.entries()) {
    const from = site === 0 ? 0 : ends[site - 1]!;
    const to = ends[site]!;
    const urls = SiteUrls.of({
      count: to - from,
      bytes: bytes.subarray(starts[site]),
      position: position.subarray(from, to),
      length: length.subarray(from, to),
    });
    urls.site = name;
    yield urls;
  }
}

/** Rows are sent in batches of this many bytes. */
const SEND_BYTES = 1 << 20;

/** Mines all sites of a pack in a thread. */
export function performSites(task: SitesTask, send: Send<SitesResult>): void {
  const { pack, options, memoryBytes, tmpdir, isKept } = task;
  const spilled = { runs: 0, bytes: 0 };
  const room: Room = { memoryBytes, tmpdir, stats: spilled };
  const miner = new SiteMiner(options, room, undefined);
  const rows = new CollectedRows();
  let sites: EndOfSite[] = [];
  const flush = (end?: SitesResult['end']) => {
    const bytes = rows.taken.slice();
    send({ kind: 'sites', rows: bytes, sites, ...(end !== undefined && { end }) }, [bytes.buffer]);
    rows.clear();
    sites = [];
  };
  const sent: RuleRows = {
    wants: () => true,
    add: (bytes, length, keyLength) => {
      rows.add(bytes, length, keyLength);
      if (!isKept && rows.length >= SEND_BYTES) flush();
    },
  };
  for (const urls of sitesOf(pack)) {
    miner.mine(urls, 'rows only', sent);
    sites.push({ site: urls.site, end: rows.length, counts: miner.takeCounts() });
    if (rows.length >= SEND_BYTES) flush();
  }
  flush({ listing: miner.listings.finish(), spilled, scratch: takeScratchUse() });
}

/** Passes on what a thread has found, site by site if it is kept, and adds up what it used. */
export function takeSites(
  { rows, sites, end }: SitesResult,
  miner: SiteMiner,
  stats: SpillStats,
  take: (site: string, found: FoundInSite) => void,
): void {
  let start = 0;
  for (const { site, end: siteEnd, counts } of sites) {
    take(site, { rows: rows.subarray(start, siteEnd), counts });
    start = siteEnd;
  }
  if (start < rows.length) take('', { rows: rows.subarray(start), counts: NO_COUNTS });
  if (end === undefined) return;
  miner.listings.add(end.listing);
  stats.runs += end.spilled.runs;
  stats.bytes += end.spilled.bytes;
  addScratchUse(end.scratch);
}
