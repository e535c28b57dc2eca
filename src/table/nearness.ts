// How near are two URLs of the list, by what is known about their pages?
//
// SPEC 3 asks whether size ranges overlap. A page that shows a date, a counter or its own address hardly ever has the
// same size twice, so that says too little: of 997 pairs of one page on a forum 16 % overlapped, and the median
// difference was a thousandth. So there are levels, and callers compare how often pairs reach one with how often any
// two pages of the template do:
//
//   0   ranges overlap, sizes differ by k times what the addresses do in length, or sketches agree
//   1   sizes within 0.1 %     2   0.3 %     3   1 %     4   2 %     5   10 %     6   further apart: other pages
//
// k is a small integer: pages repeat their address (a feed once, pages up to six times). A range whose ends are far
// apart is really two sizes, compressed and plain. If the log has such ranges, a pair that differs by a factor may be
// one page compressed and plain: then nothing is known.
import { isSimilar } from './similar.js';
import type { SiteUrls } from './site-urls.js';

export type Level = 0 | 1 | 2 | 3 | 4 | 5 | 6;
export const LEVELS = 7;
export const OTHER: Level = 6;

/** How an address that a page repeats shows in its size. */
export type Echo = 'plain' | 'packed';

/** One of the two is unknown, or they are not comparable. */
export const SILENT = -1;

/** The largest differences of levels 1 to 5, as a share of the smaller size. */
const WITHIN = [0.001, 0.003, 0.01, 0.02, 0.1] as const;
const MOST_ECHOES = 6;
/**
 * A compressed page that repeats its address is longer by what is new in it, once, and some bytes more or less: of 60
 * pages with and without a tracker of 32 bytes half differed by 5 at most, the others by 30 to 50.
 */
const PACKED_NOISE = 8;
const PACKED_ECHO = 1.5;
/** Text compresses to between a half and a twelfth of its size. */
const PACKED = 1.8;
const MOST_PACKED = 12;
/** Rows that are checked for compressed sizes, and the share of them from which the log counts as mixed. */
const LOOKED_AT = 4096;
const MIXED = 0.02;

export class Nearness {
  readonly #urls: SiteUrls;
  readonly #sizes: SizeNearness;

  constructor(urls: SiteUrls) {
    this.#urls = urls;
    this.#sizes = new SizeNearness(packingOf(urls));
  }

  /**
   * The level of two rows, or {@link SILENT}. `packed`: what the addresses add to the sizes need not be a multiple.
   */
  between(rowA: number, rowB: number, echo: Echo = 'plain'): Level | typeof SILENT {
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
}

/** How near are two pages by their known sizes? `isMixed`: the log has sizes of compressed and of plain answers. */
export class SizeNearness {
  readonly #isMixed: boolean;

  constructor({ isMixed }: { readonly isMixed: boolean }) {
    this.#isMixed = isMixed;
  }

  /** `longer`: by how much the URL of the first is longer. */
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
    } else level = levelOf(aMin, aMax, bMin, bMax, longer, echo);
    return level === OTHER && this.#isMixed && mayBePacked(aMin, aMax, bMin, bMax) ? SILENT : level;
  }
}

/** Hits of a URL from which the ends of its range are about two of its sizes. */
const FEWEST_AGAIN = 2;
const MOST_AGAIN = 3;

/** How near the pages of URLs are to themselves when they were asked for again: counts by level, of a sample. */
export function selfNearness(urls: SiteUrls): Uint32Array {
  const levels = new Uint32Array(LEVELS);
  const step = Math.ceil(urls.count / LOOKED_AT);
  for (let row = 0; row < urls.count; row += step) {
    const at = urls.at(row);
    const [hits, min, max] = [urls.hitsAt(at), urls.minSizeAt(at), urls.maxSizeAt(at)];
    if (hits < FEWEST_AGAIN || hits > MOST_AGAIN || min <= 0 || isWide(min, max)) continue;
    levels[min === max ? 0 : levelOfShare((max - min) / max)]!++;
  }
  return levels;
}

/** Level of two ranges; `longer` is by how much the URL of the first is longer. */
function levelOf(aMin: number, aMax: number, bMin: number, bMax: number, longer: number, by: Echo): Level {
  const above = aMin - bMax;
  const below = bMin - aMax;
  if (above <= 0 && below <= 0) return 0;
  const gap = Math.max(above, below);
  const echo = above > 0 ? longer : -longer;
  if (by === 'packed' && gap <= PACKED_NOISE + PACKED_ECHO * Math.max(0, echo)) return 0;
  const rest = echo > 0 ? Math.abs(gap - echo * Math.min(MOST_ECHOES, Math.max(1, Math.round(gap / echo)))) : gap;
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

/** Were URLs that were requested several times sent both compressed and plain? */
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
