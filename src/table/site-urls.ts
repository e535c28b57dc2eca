// The frozen URL list of one site in collation order, and the cache of its pages.
//
// URLs, sizes and sketches are records in pages. While all pages fit in memory, they are one buffer. Otherwise all are
// spilled to a scratch file, and the buffer is a cache of pages (clock replacement). Some bytes per URL always stay in
// memory: its position and length here, and the columns of its order and of the walk. The pages get the rest of the
// memory. Threads read a list on disk too: each has its own cache, an equal share.
//
// The layout of a record is in kernel/layout/record.
import { alloc, calls, giveBack, kernel, newU16, newU32, u8At } from '../base/heap.js';
import { type LentFile, readLent, ScratchFile } from '../base/scratch.js';
import type { SpillStats } from '../base/spill.js';
import type { KernelExports } from '../kernel/exports.js';
import { FIXED, HITS, MAX_SIZE, MIN_SIZE, UNIT, UNIT_BITS } from '../kernel/layout/record.js';
import { factsBytes, type Facts, hasWord, readFacts } from './facts.js';

/** The least share of the memory for pages, however large the columns are. */
const MIN_SHARE = 1 / 32;
const MIN_FRAMES = 4;
/**
 * A list on disk is read at random, and most bytes of a page go unused. Five million URLs in 1 GiB: 33 s of system CPU
 * with pages of 8 KiB, 24 s with 4 KiB.
 */
const PAGE_BYTES = 1 << 12;
/** Bytes per URL that never go to disk: 6 here, 11 of `UrlOrder`, 10 more of `WalkColumns`. */
export const STAYING_BYTES = 27;
/**
 * How much more than the memory of the list these bytes may take, as what made the list is gone by then: the columns of
 * a site take at most half of --memory.
 */
const MOST_STAYING = 3 / 2;

/** So many URLs have 2.7 MB of columns. */
const SMALL = 100_000;

interface StoreOptions {
  /** Bytes for pages and all columns. A few pages and the columns are always in memory. */
  readonly memoryBytes: number;
  readonly tmpdir: string;
  /** A power of two. Every record fits into a page. */
  readonly pageBytes: number;
  readonly stats: SpillStats;
  /** Threads that will read the list too. */
  readonly crew?: { readonly threads: number } | undefined;
}

/** A list to pass to other threads: its bytes if they are in memory, or its pages on disk. */
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
  /** How many pages a thread may have in memory. */
  readonly frames: number;
}

/** One site of a finished list of several sites. */
export interface SiteWindow extends SharedSite {
  readonly forward: Forward;
}

/** Units of a record before its URL. */
export function headUnits(sketchLength: number): number {
  return (sketchLength + FIXED + UNIT - 1) >>> UNIT_BITS;
}

/** Units of a URL in a record. */
export function urlUnits(urlLength: number): number {
  return (urlLength + UNIT - 1) >>> UNIT_BITS;
}

/** Bytes of a page, if the URL and the sketch of a record have at most these sizes. */
export function pageBytesFor(urlBytes: number, sketchBytes: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(urlBytes + sketchBytes + FIXED + UNIT, PAGE_BYTES)));
}

/** Build (`add`), then freeze and read; `clear` begins the next site. */
export class SiteUrls {
  site = '';
  count = 0;
  /** The memory with the records; {@link at} returns offsets into it. */
  bytes: Uint8Array = new Uint8Array(0);
  /** The same memory in words of four bytes: URLs are at multiples of 8. */
  words: Int32Array = new Int32Array(0);
  /** Set if it is already known. */
  forward: Forward | undefined;
  readonly #options: StoreOptions;
  readonly #unitsPerPage: number;
  #maxFrames: number;
  #view: DataView = new DataView(new ArrayBuffer(0));
  #position: Uint32Array = new Uint32Array(0);
  #length: Uint16Array = new Uint16Array(0);
  /** True if this list made its columns, false if it shows those of another list. */
  #isOwner = false;
  /** The number of pages begun, and of bytes used in the last one. */
  #pages = 0;
  #fill = 0;
  /** The pages on disk: in this list's own file, or in a file of another thread. */
  #file: ScratchFile | undefined;
  #lent: LentFile | undefined;
  #frameOf = new Int32Array(0);
  #pageIn = new Int32Array(0);
  #wasUsed = new Uint8Array(0);
  #hand = 0;
  /** The frame requested last. It stays while the next one is fetched, so that two URLs can be compared. */
  #latest = 0;
  /** Bytes of the whole list in memory, if this shows one site of it. */
  #listBytes = 0;
  #useSite: KernelExports['useSite'] | undefined;
  readonly #page = (row: number): number => this.bytes.byteOffset + this.at(row);

