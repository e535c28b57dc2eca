// The sites of a URL list, one after another, from sorted rows: the runs of a list that did not fit in memory, or those
// of earlier nights. Rows of the same URL are merged.
//
// A row:   key = site | 0x00 | URL in collation bytes      payload = hits f64 | min f64 | max f64 | sketch
//
// In a state, a row of several nights also has the visits of the URL (state/visits), which only a state reads. Its hits
// are negative then, and payload = −hits | min | max | length of the visits u8 | visits | sketch
import { copyTo } from '../base/buffer.js';
import { decodeText, sameRange } from '../base/bytes.js';
import { PROGRESS_MASK, type Progress } from '../base/progress.js';
import type { Row, RowReader } from '../base/row.js';
import { chooseLabel, type Label } from './facts.js';
import { UrlSample } from './sample.js';
import type { SiteUrls } from './site-urls.js';
import { NONE, SIZES } from './url-table.js';

/** Bytes of hits, min and max; the rest of a payload is the sketch. */
export const PAYLOAD = 8 * SIZES;

/** The sites one after another. Each list is reused for the next site. */
export interface SiteReader {
  /** The URL list of the next site in byte order of the site names, or undefined after the last. */
  next(): SiteUrls | undefined;
  close(): void;
  /** Starts over. Missing if the sites can be read once only. */
  readonly rewind?: (() => void) | undefined;
  /** The number of sites, or a smaller number; missing if nothing is known. */
  readonly sites?: number;
  /**
   * The number of URLs of all sites, if known. Otherwise they are reported to the progress display as they are read.
   */
  readonly urls?: number;
}

/** Called for each site with more URLs than memory takes: with all of its URLs, and those in the sample. */
export type OnSample = (site: string, urls: number, sampled: number) => void;

export interface MergingOptions {
  readonly progress?: Progress | undefined;
  /** If given, a site that is too large for memory is sampled; otherwise it is read whole. */
  readonly onSample?: OnSample | undefined;
  /** The number of sites, or a smaller number. */
  readonly sites?: number;
}

/**
 * Merges the rows of a URL in the order they come: hits add up. The sketch and the sizes of the newest capture count
 * (./facts), and of rows without a time the last sketch, and all sizes.
 */
export class MergedSites implements SiteReader {
  readonly #rows: RowReader & { rewind?(): void };
  readonly #urls: SiteUrls;
  readonly rewind: (() => void) | undefined;
  readonly sites?: number;
  readonly #url = new PendingUrl();
  readonly #progress: Progress | undefined;
  readonly #onSample: OnSample | undefined;
  #sample: UrlSample | undefined;
  #row: Row | undefined;
  /** Rows and URLs since the last report. */
  #rowsTaken = 0;
  #urlsTaken = 0;

  constructor(
    rows: RowReader & { rewind?(): void },
    urls: SiteUrls,
    { progress, onSample, sites }: MergingOptions = {},
  ) {
    this.#progress = progress;
    this.#onSample = onSample;
    this.#rows = rows;
    this.#urls = urls;
    this.#row = rows.next();
    if (sites !== undefined) this.sites = sites;
    if (rows.rewind !== undefined) {
      this.rewind = () => {
        rows.rewind!();
        this.#row = rows.next();
      };
    }
  }

