// The probability that a rule holds, before any page is fetched (SPEC 5). It is calibrated: of rules with .9, nine in
// ten hold, also on sites that were not used for it. A rule holds if at least 95 % of its instances are one page.
//
// The log-odds are a sum of a few terms, so that each can be interpreted by itself:
//
//   other      log-odds of the share of pairs that are further apart than 2 %: the noise of a page is rarely so large
//   contradicted   lower bound of the share of other pages; one in fifty is too many. Pairs further apart than 10 % are
//              other pages. So are pairs beyond the level that shows other pages best: their share is divided by that of
//              chance pairs beyond it, since pages that are mostly template are rarely further apart than 10 %
//   surprise   how unlikely so many near pairs would be if they were other pages of the template: 0 to 1
//   equal      lower bound of the share that is equal, to the byte or except for its own address
//   loose      share of the near pairs that are not within 0.3 %
//   swap       one word is replaced by another: lect1 → lect2, da → fr, movie → politics
//   series     only numbers differ: page=2 → page=1, 2024 → 2023
//   silent     nothing is known about the pages
//   order      the rule may change the order of a list, which leaves all sizes as they are: .9 at most
//   set        a parameter keeps one value, because pages without it are other pages: it means something
//   merged     a group is one witness, however many URLs it has. But one list with 40 pages behind it, if other links
//              carry its parameter in vain, is 40 pages that the rule merges. So URLs count against it too: if it seems
//              to merge more than one in 2,000 URLs of the list with other pages, .9 at most. Groups with words do not
//              vouch for numbers, nor the reverse (parameter-kinds)
//
// The weights began as those of a logistic regression on 1,750 likely rules of five lists (gitweb and cgit, DokuWiki,
// each as logged and with six of ten answers compressed, and a made-up shop and forum). Most were then adjusted by hand
// on the same lists: `surprise`, as pages of equal size prove little; `one`; `contradicted`, so that a shop keeps its
// documents. None of these lists is held out, so the calibration may be worse on other sites.
import { isDigit, latin1 } from '../base/bytes.js';
import { pairsIn } from '../table/nearness.js';
import { isOrderName } from '../url/names.js';
import type { Evidence, Levels } from './evidence.js';
import { swapsOneWord, wilsonLower, type Sides } from './rank.js';

const WEIGHTS = {
  one: -2.3,
  other: -1.4,
  contradicted: -4,
  surprise: 2.3,
  equal: 0.5,
  loose: -0.5,
  swap: -1.2,
  series: -1.8,
  silent: 0.7,
  set: -2,
} as const;

/** Assumed share of other pages if nothing is known. */
const UNKNOWN_OTHER = 0.3;
/** So much surprise (in nats) counts as certainty. */
const ENOUGH_SURPRISE = 12;
/**
 * The most that near pages add if all pages of the template are equally near, and the most that surprise adds to it.
 */
const MOST_WITHOUT_SURPRISE = 2.5;
const MOST_BY_SURPRISE = 4;
/** Pairs that may be far apart without being other pages: a page may change between two requests. */
const FORGIVEN = 1;
/** If the lower bound of the share of other pages is this or more, the rule gets the worst score. */
const ENOUGH_OTHER = 0.02;

/**
 * Log-odds of .9, the limit where sizes prove nothing: a list in another order (`O=D` → `O=A`, `sort=name`) has the
 * same length to the byte, a text in another language nearly so.
 */
const MOST_OF_ORDERS = Math.log(9);

/** If a parameter has another value in more instances than this share, the rule may just reorder a list. */
const MAX_REVALUED = 0.5;

/**
 * Log-odds of .9, the limit if at least this share of the list seems to become another page. Nobody would apply such a
 * rule without asking, even if most of its changes are right.
 */
const MOST_OF_MERGERS = Math.log(9);
const MERGED = 1 / 2000;
/** How many URLs of an unknown kind to ignore: FEW, or on a short list one in 1,000, but at least one. */
const FEW = 3;
const PER_UNKNOWN = 1000;

/**
 * An image that the log has only as a redirect is not the name of a page. With so many of them, the rule is never
 * certain.
 */
const MIN_PAGELESS = 3;
const MAX_PAGELESS = 0.05;
const EVEN = 0;

/** Levels are counted in classes: equal, within 0.3 %, 2 % and 10 %, and further apart, which is this one. */
const OTHER = 4;

/** What a rule does: the sides of a substring rule in raw bytes, or the action of a parameter rule. */
export type Saying = Sides | 'remove' | 'set';