  constructor(options: StoreOptions) {
    this.#options = options;
    this.#unitsPerPage = options.pageBytes / UNIT;
    this.#maxFrames = this.#framesBeside(0);
  }

  /** Opens the list in another thread. If it is on disk, close it, as {@link withSite} does. */
  static of(site: SharedSite): SiteUrls {
    const { pages } = site;
    const stats = { runs: 0, bytes: 0 };
    const urls = new SiteUrls({ memoryBytes: 0, tmpdir: '', pageBytes: pages?.pageBytes ?? UNIT, stats });
    urls.#look(site);
    if (pages !== undefined) urls.#borrow(pages);
    return urls;
  }

  /** For the threads in `crew`, until the list is closed or cleared. */
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

  /** Bytes of `bytes` that have records, for a list in memory: whole units. */
  get usedBytes(): number {
    if (this.#listBytes > 0) return this.bytes.length;
    return this.#pages === 0 ? 0 : (this.#pages - 1) * this.#options.pageBytes + urlUnits(this.#fill) * UNIT;
  }

  /** Writes the positions and lengths of the rows of a list in memory to columns from `at` on. */
  copyPlaces(position: Uint32Array, length: Uint16Array, at: number): void {
    position.set(this.#position.subarray(0, this.count), at);
    length.set(this.#length.subarray(0, this.count), at);
  }

  /** Unused bytes of the memory for pages and columns. None for a list on disk: the caches of the threads take them. */
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

  /** Makes this the current site of the kernel in this thread. */
  use(): void {
    this.#useSite ??= kernel().useSite;
    calls.page = this.#page;
    const isPaged = Number(!this.isResident);
    this.#useSite(this.bytes.byteOffset, this.#position.byteOffset, this.#length.byteOffset, this.count, isPaged);
  }

  /** True if so many rows, with so many bytes of records, fit in memory. */
  hasRoomFor(rows: number, recordBytes: number): boolean {
    return recordBytes + rows * STAYING_BYTES <= this.#options.memoryBytes;
  }

  /** How many URLs a site can have: the columns that stay in memory must fit. Those of small sites fit anywhere. */
  get mostUrls(): number {
    return Math.max(SMALL, Math.floor((MOST_STAYING * this.#options.memoryBytes) / STAYING_BYTES));
  }

  /** Shows one site of a list, which takes `listBytes` of memory with all its sites. */
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

  /** Adds the URL in collation bytes as the next row; sizes are -1 if unknown. The sketch may have facts before it. */
  add(url: Uint8Array, hits: number, min: number, max: number, sketch: Uint8Array): void {
    const at = this.#open(url.length, sketch.length, hits, min, max);
    this.bytes.set(url, at);
    this.bytes.set(sketch, at - FIXED - sketch.length);
  }

  /** Makes the next row without its URL and sketch; returns the offset of the URL. */
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
    // Even an empty URL must start inside of its page, or its position would belong to the next page.
    if (this.#pages > 0 && offset + Math.max(1, urlLength) <= this.#options.pageBytes) return offset;
    this.#openPage();
    return head;
  }

  /**
   * Keeps only these rows, in their order. For a list to which rows are still added. A record moves to the same page or
   * an earlier one, so pages in memory are overwritten; those on disk go to a new file.
   */
  retain(isKept: (row: number) => boolean): void {
    const { pageBytes, tmpdir } = this.#options;
    const file = this.#file === undefined ? undefined : new ScratchFile(tmpdir);
    if (file !== undefined) this.#writePage(this.#pages - 1); // or it would be lost with its frame
    const page = new Uint8Array(pageBytes);
    const rows = this.count;
    let [kept, pages, fill] = [0, 0, 0];
    const writePage = () => {
      if (file === undefined) this.bytes.set(page, (pages - 1) * pageBytes);
      else file.append(page);
    };
    for (let row = 0; row < rows; row++) {
      if (!isKept(row)) continue;
      const at = this.at(row);
      const length = this.#length[row]!;
      const head = headUnits(this.labelLengthAt(at)) * UNIT;
      let start = Math.ceil(fill / UNIT) * UNIT;
      if (pages === 0 || start + head + Math.max(1, length) > pageBytes) {
        if (pages > 0) writePage();
        [start, pages] = [0, pages + 1];
      }
      page.set(this.bytes.subarray(at - head, at + length), start);
      fill = start + head + length;
      this.#position[kept] = (pages - 1) * this.#unitsPerPage + (start + head) / UNIT;
      this.#length[kept++] = length;
    }
    this.count = kept;
    this.#pages = pages;
    this.#fill = fill;
    if (file === undefined) writePage();
    else this.#goOnIn(file, page);
  }

  /** Takes a file with all pages but the last, which is still being filled. */
  #goOnIn(file: ScratchFile, last: Uint8Array): void {
    this.#options.stats.bytes += file.length;
    this.#closeFile();
    this.#file = file;
    this.#lent = file.lend();
    this.#frameOf.fill(-1);
    this.#pageIn.fill(-1); // no page
    this.#wasUsed.fill(0);
    this.bytes.set(last, 0);
    this.#hand = 0;
    this.#take(0, this.#pages - 1);
  }

  /** Call this after the last row: writes the last page if pages are on disk. */
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

  /**
   * Offset in `bytes` of the URL of a row. Valid until the second call after this one, so that two rows can be
   * compared.
   */
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
    const length = this.labelLengthAt(offset);
    return length === 0 ? 0 : length - factsBytes(this.bytes, offset - FIXED - length, offset - FIXED);
  }

  /** The length of the sketch with the facts before it. */
  labelLengthAt(offset: number): number {
    return this.#view.getUint16(offset - FIXED, true);
  }

  /** True if a crawl said where the page of the URL at `offset` is, or in what languages. */
  hasWordAt(offset: number): boolean {
    const length = this.labelLengthAt(offset);
    return length > 0 && hasWord(this.bytes, offset - FIXED - length, offset - FIXED);
  }

  /** What a crawl said of the URL at `offset`; undefined if it said nothing. */
  factsAt(offset: number): Facts | undefined {
    const length = this.labelLengthAt(offset);
    return length === 0 ? undefined : readFacts(this.bytes, offset - FIXED - length, offset - FIXED);
  }

  #openPage(): void {
    if (this.#file === undefined && this.#pages >= this.#framesBeside(this.count)) this.#goToDisk();
    else if (this.#file !== undefined) this.#writePage(this.#pages - 1);
    this.#pages++;
    this.#fill = 0;
    if (this.#file === undefined) {
      const needed = this.#pages * this.#options.pageBytes;
      if (needed <= this.bytes.length) return;
      // The last growth step is large: its memory comes from the space that the smaller ones freed.
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

  /** How many pages fit in memory beside the columns of `rows` rows, for each of `readers` readers. */
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

  /** Sets the number of frames. Pages that stay in memory keep their contents. */
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

  /** Until now, frame i held page i; from now on, a frame may hold any page. */
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

  /** Reads the pages of another thread. All frames are empty at first. */
  #borrow({ file, pages, frames }: SharedPages): void {
    this.#lent = file;
    this.#pages = pages;
    this.#maxFrames = frames;
    this.#setFrames(frames);
    // The number of pages marks an empty frame.
    this.#frameOf = new Int32Array(pages + 1).fill(-1);
    this.#pageIn = new Int32Array(frames).fill(pages);
    this.#wasUsed = new Uint8Array(frames);
  }

  /** Pages are written once, in order, each when the next one begins. */
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

  /** Where a page starts in `bytes`. Fetches the page if it is not there. */
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

  /** Clock replacement: the next frame that was not used since the hand passed it and is not the latest one. */
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

/** Reads a list in another thread, and frees the memory that this takes. */
export function withSite<Result>(site: SharedSite, read: (urls: SiteUrls) => Result): Result {
  const urls = SiteUrls.of(site);
  try {
    return read(urls);
  } finally {
    urls.close();
  }
}

/** False for a URL that is in the list but has no page: it was only answered with 301 and 308, or with 304 and to HEAD. */
export function hasPage(urls: SiteUrls, row: number): boolean {
  const at = urls.at(row);
  return urls.minSizeAt(at) >= 0 || urls.sketchLengthAt(at) > 0;
}

/**
 * The number of tokens of each URL, and of first tokens that it shares with the URL before it in the list
 * (kernel/list/forward). Columns by row of a list. Token counts include START and END.
 */
export interface Forward {
  readonly tokens: Uint16Array;
  /** First tokens that URL r shares with URL r - 1; START counts. 0 for the first URL. */
  readonly sharedFirst: Uint16Array;
}