  next(): SiteUrls | undefined {
    if (this.#row === undefined) return undefined;
    const first = this.#row;
    const site = first.bytes.slice(first.keyStart, first.bytes.indexOf(0, first.keyStart));
    this.#urls.clear(decodeText(site));
    this.#sample = undefined;
    let urls = 0;
    for (; this.#row !== undefined && hasSite(this.#row, site); this.#row = this.#rows.next()) {
      if ((++this.#rowsTaken & PROGRESS_MASK) === 0) this.#report();
      const urlAt = this.#row.keyStart + site.length + 1;
      if (!this.#url.isUrl(this.#row, urlAt)) {
        this.#addUrl();
        this.#url.begin(this.#row, urlAt);
        this.#urlsTaken++;
        urls++;
      }
      this.#url.fold(this.#row);
    }
    this.#addUrl();
    this.#report();
    if (this.#sample !== undefined) this.#onSample!(this.#urls.site, urls, this.#urls.count);
    return this.#urls.freeze();
  }

  /** Adds the URL whose rows were all merged, unless the sample of its site lacks it. */
  #addUrl(): void {
    const sample = this.#sample;
    if (!this.#url.takeIf((url) => sample?.has(url, 0, url.length) ?? true, this.#urls)) return;
    if (this.#onSample !== undefined && this.#urls.count > this.#urls.mostUrls) this.#narrow(this.#urls);
  }

  #narrow(urls: SiteUrls): void {
    const sample = (this.#sample ??= new UrlSample(urls.mostUrls));
    while (urls.count > urls.mostUrls) {
      sample.narrow();
      urls.retain((row) => {
        const at = urls.at(row);
        return sample.has(urls.bytes, at, at + urls.lengthOf(row));
      });
    }
  }

  /** Reports URLs as units, and rows as shares of the work: a URL has one row per run. */
  #report(): void {
    this.#progress?.add(this.#urlsTaken, this.#rowsTaken);
    this.#urlsTaken = this.#rowsTaken = 0;
  }

  close(): void {
    this.#urls.close();
    this.#rows.close();
  }
}

function hasSite(row: Row, site: Uint8Array): boolean {
  const { bytes, keyStart } = row;
  return bytes[keyStart + site.length] === 0 && sameRange(bytes, keyStart, site, 0, site.length);
}

const NO_BYTES = new Uint8Array(0);

/** A URL while its rows of several runs are merged. */
class PendingUrl {
  #isOpen = false;
  /** The URL is at the beginning of a buffer, which the next one overwrites. */
  #buffer = new Uint8Array(1 << 12);
  #url: Uint8Array = NO_BYTES;
  #sketch: Uint8Array = NO_BYTES;
  #hits = 0;
  #min = NONE;
  #max = NONE;
  readonly #numbers = new Float64Array(3);
  readonly #numberBytes = new Uint8Array(this.#numbers.buffer);

  isUrl({ bytes, keyEnd }: Row, urlAt: number): boolean {
    const length = keyEnd - urlAt;
    return this.#isOpen && this.#url.length === length && sameRange(this.#url, 0, bytes, urlAt, length);
  }

  begin({ bytes, keyEnd }: Row, urlAt: number): void {
    this.#isOpen = true;
    const length = keyEnd - urlAt;
    if (length > this.#buffer.length) this.#buffer = new Uint8Array(2 * length);
    copyTo(this.#buffer, 0, bytes, urlAt, keyEnd);
    this.#url = this.#buffer.subarray(0, length);
    this.#sketch = NO_BYTES;
    this.#hits = 0;
    this.#min = this.#max = NONE;
  }

  fold({ bytes, keyEnd, end }: Row): void {
    for (let k = 0; k < PAYLOAD; k++) this.#numberBytes[k] = bytes[keyEnd + k]!;
    const [hits, min, max] = this.#numbers as unknown as [number, number, number];
    this.#hits += Math.abs(hits);
    const start = keyEnd + PAYLOAD + (hits < 0 ? 1 + bytes[keyEnd + PAYLOAD]! : 0);
    if (end > start && this.#isOlder(bytes.slice(start, end))) return;
    if (min >= 0 && (this.#min < 0 || min < this.#min)) this.#min = min;
    if (max > this.#max) this.#max = max;
  }

  /** Takes the label of a row; true if that is of an older capture, and does not count. */
  #isOlder(next: Uint8Array): boolean {
    const before = this.#sketch;
    const choice = before.length === 0 ? undefined : chooseLabel(labelOf(before), labelOf(next));
    if (choice?.stays === 'before') return true;
    this.#sketch = next;
    if (choice?.sizes === 'one') this.#min = this.#max = NONE;
    return false;
  }

  /** Adds the URL to the list if it is wanted; returns whether it was added. */
  takeIf(isWanted: (url: Uint8Array) => boolean, urls: SiteUrls): boolean {
    const isAdded = this.#isOpen && isWanted(this.#url);
    if (isAdded) urls.add(this.#url, this.#hits, this.#min, this.#max, this.#sketch);
    this.#isOpen = false;
    return isAdded;
  }
}

function labelOf(bytes: Uint8Array): Label {
  return { bytes, start: 0, end: bytes.length };
}
