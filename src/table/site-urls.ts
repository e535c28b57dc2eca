// The frozen URL list of one site, in collation order, and the cache of its pages.
//
// URLs, sizes and sketches are records in pages. As long as the pages fit they are one buffer; otherwise all pages are
// spilled to a scratch file and the buffer is a cache of them (clock replacement). Some bytes per URL always stay in
// memory: its position and its length here, and the columns of its order and of the walk. The pages get what these
// leave of the memory. Threads read a list on disk too: each has a cache of its own, of an equal share.
//
// The layout of a record is in kernel/layout/record.
import { alloc, calls, giveBack, kernel, newU16, newU32, u8At } from '../base/heap.js';
import { type LentFile, readLent, ScratchFile } from '../base/scratch.js';
import type { SpillStats } from '../base/spill.js';
import type { KernelExports } from '../kernel/exports.js';
import { FIXED, HITS, MAX_SIZE, MIN_SIZE, UNIT, UNIT_BITS } from '../kernel/layout/record.js';

/** The minimum share of the memory for pages, if the columns would leave less. */
const MIN_SHARE = 1 / 32;
const MIN_FRAMES = 4;
/**
 * A list on disk is read at random, and most of a page that is read is not used. Five million URLs in 1 GiB: 33 s of CPU
 * in the system with pages of 8 KiB, 24 with these.
 */
const PAGE_BYTES = 1 << 12;
/** Bytes per URL that never go to disk: 6 here, 11 of `UrlOrder`, 10 more of `WalkColumns`. */
export const STAYING_BYTES = 27;

interface StoreOptions {
  /** Bytes for pages in memory and all columns; a few pages and whole columns are always there. */
  readonly memoryBytes: number;
  readonly tmpdir: string;
  /** A power of two; every record fits into a page. */
  readonly pageBytes: number;
  readonly stats: SpillStats;
  /** Threads that will read it too. */
  readonly crew?: { readonly threads: number } | undefined;
}

/** A list for other threads: its bytes, if they are in memory, or its pages on disk. */
export interface SharedSite {
  readonly count: number;
  readonly bytes: Uint8Array;
  readonly position: Uint32Array;
  readonly length: Uint16Array;
  readonly pages?: SharedPages | undefined;
}

interface SharedPages {
  readonly file: LentFile;
  readonly pageBytes: number;
  readonly pages: number;
  /** How many of them a thread may have in memory. */
  readonly frames: number;
}

/** A finished list that is a part of one with several sites. */
export interface SiteWindow extends SharedSite {
  readonly forward: Forward;
}

/** Units before the URL in a record. */
function headUnits(sketchLength: number): number {
  return (sketchLength + FIXED + UNIT - 1) >>> UNIT_BITS;
}

/** Units that a URL takes in a record. */
function urlUnits(urlLength: number): number {
  return (urlLength + UNIT - 1) >>> UNIT_BITS;
}

/** Bytes of a page that can hold records of at most this size. */
export function pageBytesFor(urlBytes: number, sketchBytes: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(urlBytes + sketchBytes + FIXED + UNIT, PAGE_BYTES)));
}

/** Build (`add`), then freeze and read; `clear` begins the next site. */
export class SiteUrls {
  site = '';
  count = 0;
  /** Where records are read; {@link at} returns offsets into it. */
  bytes: Uint8Array = new Uint8Array(0);
  /** The same, in words of four bytes: URLs are at multiples of 8. */
  words: Int32Array = new Int32Array(0);
  /** Set if it is known already. */
  forward: Forward | undefined;
  readonly #options: StoreOptions;
  readonly #unitsPerPage: number;
  #maxFrames: number;
  #view: DataView = new DataView(new ArrayBuffer(0));
  #position: Uint32Array = new Uint32Array(0);
  #length: Uint16Array = new Uint16Array(0);
  /** True if the columns belong to this list, and not to one that it shows. */
  #isOwner = false;
  /** Pages begun, and bytes used of the last one. */
  #pages = 0;
  #fill = 0;
  /** Where pages on disk are: in a file of its own, or in one of another thread. */
  #file: ScratchFile | undefined;
  #lent: LentFile | undefined;
  #frameOf = new Int32Array(0);
  #pageIn = new Int32Array(0);
  #wasUsed = new Uint8Array(0);
  #hand = 0;
  /** The last requested frame: it stays while the next one is fetched, so that two URLs can be compared. */
  #latest = 0;
  /** Bytes of memory in use, if this is a window on a larger list. */
  #listBytes = 0;
  #useSite: KernelExports['useSite'] | undefined;
  readonly #page = (row: number): number => this.bytes.byteOffset + this.at(row);