/** The sampled evidence, and the counts of phase 1 over all instances: equal by size, and not equal. */
export interface RatedEvidence
  extends Pick<Evidence, 'pairs' | 'chance'>, Partial<Pick<Evidence, 'listed' | 'pageless' | 'revalued'>> {
  readonly counted?: { readonly low: number; readonly high?: number; readonly against: number };
  /** The number of URLs in the list. */
  readonly list?: number;
  /** True if the parameter may be one that sorts a list. */
  readonly mayOrder?: boolean;
  /**
   * For a parameter: how near the members of its groups are, and the number of URLs whose values are of a kind that
   * hardly any group has.
   */
  readonly members?: { readonly near: Levels; readonly unvouched: number };
}

/** The confidence of a rule with this evidence: a number in [0, 1], to six places. */
export function likelinessOf(evidence: RatedEvidence, saying: Saying): number {
  const { counted, listed = 0, pageless = 0, members } = evidence;
  const [pairs, chance] = [coarse(evidence.pairs), coarse(evidence.chance)];
  const merged = members === undefined ? 0 : mergedOf(coarse(members.near), chance);
  let sum = WEIGHTS.one + termsOfPages(pairs, chance, counted, merged);
  if (saying === 'set') sum += WEIGHTS.set;
  else if (saying !== 'remove') {
    if (swapsOneWord(saying)) sum += WEIGHTS.swap;
    if (isSeries(saying)) sum += WEIGHTS.series;
  }
  // Most rules stay below the limits, so these are checked last.
  if (sum > MOST_OF_ORDERS && mayBeOrder(evidence, saying)) sum = MOST_OF_ORDERS;
  if (sum > MOST_OF_MERGERS && mayMerge(evidence)) sum = MOST_OF_MERGERS;
  if (pageless >= MIN_PAGELESS && pageless > MAX_PAGELESS * listed) sum = Math.min(sum, EVEN);
  return Math.round(1e6 / (1 + Math.exp(-sum))) / 1e6;
}

/** True if the rule may just reorder a list. */
function mayBeOrder({ listed = 0, revalued = 0, mayOrder = false }: RatedEvidence, saying: Saying): boolean {
  if (mayOrder || revalued > MAX_REVALUED * listed) return true;
  return typeof saying !== 'string' && (swapsCodes(saying) || namesOrder(saying));
}

/** True if too many URLs of the list seem to become another page, or are of a kind that is unknown. */
function mayMerge({ pairs, chance, counted, members, list = Infinity }: RatedEvidence): boolean {
  const most = MERGED * list;
  if (members === undefined && counted === undefined) return false;
  if (members === undefined) return mergedOf(coarse(pairs), coarse(chance)) * instancesOf(counted!) > most;
  return (
    mergedOf(coarse(members.near), coarse(chance)) * pairsIn(members.near) > most ||
    members.unvouched > Math.max(1, Math.min(FEW, list / PER_UNKNOWN), most)
  );
}

function instancesOf({ low, high = low, against }: NonNullable<RatedEvidence['counted']>): number {
  return high + against;
}

/** `merged` is the share of URLs that would become another page. */
function termsOfPages(pairs: Levels, chance: Levels, support: RatedEvidence['counted'], merged: number): number {
  const count = pairsIn(pairs);
  if (count === 0) return WEIGHTS.silent + WEIGHTS.other * logOdds(UNKNOWN_OTHER);
  const further = pairs[OTHER]! + pairs[OTHER - 1]!;
  const counted = countedOthers(pairs, count, support);
  const other = Math.max((further + 0.5) / (count + 1), counted.other / Math.max(1, counted.all), merged);
  const contradicted = Math.max(
    boundOf(pairs[OTHER]!, count),
    boundOf(counted.other, counted.all),
    othersByChance(pairs, chance),
    merged,
  );
  const surprise = surpriseOf(pairs, chance);
  return (
    Math.min(WEIGHTS.other * logOdds(other), MOST_WITHOUT_SURPRISE + MOST_BY_SURPRISE * surprise) +
    WEIGHTS.contradicted * Math.min(1, contradicted / ENOUGH_OTHER) +
    WEIGHTS.surprise * surprise +
    WEIGHTS.equal * wilsonLower(pairs[0]!, count - pairs[0]!) +
    WEIGHTS.loose * (pairs[OTHER - 2]! / Math.max(1, count - further))
  );
}

/**
 * How many of all instances are other pages. Phase 1 counted the unequal instances, but not how far apart they are. So
 * this takes the share of other pages among the unequal instances of the sample. If the sample has hardly any, it takes
 * the rate at which pages are equal at all.
 */
