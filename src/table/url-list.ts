// The URL list of the paper (§5.1): the distinct URLs, each with hits, size range and sketch, site by site.
//
// Records are folded into a hash table of URLs. If it never outgrows its share, it is sorted where it is. Else it goes, each
// time it is full, sorted by (site, URL) to disk as a run, and merging the runs gives the sites one after another. The rows
// are drawn in `merged-sites`.
import { encodeText } from '../base/bytes.js';
import { SpillSorter, type SpillOptions, type SpillStats } from '../base/spill.js';
import type { RecordBatch } from '../log/record.js';
import { collate } from '../url/token.js';
import type { TableCrew } from './crew.js';
import { MergedSites, PAYLOAD, type SiteReader } from './merged-sites.js';
import { pageBytesFor, SiteUrls } from './site-urls.js';
import { MAX_SKETCH_BYTES, PLACES, UrlTable, type SiteOf, type SitesInOrder } from './url-table.js';

export type { SiteOf, SiteReader };

const SHARE = 0.45;

export interface ListOptions extends SpillOptions {
  /** Threads that may help. */
  readonly crew?: TableCrew | undefined;
}

/** Build (`add`), then freeze and read (`finish`). */
export class UrlListBuilder {
  readonly #siteOf: SiteOf;
  readonly #options: ListOptions;
  readonly #maxBytes: number;
  readonly #stats: SpillStats;
  readonly #table: UrlTable;
  #sorter: SpillSorter | undefined;

  constructor(siteOf: SiteOf, options: ListOptions, stats: SpillStats) {
    this.#table = new UrlTable(options.crew);
    this.#siteOf = siteOf;
    this.#options = options;
    // One share for the hash table, one for sorting and merging what left it, or for the sites that are read from it. What is
    // left over is for what comes and goes on the way.
    this.#maxBytes = SHARE * options.memoryBytes;
    this.#stats = stats;
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
    const pageBytes = pageBytesFor(this.#table.longestUrl, MAX_SKETCH_BYTES, memoryBytes);
    const { tmpdir, crew } = this.#options;
    const urls = new SiteUrls({ memoryBytes, tmpdir, pageBytes, stats: this.#stats, crew });
    if (this.#sorter === undefined) return new TableSites(this.#table, this.#siteOf, urls, this.#maxBytes / 4);
    this.#flush();
    this.#table.drop(this.#maxBytes / 4);
    return new MergedSites(this.#sorter.finish(), urls);
  }

  #flush(): void {
    const sorter = (this.#sorter ??= new SpillSorter({ ...this.#options, memoryBytes: this.#maxBytes }, this.#stats));
    const { bytes, places, sizes } = this.#table;
    let line = new Uint8Array(4096);
    const sizeBytes = new Uint8Array(sizes.buffer);
    for (let row = 0; row < this.#table.rows; row++) {
      const [start, end, sketchStart, sketchEnd] = places.subarray(row * PLACES, (row + 1) * PLACES) as unknown as Four;
      const site = encodeText(this.#siteOf(bytes, start, end));
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

/** From the hash table itself, sorted where it is. */
class TableSites implements SiteReader {
  readonly #table: UrlTable;
  readonly #sites: SitesInOrder;
  readonly #urls: SiteUrls;
  readonly #mostHeldBytes: number;
  #next = 0;

  constructor(table: UrlTable, siteOf: SiteOf, urls: SiteUrls, mostHeldBytes: number) {
    this.#mostHeldBytes = mostHeldBytes;
    this.#table = table;
    this.#sites = table.sorted(siteOf);
    this.#urls = urls;
  }

  next(): SiteUrls | undefined {
    const { names, ends, rows } = this.#sites;
    const site = this.#next++;
    if (site >= names.length) return undefined;
    this.#urls.clear(names[site]!);
    const from = site === 0 ? 0 : ends[site - 1]!;
    this.#urls.reserve(ends[site]! - from);
    this.#table.copyTo(this.#urls, rows.subarray(from, ends[site]));
    if (site === names.length - 1) this.#table.drop(this.#mostHeldBytes);
    return this.#urls.freeze();
  }

  close(): void {
    this.#urls.close();
    this.#table.drop(this.#mostHeldBytes);
  }
}