  constructor(options: StoreOptions) {
    this.#options = options;
    this.#unitsPerPage = options.pageBytes / UNIT;
    this.#maxFrames = this.#framesBeside(0);
  }

  /** The same list in another thread. Close it if it is on disk, as {@link withSite} does. */
  static of(site: SharedSite): SiteUrls {
    const { pages } = site;
    const stats = { runs: 0, bytes: 0 };
    const urls = new SiteUrls({ memoryBytes: 0, tmpdir: '', pageBytes: pages?.pageBytes ?? UNIT, stats });
    urls.#look(site);
    if (pages !== undefined) urls.#borrow(pages);
    return urls;
  }

  /** For the threads that were announced, until the list is closed or cleared. */
  share(): SharedSite | undefined {
    if (this.#options.crew === undefined) return undefined;
    const shared = { count: this.count, position: this.#position, length: this.#length };
    if (this.#lent === undefined) return { ...shared, bytes: this.bytes };
    const { pageBytes } = this.#options;
    const pages = { file: this.#lent, pageBytes, pages: this.#pages, frames: this.#maxFrames };
    return { ...shared, bytes: this.bytes.subarray(0, 0), pages };
  }

  /** True while all records are in memory at once: then {@link at} never moves them. */
  get isResident(): boolean {
    return this.#lent === undefined;
  }

  /** Bytes of `bytes` with records, for a list that is in memory: whole units. */
  get usedBytes(): number {
    if (this.#listBytes > 0) return this.bytes.length;
    return this.#pages === 0 ? 0 : (this.#pages - 1) * this.#options.pageBytes + urlUnits(this.#fill) * UNIT;
  }

  /** Writes the positions and lengths of the rows of a list in memory to columns from `at` on. */
  copyPlaces(position: Uint32Array, length: Uint16Array, at: number): void {
    position.set(this.#position.subarray(0, this.count), at);
    length.set(this.#length.subarray(0, this.count), at);
  }

  /** Bytes of the memory for pages and columns that neither uses; of a list on disk, threads have their share. */
  get unusedBytes(): number {
    if (!this.isResident) return 0;
    const used = Math.max(this.#listBytes, this.bytes.length + this.count * STAYING_BYTES);
    return Math.max(0, this.#options.memoryBytes - used);
  }

  clear(site: string): void {
    this.site = site;
    this.forward = undefined;
    this.count = this.#pages = this.#fill = this.#listBytes = 0;
    this.#maxFrames = this.#framesBeside(0);
    if (this.#file !== undefined) this.#setFrames(1);
    this.#closeFile();
  }

  close(): void {
    const isBorrowed = this.#file === undefined && !this.isResident;
    this.#closeFile();
    if (!this.#isOwner) return;
    this.#isOwner = false;
    const columns = isBorrowed ? [this.bytes] : [this.bytes, this.#position, this.#length];
    for (const column of columns) if (column.length > 0) giveBack(column);
    this.#look({ count: 0, bytes: new Uint8Array(0), position: new Uint32Array(0), length: new Uint16Array(0) });
  }

  #closeFile(): void {
    this.#file?.close();
    this.#file = this.#lent = undefined;
  }

  /** Makes this the site that the kernel works on in this thread. */
  use(): void {
    this.#useSite ??= kernel().useSite;
    calls.page = this.#page;
    const isPaged = Number(!this.isResident);
    this.#useSite(this.bytes.byteOffset, this.#position.byteOffset, this.#length.byteOffset, this.count, isPaged);
  }

  /** True if this many rows, with records of this many bytes, may all be in memory. */
  hasRoomFor(rows: number, recordBytes: number): boolean {
    return recordBytes + rows * STAYING_BYTES <= this.#options.memoryBytes;
  }

  /** Shows a site of a list that takes `listBytes` of the memory, all sites together. */
  show(site: string, window: SiteWindow, listBytes: number): this {
    this.site = site;
    this.forward = window.forward;
    this.#listBytes = listBytes;
    return this.#look(window);
  }

  #look({ count, bytes, position, length }: SharedSite): this {
    this.count = count;
    this.bytes = bytes;
    this.words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#position = position;
    this.#length = length;
    return this;
  }

  /** Adds the URL in collation bytes as the next row; sizes are -1 if unknown. */
  add(url: Uint8Array, hits: number, min: number, max: number, sketch: Uint8Array): void {
    const at = this.#open(url.length, sketch.length, hits, min, max);
    this.bytes.set(url, at);
    this.bytes.set(sketch, at - FIXED - sketch.length);
  }

  /** Makes the next row, except for its URL and its sketch; returns the offset of the URL. */
  #open(urlLength: number, sketchLength: number, hits: number, min: number, max: number): number {
    const offset = this.#offsetFor(urlLength, sketchLength);
    this.#position[this.count] = (this.#pages - 1) * this.#unitsPerPage + offset / UNIT;
    this.#length[this.count++] = urlLength;
    this.#fill = offset + urlLength;
    const at = this.#frameStart(this.#pages - 1) + offset;
    this.#writeNumbers(at, sketchLength, hits, min, max);
    return at;
  }

  #writeNumbers(at: number, sketchLength: number, hits: number, min: number, max: number): void {
    this.#view.setFloat64(at - MAX_SIZE, max, true);
    this.#view.setFloat64(at - MIN_SIZE, min, true);
    this.#view.setFloat64(at - HITS, hits, true);
    this.#view.setUint16(at - FIXED, sketchLength, true);
  }

  /** The offset of the next URL in its page; begins a page if necessary. */
  #offsetFor(urlLength: number, sketchLength: number): number {
    const head = headUnits(sketchLength) * UNIT;
    if (this.count === this.#position.length) this.#widen(Math.max(64, this.count * 2));
    const offset = Math.ceil(this.#fill / UNIT) * UNIT + head;
    // Even an empty URL must start inside its page, or its position would be in the next one.
    if (this.#pages > 0 && offset + Math.max(1, urlLength) <= this.#options.pageBytes) return offset;
    this.#openPage();
    return head;
  }

  /** No more rows: writes out the last page if pages are on disk. */
  freeze(): this {
    if (this.#file !== undefined) {
      this.#writePage(this.#pages - 1);
      this.#keepFrames(this.#framesBeside(this.count, 1 + (this.#options.crew?.threads ?? 0)));
    }
    return this;
  }

  lengthOf(row: number): number {
    return this.#length[row]!;
  }

  /** Offset in `bytes` of the URL of a row. Valid until the second next call: two rows can be compared. */
  at(row: number): number {
    const position = this.#position[row]!;
    if (this.#lent === undefined) return position * UNIT;
    const page = Math.floor(position / this.#unitsPerPage);
    return this.#frameStart(page) + (position - page * this.#unitsPerPage) * UNIT;
  }

  /** Hits, sizes and sketch of the row whose URL is at `offset`. */
  hitsAt(offset: number): number {
    return this.#view.getFloat64(offset - HITS, true);
  }

  minSizeAt(offset: number): number {
    return this.#view.getFloat64(offset - MIN_SIZE, true);
  }

  maxSizeAt(offset: number): number {
    return this.#view.getFloat64(offset - MAX_SIZE, true);
  }

  sketchEndAt(offset: number): number {
    return offset - FIXED;
  }

  sketchLengthAt(offset: number): number {
    return this.#view.getUint16(offset - FIXED, true);
  }

  #openPage(): void {
    if (this.#file === undefined && this.#pages >= this.#framesBeside(this.count)) this.#goToDisk();
    else if (this.#file !== undefined) this.#writePage(this.#pages - 1);
    this.#pages++;
    this.#fill = 0;
    if (this.#file === undefined) {
      const needed = this.#pages * this.#options.pageBytes;
      if (needed <= this.bytes.length) return;
      // The last growth step is a large one, so that its memory comes from where the smaller ones were.
      return this.#setFrames(8 * this.#pages > this.#maxFrames ? this.#maxFrames : 2 * this.#pages);
    }
    if (this.#pages > this.#frameOf.length) {
      const wider = new Int32Array(this.#pages * 2).fill(-1);
      wider.set(this.#frameOf);
      this.#frameOf = wider;
    }
    const frame = this.#freeFrame();
    this.#take(frame, this.#pages - 1);
  }

  /** Pages that fit in memory beside the columns of so many rows, for each of so many readers. */
  #framesBeside(rows: number, readers = 1): number {
    const { memoryBytes, pageBytes } = this.#options;
    const left = Math.max(memoryBytes - rows * STAYING_BYTES, memoryBytes * MIN_SHARE);
    return Math.max(MIN_FRAMES, Math.floor(left / pageBytes / readers));
  }

  /** Frees the memory of all but the first frames. */
  #keepFrames(frames: number): void {
    if (frames >= this.#maxFrames) return;
    for (let frame = frames; frame < this.#maxFrames; frame++) this.#frameOf[this.#pageIn[frame]!] = -1;
    this.#setFrames(frames);
    this.#maxFrames = frames;
    this.#hand = this.#latest = 0;
  }

  /** Sets the number of pages in memory; those that stay keep their contents. */
  #setFrames(frames: number): void {
    const before = this.bytes;
    const size = frames * this.#options.pageBytes;
    const bytes = u8At(alloc(size), size);
    bytes.set(before.subarray(0, bytes.length));
    if (before.length > 0) giveBack(before);
    this.bytes = bytes;
    this.words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#isOwner = true;
  }

  /** So far frame i held page i; from now on a frame holds any page. */
  #goToDisk(): void {
    this.#file = new ScratchFile(this.#options.tmpdir);
    this.#lent = this.#file.lend();
    this.#maxFrames = this.#pages;
    this.#append(this.bytes.subarray(0, this.#maxFrames * this.#options.pageBytes));
    this.#frameOf = new Int32Array(this.#maxFrames * 2).fill(-1);
    this.#pageIn = new Int32Array(this.#maxFrames);
    this.#wasUsed = new Uint8Array(this.#maxFrames);
    for (let frame = 0; frame < this.#maxFrames; frame++) this.#frameOf[frame] = this.#pageIn[frame] = frame;
  }

  /** Reads the pages of another thread; no frame has one yet. */
  #borrow({ file, pages, frames }: SharedPages): void {
    this.#lent = file;
    this.#pages = pages;
    this.#maxFrames = frames;
    this.#setFrames(frames);
    // A frame that is empty has the page after the last.
    this.#frameOf = new Int32Array(pages + 1).fill(-1);
    this.#pageIn = new Int32Array(frames).fill(pages);
    this.#wasUsed = new Uint8Array(frames);
  }

  /** Pages are written once, in order, when the next one begins. */
  #writePage(page: number): void {
    const { pageBytes } = this.#options;
    if (this.#file!.length >= (page + 1) * pageBytes) return;
    const start = this.#frameStart(page);
    this.#append(this.bytes.subarray(start, start + pageBytes));
  }

  #append(pages: Uint8Array): void {
    this.#file!.append(pages);
    this.#options.stats.bytes += pages.length;
  }

  /** Where a page starts in `bytes`; fetches it if it is not there. */
  #frameStart(page: number): number {
    const { pageBytes } = this.#options;
    if (this.#lent === undefined) return page * pageBytes;
    let frame = this.#frameOf[page]!;
    if (frame < 0) {
      frame = this.#freeFrame();
      readLent(this.#lent, this.bytes.subarray(frame * pageBytes, (frame + 1) * pageBytes), page * pageBytes);
      this.#take(frame, page);
    }
    this.#wasUsed[frame] = 1;
    this.#latest = frame;
    return frame * pageBytes;
  }

  /** Clock replacement: the next frame that was not used since the hand passed it, and is not the latest. */
  #freeFrame(): number {
    for (;;) {
      this.#hand = (this.#hand + 1) % this.#maxFrames;
      if (this.#hand === this.#latest) continue;
      if (this.#wasUsed[this.#hand] === 0) return this.#hand;
      this.#wasUsed[this.#hand] = 0;
    }
  }

  #take(frame: number, page: number): void {
    this.#frameOf[this.#pageIn[frame]!] = -1;
    this.#pageIn[frame] = page;
    this.#frameOf[page] = frame;
    this.#wasUsed[frame] = 1;
    this.#latest = frame;
  }

  #widen(rows: number): void {
    const position = newU32(rows);
    const length = newU16(rows);
    position.set(this.#position.subarray(0, this.count));
    length.set(this.#length.subarray(0, this.count));
    for (const column of [this.#position, this.#length]) if (column.length > 0) giveBack(column);
    this.#position = position;
    this.#length = length;
    this.#isOwner = true;
  }
}

/** Reads a list in another thread; frees what that takes. */
export function withSite<Result>(site: SharedSite, read: (urls: SiteUrls) => Result): Result {
  const urls = SiteUrls.of(site);
  try {
    return read(urls);
  } finally {
    urls.close();
  }
}

/** Lines with 301 and 308 are URLs of the list, but say nothing about a page. */
export function hasPage(urls: SiteUrls, row: number): boolean {
  const at = urls.at(row);
  return urls.minSizeAt(at) >= 0 || urls.sketchLengthAt(at) > 0;
}

/**
 * What is computed for a URL from the one before it in the list: how many tokens they share; and its token count
 * (kernel/list/forward). Columns by row of a list. Token counts include START and END.
 */
export interface Forward {
  readonly tokens: Uint16Array;
  /** First tokens that URL r shares with URL r - 1; START counts. 0 for the first. */
  readonly sharedFirst: Uint16Array;
}
