// How sure the log is that a rule holds, before any page is fetched (SPEC 5). A rule holds if at most one in twenty of
// its instances is another page.
//
// Two addresses are one page if their sizes differ no more than those of one page at two requests, and much less than
// those of two pages of that kind. Three distributions over the levels of table/nearness measure that:
//
//   pairs    the URLs that the rule changes, and their images
//   self     one URL at several requests
//   chance   the URLs, and the images of other URLs
//
// If q is the share of other pages, a pair is at a level with probability (1 − q) · same + q · other. The samples for
// self and chance come from one site and are small, so each is mixed with what true and harmful rules showed on other
// sites. How much evidence is needed depends on what changes (mine/difference). For some changes no evidence but pages
// is enough; what the site itself says (mine/said) counts as much as pages.
import { LEVELS, OTHER, pairsIn } from '../table/nearness.js';
import { isProvable, priorOf, type DifferenceKind } from './difference.js';
import type { Echoed, Levels } from './evidence.js';
import { wilsonLower } from './rank.js';
import { isConfirmed, type Said } from './said.js';

export interface Witness {
  /** Levels of instances and of chance pairs; then the same as if answers were compressed. */
  readonly pairs: Levels;
  readonly chance: Levels;
  readonly near: Levels;
  readonly nearByChance: Levels;
  /** Set if pages repeat their address many times. */
  readonly echo?: Echoed | undefined;
  /** How near a URL of this site is to itself when it is requested several times. */
  readonly self: Levels;
  readonly differences: ReadonlySet<DifferenceKind>;
  /** The number of sampled URLs that the rule changes, and of their images in the list. */
  readonly changed: number;
  readonly listed: number;
  /** The number of listed images that the log has only as redirects. */
  readonly pageless: number;
  /** What the site itself says of the listed images. */
  readonly said: Said;
  /** The number of all instances, and of URLs in the list. */
  readonly instances: number;
  readonly list: number;
}

/** What true and harmful rules showed on other sites, by level. */
export const TRUE_RULES = [0.62, 0.16, 0.09, 0.05, 0.04, 0.02, 0.02];
export const HARMFUL_RULES = [0.06, 0.05, 0.07, 0.12, 0.12, 0.26, 0.32];
const OF_SELF = 0.65;
const OF_CHANCE = 0.5;
/** The prior from other sites weighs as much as this many repeated requests. */
const KNOWN = 10;
/** Instances are not independent, so no more than this are counted. */
const INDEPENDENT = 40;
/** The most other pages of a rule that holds, as a share. */
const TOLERATED = 0.05;
/** A rule of any kind that the site itself confirms by some redirects or canonical links. */
const PRIOR_OF_CONFIRMED = 0.9;
const STEPS = 20;

/** Nothing is certain without pages. */
const MOST_SURE = 0.999;
/** The highest confidence for changes that only pages can confirm, and for otherwise doubtful ones. */
export const MOST_UNSURE = 0.9;
const LEAST_PAIRS = 5;
const LEAST_LISTED = 0.1;
const MOST_PAGELESS = 0.05;
const HARMED = 1 / 1000;

/** A number in [0, 1], to six places. */
export function confidenceOf(witness: Witness): number {
  const isSaid = isConfirmed(witness.said);
  const prior = Math.max(priorOf(witness.differences), isSaid ? PRIOR_OF_CONFIRMED : 0);
  // Compressed sizes may agree within a few bytes where plain sizes differ, so the more informative comparison counts.
  const { pairs, chance, near, nearByChance, self, echo } = witness;
  const posterior = Math.max(
    posteriorOf(pairs, chance, self, prior),
    posteriorOf(near, nearByChance, self, prior),
    echo === undefined
      ? 0
      : Math.min(mostByEcho(prior, echo, witness.differences), posteriorOf(echo.pairs, echo.chance, self, prior)),
  );
  const most = (isSaid || isProvable(witness.differences)) && !isDoubtful(witness) ? MOST_SURE : MOST_UNSURE;
  return Math.round(1e6 * Math.min(posterior, most)) / 1e6;
}

/** The number of sampled instances whose sizes or sketches can be compared. */
export function sampledPairs({ near }: Pick<Witness, 'near'>): number {
  return pairsIn(near);
}

/**
 * A translated page frame whose length differs by a multiple of these bytes looks like many echoes; by accident that
 * happens one time in that number of bytes. Nothing else distinguishes the two. Where a folder differs, such frames are
 * common.
 */
function mostByEcho(prior: number, { bytes }: Echoed, differences: ReadonlySet<DifferenceKind>): number {
  if (differences.has('mount') || differences.has('folder')) return MOST_UNSURE;
  return (prior * bytes) / (prior * bytes + 1 - prior);
}

function posteriorOf(pairs: Levels, chance: Levels, self: Levels, prior: number): number {
  const count = pairsIn(pairs);
  const same = mixed(shares(self, TRUE_RULES), TRUE_RULES, OF_SELF);
  const other = mixed(shares(chance, HARMFUL_RULES), HARMFUL_RULES, OF_CHANCE);
  const weight = Math.min(1, INDEPENDENT / Math.max(1, count));
  const log = (q: number) => {
    let sum = 0;
    for (let level = 0; level < LEVELS; level++)
      sum += pairs[level]! * Math.log((1 - q) * same[level]! + q * other[level]!);
    return weight * sum;
  };
  const holds = meanOf(log, 0, TOLERATED);
  const fails = meanOf(log, TOLERATED, 1);
  return 1 / (1 + ((1 - prior) / prior) * Math.exp(fails - holds));
}

/** The logarithm of the mean likelihood for shares q from `from` to `to`. */
function meanOf(log: (q: number) => number, from: number, to: number): number {
  const logs = Array.from({ length: STEPS }, (_, k) => log(from + ((k + 0.5) / STEPS) * (to - from)));
  const most = Math.max(...logs);
  return most + Math.log(logs.reduce((sum, one) => sum + Math.exp(one - most), 0) / STEPS);
}

/** Shares by level, smoothed by what is known from other sites. */
function shares(levels: Levels, known: readonly number[]): number[] {
  const count = pairsIn(levels);
  return known.map((share, level) => (levels[level]! + KNOWN * share) / (count + KNOWN));
}

function mixed(a: readonly number[], b: readonly number[], weight: number): number[] {
  return a.map((share, level) => weight * share + (1 - weight) * b[level]!);
}

function isDoubtful(witness: Witness): boolean {
  const { self, changed, listed, pageless, instances, list } = witness;
  const near = witness.echo?.pairs ?? witness.near;
  if (pairsIn(near) < LEAST_PAIRS || pageless > MOST_PAGELESS * listed) return true;
  if (listed < LEAST_LISTED * changed) return true;
  return (othersOf(near) - shareOfOthers(self)) * instances > HARMED * list;
}

/** A lower bound (84 %) of the share of other pages. */
function othersOf(levels: Levels): number {
  const others = levels[OTHER]! + levels[OTHER - 1]!;
  return wilsonLower(Math.max(0, others - 1), pairsIn(levels) - others, 1);
}

/** How often a page looks like another page when it is requested again. */
function shareOfOthers(self: Levels): number {
  return (self[OTHER]! + self[OTHER - 1]!) / Math.max(1, pairsIn(self));
}
