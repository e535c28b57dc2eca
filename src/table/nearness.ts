// Measures how near two URLs of the list are, by what the log knows of their pages.
//
// SPEC 3 asks whether size ranges overlap. A page with a date, a counter or its own address hardly ever has the same
// size twice, so that is too strict: of 997 pairs of one page on a forum, 16 % overlapped, and the median difference
// was a thousandth. So there are levels. Callers compare how often pairs reach a level with how often two random pages
// of the template do:
//
//   0   ranges overlap, sizes differ by k times what the addresses differ in length, or sketches agree
//   1   sizes within 0.1 %     2   0.3 %     3   1 %     4   2 %     5   10 %     6   further apart: other pages
//
// What the site itself says comes first (./site-word): two URLs that lead to one name are one page, level 0, and two that
// it keeps apart are other pages. The page of a URL that redirects is that of its target, unless many URLs redirect there.
//
// k is a small integer: pages repeat their address (a feed once, pages up to six times); callers that know k more
// exactly pass it (mine/echo). A range with distant ends is really two sizes, compressed and plain. If the log has such
// ranges and two sizes differ by a typical ratio of compression, they may be one page in both forms: then the level is
// unknown.
import { isSimilar } from './similar.js';
import { SiteWords } from './site-word.js';
import type { SiteUrls } from './site-urls.js';

export type Level = 0 | 1 | 2 | 3 | 4 | 5 | 6;
export const LEVELS = 7;
export const OTHER: Level = 6;

/** How often pages repeat their address, or how that shows in sizes: 'packed' if pages are compressed. */
export type Echo = 'plain' | 'packed' | { readonly least: number; readonly most: number };

/** A page is unknown, or the two cannot be compared. */
export const SILENT = -1;

/** The largest differences of levels 1 to 5, relative to the smaller size. */
const WITHIN = [0.001, 0.003, 0.01, 0.02, 0.1] as const;
const FEW_ECHOES = { least: 1, most: 6 };
/**
 * A compressed page that repeats its address grows by the new bytes of the address, once, and some noise: of 60 pages
 * with and without a tracker of 32 bytes, half differed by 5 at most, the others by 30 to 50.
 */
const PACKED_NOISE = 8;
const PACKED_ECHO = 1.5;
/** Text compresses to between a half and a twelfth of its size. */
const PACKED = 1.8;
const MOST_PACKED = 12;
/** The number of rows to check for compressed sizes, and the share of them from which the log counts as mixed. */
const LOOKED_AT = 4096;
const MIXED = 0.02;

/** The number of pairs, of counts by level. */
export function pairsIn(levels: ArrayLike<number>): number {
  let count = 0;
  for (let level = 0; level < levels.length; level++) count += levels[level]!;
  return count;
}

export class Nearness {
  readonly #urls: SiteUrls;
  readonly #sizes: SizeNearness;
  readonly #words: SiteWords;

  constructor(urls: SiteUrls, words = new SiteWords(urls)) {
    this.#urls = urls;
    this.#words = words;
    this.#sizes = new SizeNearness(packingOf(urls));
  }

  /**
   * The level of two rows, or {@link SILENT}. With `packed`, sizes need not differ by a multiple of what the addresses
   * do.
   */
  between(rowA: number, rowB: number, echo: Echo = 'plain'): Level | typeof SILENT {
    if (!this.#words.isAbout(rowA, rowB)) return this.#betweenPages(rowA, rowB, echo);
    const word = this.#words.about(rowA, rowB);
    if (word !== undefined) return word === 'apart' ? OTHER : 0;
    const [a, b] = [this.#pageOf(rowA), this.#pageOf(rowB)];
    return a < 0 || b < 0 ? SILENT : this.#betweenPages(a, b, echo);
  }

  /** The row of a page: itself, or where it redirects to; -1 if that is unknown or says nothing. */
  #pageOf(row: number): number {
    const end = this.#words.endOf(row);
    if (!end.isMoved) return row;
    return this.#words.isCommon(end) ? -1 : end.row;
  }

  #betweenPages(rowA: number, rowB: number, echo: Echo): Level | typeof SILENT {
    const urls = this.#urls;
    const a = urls.at(rowA);
    const [aMin, aMax, aHasSketch] = [urls.minSizeAt(a), urls.maxSizeAt(a), urls.sketchLengthAt(a) > 0];
    const b = urls.at(rowB);
    if (aHasSketch && urls.sketchLengthAt(b) > 0) return isSimilar(urls, rowA, rowB) ? 0 : OTHER;
    const [bMin, bMax] = [urls.minSizeAt(b), urls.maxSizeAt(b)];
    if (aMin < 0 || bMin < 0) return SILENT;
    const longer = urls.lengthOf(rowA) - urls.lengthOf(rowB);
    return this.#sizes.between(aMin, aMax, bMin, bMax, longer, echo);
  }

