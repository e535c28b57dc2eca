// The URLs of a sample that rules change, and their forms. The URLs are read once, for all sets of rules.
//
//     bytes   http://www.x/a http://x/a http://x/b      starts  0  14  24  34
import type { Canonizer } from '../canonize/canonizer.js';
import { hitList, type HitList } from '../canonize/name/census.js';
import { decodeText, latin1 } from '../base/bytes.js';
import { drawRows } from '../table/draw-rows.js';
import { findRow } from '../table/find-row.js';
import { hasPage, type SiteUrls } from '../table/site-urls.js';
import { rawUrl } from '../table/raw-url.js';
import { uncollateTo } from '../url/token.js';

/** The most changed URLs whose names are compared. */
const MOST_CHANGED = 2000;
/** A turn must save this share of all hits (canonize/name/choose). */
const LEAST_GAIN = 0.005;

export class UrlSample {
  readonly urls: SiteUrls;
  readonly rows: Uint32Array;
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;

  constructor(urls: SiteUrls, most: number) {
    this.urls = urls;
    this.rows = drawRows(urls.count, most);
    this.starts = new Uint32Array(this.rows.length + 1);
    for (let k = 0; k < this.rows.length; k++) this.starts[k + 1] = this.starts[k]! + urls.lengthOf(this.rows[k]!);
    this.bytes = new Uint8Array(this.starts[this.rows.length]!);
    for (let k = 0; k < this.rows.length; k++) {
      const at = urls.at(this.rows[k]!);
      uncollateTo(this.bytes, this.starts[k]!, urls.bytes, at, at + urls.lengthOf(this.rows[k]!));
    }
  }
}

export type LineCanonizer = Pick<Canonizer, 'canonizeLine' | 'canonical'>;

export class ChangedUrls {
  readonly #sample: UrlSample;
  /** Rows of the changed URLs, and rows of their forms that are in the list. */
  readonly #rows: number[] = [];
  readonly #forms: number[] = [];
  /** Forms that are not in the list, one char per byte. */
  readonly #made = new Set<string>();

  /** `canonizer` applies the rules; without one, nothing is changed. */
  constructor(sample: UrlSample, canonizer: LineCanonizer | undefined) {
    this.#sample = sample;
    if (canonizer === undefined) return;
    const { urls, rows, bytes, starts } = sample;
    const { canonical } = canonizer;
    for (let at = 0; at < rows.length; at++) {
      canonizer.canonizeLine(bytes, starts[at]!, starts[at + 1]!);
      if (!canonical.isChanged) continue;
      const form = canonical.bytes.subarray(canonical.start, canonical.end);
      const other = findRow(urls, form);
      this.#rows.push(rows[at]!);
      this.#forms.push(other);
      if (other < 0) this.#made.add(latin1(form));
    }
  }

  /** How many fewer URLs remain under the rules. */
  get duplicates(): number {
    return this.#rows.length - this.#made.size;
  }

  /**
   * True if other forms would redirect fewer hits for the same merges: if the form of each group were its member with
   * the most hits.
   */
  get mayGain(): boolean {
    const hitsOf = (row: number) => hitsAt(this.#sample.urls, row);
    const most = new Map<number, number>();
    let [redirected, least] = [0, 0];
    for (const [at, row] of this.#rows.entries()) {
      const form = this.#forms[at]!;
      const hits = hitsOf(row);
      redirected += hits;
      if (form >= 0) {
        const before = most.get(form) ?? hitsOf(form);
        most.set(form, Math.max(before, hits));
        least += Math.min(before, hits);
      }
    }
    return redirected - least >= LEAST_GAIN * sumOf(this.#sample.rows, hitsOf);
  }

  /** Some changed URLs and their forms, with the hits of all URLs. */
  list(): HitList {
    const { urls, rows: sampled } = this.#sample;
    const some = this.#rows.slice(0, MOST_CHANGED);
    const forms = this.#forms.slice(0, MOST_CHANGED).filter((row) => row >= 0);
    const rows = [...new Set([...some, ...forms])].sort((a, b) => a - b);
    const texts = rows.map((row) => decodeText(rawUrl(urls, row)));
    const moved = texts.filter((_, at) => !hasPage(urls, rows[at]!));
    const lines = rows.map((row) => hitsAt(urls, row));
    // Scaled as if the sample ended after these changed URLs.
    const share = some.length / this.#rows.length;
    const pages = sampled.filter((row) => hasPage(urls, row));
    const allHits = share * sumOf(pages, (row) => hitsAt(urls, row));
    return hitList(texts, lines, moved, { allHits, allUrls: share * sampled.length });
  }
}

function hitsAt(urls: SiteUrls, row: number): number {
  return urls.hitsAt(urls.at(row));
}

function sumOf(rows: Uint32Array, numberOf: (row: number) => number): number {
  return rows.reduce((sum, row) => sum + numberOf(row), 0);
}