function countedOthers(pairs: Levels, count: number, support: RatedEvidence['counted']) {
  if (support === undefined) return { other: 0, all: 0 };
  const equal = pairs[0]!;
  const share = (pairs[OTHER]! + 3 * (equal / count) ** 2) / (count - equal + 3);
  return { other: Math.min(0.99, share) * support.against, all: support.low + support.against };
}

/**
 * A lower bound of the share of pairs that are other pages, by comparison with chance pairs. If a share `shown` of
 * other pages lies beyond a level, and `beyond` of `count` pairs do, at most (`beyond` + 1) / (`count` · `shown`) of
 * the pairs are other pages. Beyond near levels there are many pairs by the noise of a page, and other pages rarely
 * reach far levels. The level with the least bound lies between.
 */
function othersByChance(pairs: Levels, chance: Levels): number {
  const [count, asked] = [pairsIn(pairs), pairsIn(chance)];
  let [least, bound] = [1, 0];
  for (let [level, beyond, shown] = [OTHER as number, 0, 0]; level > 0; level--) {
    beyond += pairs[level]!;
    shown += chance[level]! / Math.max(1, asked);
    const most = (beyond + 1) / (count * shown);
    if (most >= least) continue;
    [least, bound] = [most, boundOf(Math.max(0, beyond - FORGIVEN), count) / shown];
  }
  return bound;
}

/** A lower bound of the share of URLs that would become another page. */
function mergedOf(near: Levels, chance: Levels): number {
  const others = Math.max(0, near[OTHER]! - FORGIVEN);
  return Math.max(boundOf(others, pairsIn(near)), othersByChance(near, chance));
}

/** A lower bound (84 %) of a share. */
function boundOf(other: number, all: number): number {
  return wilsonLower(other, all - other, 1);
}

/** The evidence against being near by chance, in nats as a share of enough, at the level where it is largest. */
function surpriseOf(pairs: Levels, chance: Levels): number {
  const [count, asked] = [pairsIn(pairs), pairsIn(chance)];
  let most = 0;
  if (asked === 0) return 0;
  for (let [level, near, nearByChance] = [0, 0, 0]; level < OTHER - 1; level++) {
    near += pairs[level]!;
    nearByChance += chance[level]!;
    const [share, expected] = [(near + 0.5) / (count + 1), (nearByChance + 0.5) / (asked + 1)];
    if (share <= expected) continue;
    const divergence = share * Math.log(share / expected) + (1 - share) * Math.log((1 - share) / (1 - expected));
    most = Math.max(most, Math.min(1, (count * divergence) / ENOUGH_SURPRISE));
  }
  return most;
}

function coarse(levels: Levels): Levels {
  const [equal, a, b, c, d, loose, other] = levels as unknown as Seven;
  return [equal, a + b, c + d, loose, other];
}

type Seven = readonly [number, number, number, number, number, number, number];

function logOdds(share: number): number {
  return Math.log(share / (1 - share));
}

/** True if α and β differ only in one word of at most two letters: a flag, a language. */
export function swapsCodes(sides: Sides): boolean {
  if (!swapsOneWord(sides)) return false;
  const [from, to] = [sides.from, sides.to].map(
    (bytes) => latin1(bytes).match(/%[0-9A-Fa-f]{2}|[0-9A-Za-z]+|[^0-9A-Za-z]/g) ?? [],
  );
  const at = from!.findIndex((word, k) => word !== to![k]);
  return /^[A-Za-z]{1,2}$/.test(from![at] ?? '') && /^[A-Za-z]{1,2}$/.test(to![at] ?? '');
}

/** True if a side has a parameter that sorts. */
function namesOrder({ from, to }: Sides): boolean {
  return [from, to].some((side) => (latin1(side).match(/[^/?&;=]+(?==)/g) ?? []).some(isOrderName));
}

/** True if α and β differ only in numbers. Compares bytes in place, as it is called for millions of pairs. */
export function isSeries({ from, to }: Sides): boolean {
  let [a, b] = [0, 0];
  while (a < from.length && b < to.length) {
    if (isDigit(from[a]) && isDigit(to[b])) [a, b] = [numberEnd(from, a), numberEnd(to, b)];
    else if (from[a++] !== to[b++]) return false;
  }
  return a === from.length && b === to.length;
}

function numberEnd(bytes: Uint8Array, at: number): number {
  while (isDigit(bytes[at])) at++;
  return at;
}