  /** How much longer the first page is than the second, and how much longer its URL; undefined if unknown. */
  gapOf(rowA: number, rowB: number): { readonly size: number; readonly longer: number } | undefined {
    const urls = this.#urls;
    const [a, longer] = [urls.at(rowA), urls.lengthOf(rowA) - urls.lengthOf(rowB)];
    const [aMin, aMax] = [urls.minSizeAt(a), urls.maxSizeAt(a)];
    const b = urls.at(rowB);
    const [bMin, bMax] = [urls.minSizeAt(b), urls.maxSizeAt(b)];
    if (aMin < 0 || bMin < 0 || isWide(aMin, aMax) || isWide(bMin, bMax)) return undefined;
    return { size: aMin - bMin, longer };
  }
}

/** Compares two pages by their sizes. `isMixed`: the log has sizes of both compressed and plain answers. */
export class SizeNearness {
  readonly #isMixed: boolean;

  constructor({ isMixed }: { readonly isMixed: boolean }) {
    this.#isMixed = isMixed;
  }

  /** `longer`: how much longer the URL of the first page is. */
  between(
    aMin: number,
    aMax: number,
    bMin: number,
    bMax: number,
    longer: number,
    echo: Echo = 'plain',
  ): Level | typeof SILENT {
    let level = OTHER;
    if (isWide(aMin, aMax) || isWide(bMin, bMax)) {
      for (const x of aMin === aMax ? [aMin] : [aMin, aMax]) {
        for (const y of bMin === bMax ? [bMin] : [bMin, bMax])
          level = Math.min(level, levelOf(x, x, y, y, longer, echo)) as Level;
      }
    } else {
      level = levelOf(aMin, aMax, bMin, bMax, longer, echo);
      // A page may have a part that comes and goes: compares least with least and greatest with greatest.
      if (typeof echo === 'object') {
        level = Math.min(level, levelOf(aMin, aMin, bMin, bMin, longer, echo)) as Level;
        level = Math.min(level, levelOf(aMax, aMax, bMax, bMax, longer, echo)) as Level;
      }
    }
    return level === OTHER && this.#isMixed && mayBePacked(aMin, aMax, bMin, bMax) ? SILENT : level;
  }
}

/** With so many hits, the ends of a URL's range are about two of its sizes. */
const FEWEST_AGAIN = 2;
const MOST_AGAIN = 3;

/** How near pages are to themselves when requested again: counts by level, over a sample of URLs. */
export function selfNearness(urls: SiteUrls): Uint32Array {
  const levels = new Uint32Array(LEVELS);
  const step = Math.ceil(urls.count / LOOKED_AT);
  for (let row = 0; row < urls.count; row += step) {
    const at = urls.at(row);
    const [hits, min, max] = [urls.hitsAt(at), urls.minSizeAt(at), urls.maxSizeAt(at)];
    const facts = urls.factsAt(at);
    if (facts !== undefined) {
      if (facts.hasChanged !== undefined) levels[facts.hasChanged ? OTHER : 0]!++;
      continue;
    }
    if (hits < FEWEST_AGAIN || hits > MOST_AGAIN || min <= 0 || isWide(min, max)) continue;
    levels[min === max ? 0 : levelOfShare((max - min) / max)]!++;
  }
  return levels;
}

/** The level of two ranges. `longer`: how much longer the URL of the first page is. */
function levelOf(aMin: number, aMax: number, bMin: number, bMax: number, longer: number, by: Echo): Level {
  const above = aMin - bMax;
  const below = bMin - aMax;
  if (above <= 0 && below <= 0) return 0;
  const gap = Math.max(above, below);
  const echo = above > 0 ? longer : -longer;
  if (by === 'packed' && gap <= PACKED_NOISE + PACKED_ECHO * Math.max(0, echo)) return 0;
  const { least, most } = typeof by === 'object' ? by : FEW_ECHOES;
  const rest = echo > 0 ? Math.abs(gap - echo * Math.min(most, Math.max(least, Math.round(gap / echo)))) : gap;
  if (rest === 0) return 0;
  return levelOfShare(Math.min(gap, rest) / Math.max(aMin, bMin));
}

function levelOfShare(share: number): Level {
  let level = 1;
  while (level < OTHER && share > WITHIN[level - 1]!) level++;
  return level as Level;
}

function isWide(min: number, max: number): boolean {
  return max > PACKED * min;
}

function mayBePacked(aMin: number, aMax: number, bMin: number, bMax: number): boolean {
  const [small, large] = aMin > bMax ? [bMax, aMin] : [aMax, bMin];
  return large > PACKED * small && large < MOST_PACKED * small;
}

function packingOf(urls: SiteUrls): Packing {
  const step = Math.ceil(urls.count / LOOKED_AT);
  const packing = new Packing();
  for (let row = 0; row < urls.count; row += step) {
    const at = urls.at(row);
    packing.add(urls.hitsAt(at), urls.minSizeAt(at), urls.maxSizeAt(at));
  }
  return packing;
}

/** Detects whether URLs that were requested several times were sent both compressed and plain. */
export class Packing {
  #again = 0;
  #wide = 0;

  add(hits: number, min: number, max: number): void {
    if (min <= 0 || hits < 2) return;
    this.#again++;
    if (isWide(min, max) && max < MOST_PACKED * min) this.#wide++;
  }

  get isMixed(): boolean {
    return this.#wide > 1 && this.#wide >= MIXED * this.#again;
  }
}
