// The URL list of the paper (§5.1): the distinct URLs, each with hits, size range and sketch, site by site.
//
// Records are folded into a hash table of URLs. If it fits into its share of memory, and the list of all sites fits
// beside it, that list is made in memory. Otherwise the table is sorted by (site, URL) and spilled to disk as a run
// whenever it is full, and the k-way merge of the runs gives one site after another. `merged-sites` has the layout of a
// row.
import { encodeText } from '../base/bytes.js';
import { heapHalf } from '../base/heap.js';
import { PROGRESS_MASK } from '../base/progress.js';
import { SpillSorter, type SpillOptions, type SpillStats } from '../base/spill.js';
import { UNIT } from '../kernel/layout/record.js';
import type { RecordBatch } from '../log/record.js';
import { collate } from '../url/token.js';
import type { TableCrew } from './crew.js';
import { MergedSites, type OnSample, PAYLOAD, type SiteReader } from './merged-sites.js';
import { pageBytesFor, SiteUrls, STAYING_BYTES } from './site-urls.js';
import { SortedList } from './sorted-list.js';
import { layOut, STRETCH_BYTES } from './stretches.js';
import { MAX_SKETCH_BYTES, PLACES, UrlTable, type SiteOf } from './url-table.js';

export type { OnSample, SiteOf, SiteReader };

export interface ListOptions extends SpillOptions {
  /** Threads that may help. */
  readonly crew?: TableCrew | undefined;
  /** Bytes of records that are sorted together. */
  readonly stretchBytes?: number;
  /** If given, sites that are too large for memory are sampled. */
  readonly onSample?: OnSample | undefined;
  /** The bits of URL hashes that are used: all by default, fewer in tests. */
  readonly hashBits?: number;
}

/** Build (`add`), then freeze and read (`finish`). */
export class UrlListBuilder {
  readonly #options: ListOptions;
  readonly #maxBytes: number;
  readonly #stats: SpillStats;
  readonly #table: UrlTable;
  #sorter: SpillSorter | undefined;
  /** The most sites of a run. */
  #sites = 0;

  constructor(siteOf: SiteOf, options: ListOptions, stats: SpillStats) {
    this.#table = new UrlTable(siteOf, options.crew, options.hashBits);
    this.#options = options;
    // Half is for the hash table. The other half is for sorting and merging its runs, or for the list made from it.
    // Beside them there is memory for temporary data.
    this.#maxBytes = heapHalf(options.memoryBytes);
    this.#stats = stats;
  }

  /** Sketches that were left out because they are damaged: their URLs count as without one. */
  get damagedSketches(): number {
    return this.#table.damagedSketches;
  }

  add(batch: RecordBatch): void {
    for (let record = 0; ;) {
      record = this.#table.add(batch, record, this.#maxBytes);
      if (record === batch.rows) return;
      this.#flush();
    }
  }

  finish(): SiteReader {
    const memoryBytes = this.#maxBytes;
    const pageBytes = pageBytesFor(this.#table.longestUrl, MAX_SKETCH_BYTES);
    const { tmpdir, crew } = this.#options;
    const urls = new SiteUrls({ memoryBytes, tmpdir, pageBytes, stats: this.#stats, crew });
    const sites = this.#sorter === undefined ? this.#listed(urls) : undefined;
    if (sites !== undefined) return sites;
    this.#flush();
    this.#table.freeze();
    this.#table.drop();
    return new MergedSites(this.#sorter!.finish(), urls, { ...this.#options, sites: this.#sites });
  }

  /** All sites at once, if there is room. */
  #listed(urls: SiteUrls): SiteReader | undefined {
    const { crew, stretchBytes = STRETCH_BYTES } = this.#options;
    const columns = this.#table.freeze();
    const layout = layOut(columns, this.#table.siteNames, stretchBytes);
    if (!urls.hasRoomFor(columns.rows, layout.firstUnit.at(-1)! * UNIT)) return undefined;
    const list = SortedList.of(columns, layout, crew);
    this.#table.drop();
    return new ListedSites(list.sort(), columns.rows, urls);
  }

  #flush(): void {
    const sorter = (this.#sorter ??= new SpillSorter({ ...this.#options, memoryBytes: this.#maxBytes }, this.#stats));
    const { siteNames } = this.#table;
    this.#sites = Math.max(this.#sites, siteNames.length);
    const { bytes } = this.#table;
    const { rows, places, sizes, sites } = this.#table.columns();
    let line = new Uint8Array(4096);
    let [site, number]: [Uint8Array, number] = [line, -1];
    const sizeBytes = new Uint8Array(sizes.buffer, sizes.byteOffset, rows * PAYLOAD);
    for (let row = 0; row < rows; row++) {
      if ((row & PROGRESS_MASK) === 0) this.#options.progress?.tick();
      const [start, end, sketchStart, sketchEnd] = places.subarray(row * PLACES, (row + 1) * PLACES) as unknown as Four;
      if (sites[row] !== number) {
        number = sites[row]!;
        site = encodeText(siteNames[number]!);
      }
      const keyLength = site.length + 1 + end - start;
      const sketch = bytes.subarray(sketchStart, sketchEnd);
      const length = keyLength + PAYLOAD + sketch.length;
      if (length > line.length) line = new Uint8Array(length * 2);
      line.set(site);
      line[site.length] = 0;
      line.set(bytes.subarray(start, end), site.length + 1);
      collate(line, site.length + 1, keyLength);
      line.set(sizeBytes.subarray(row * PAYLOAD, (row + 1) * PAYLOAD), keyLength);
      line.set(sketch, keyLength + PAYLOAD);
      sorter.add(line, 0, length, keyLength);
    }
    this.#table.clear();
  }
}

type Four = [number, number, number, number];

/** Reads the sites of a list in memory. */
class ListedSites implements SiteReader {
  readonly #list: SortedList;
  readonly #listBytes: number;
  readonly #urls: SiteUrls;
  readonly urls: number;
  readonly sites: number;
  #next = 0;

  constructor(list: SortedList, rows: number, urls: SiteUrls) {
    this.urls = rows;
    this.sites = list.names.length;
    this.#list = list;
    this.#listBytes = list.recordBytes + rows * STAYING_BYTES;
    this.#urls = urls;
  }

  next(): SiteUrls | undefined {
    const site = this.#next++;
    const { names } = this.#list;
    if (site >= names.length) return undefined;
    return this.#urls.show(names[site]!, this.#list.window(site), this.#listBytes);
  }

  rewind = (): void => {
    this.#next = 0;
  };

  close(): void {
    this.#urls.close();
    this.#list.close();
  }
}
