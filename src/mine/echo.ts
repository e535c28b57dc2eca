// Detects pages that repeat their own address many times. Each link of a page to its own host makes it longer:
//
//   //www.x/a   50,592      //x/a   50,000      148 links of 4 bytes more
//   //www.x/b   60,709      //x/b   60,000      177 links, and a byte
//
// A few echoes are always allowed for (table/nearness). Many are assumed only if differences of sizes are multiples of
// the difference in address length, and more often than by accident: among at least eight distinct differences, by four
// standard deviations. Sizes of other pages, too, differ by multiples of four bytes one time in four. So the usual
// number of echoes is estimated from the multiples. A pair's nearness is then what remains of its difference after so
// many echoes.
//
// A page frame that is longer in another language also makes such multiples, by accident one time in four if the
// difference is four bytes. So the number of bytes counts too (mine/confidence).
import type { Nearness } from '../table/nearness.js';

export interface Echoes {
  /** How often pages repeat their address, for nine pages in ten. */
  readonly least: number;
  readonly most: number;
  /** The least difference in length of the addresses. */
  readonly bytes: number;
}

const LEAST_GAPS = 8;
const LEAST_DEVIATIONS = 4;
/** The share of pages with fewer echoes, and of those with more. */
const UNUSUAL = 0.05;

/** Undefined if multiples do not prevail. `from` and `to` are rows of one list. */
export function echoesOf(nearness: Nearness, from: readonly number[], to: readonly number[]): Echoes | undefined {
  const gaps = new Map<string, Gap>();
  for (const [k, u] of from.entries()) {
    const gap = nearness.gapOf(u, to[k]!);
    if (gap !== undefined && Math.abs(gap.longer) > 1) gaps.set(`${gap.size} ${gap.longer}`, gap);
  }
  return prevailing([...gaps.values()]);
}

interface Gap {
  /** The size of the first page minus that of the second. */
  readonly size: number;
  /** The same for the lengths of their addresses. */
  readonly longer: number;
}

function prevailing(gaps: readonly Gap[]): Echoes | undefined {
  if (gaps.length < LEAST_GAPS) return undefined;
  let [expected, variance, bytes] = [0, 0, Infinity];
  const counts: number[] = [];
  for (const { size, longer } of gaps) {
    const [by, share] = [Math.abs(longer), 1 / Math.abs(longer)];
    expected += share;
    variance += share * (1 - share);
    bytes = Math.min(bytes, by);
    if (size * longer > 0 && size % by === 0) counts.push(size / longer);
  }
  if (counts.length - expected <= LEAST_DEVIATIONS * Math.sqrt(variance)) return undefined;
  counts.sort((a, b) => a - b);
  const unusual = Math.floor(UNUSUAL * counts.length);
  return { least: counts[unusual]!, most: counts[counts.length - 1 - unusual]!, bytes };
}
