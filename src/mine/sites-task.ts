// The messages to and from a thread that mines small sites (mine/small-sites).
import { byText } from '../base/bytes.js';
import type { ScratchUse } from '../base/scratch.js';
import type { SpillStats } from '../base/spill.js';
import type { MineOptions } from '../rule/rule.js';
import type { Listing } from './parameter-facts.js';

/**
 * The options of a rules file; whether parameters without evidence are included, to be validated by fetching; whether
 * clusters of pages decide instead of the log, one rule at a time; whether rules that name a visitor are included, which
 * no file has; and how many parameters are listed for a report.
 */
export type MinerOptions = MineOptions & {
  readonly untested?: boolean;
  readonly clustered?: boolean;
  readonly withVisitors?: boolean;
  readonly listed?: number;
  /** True if other runs mine other sites of the same list. */
  readonly isPart?: boolean;
};

export interface SiteCounts {
  /** Pairs with low >= MS, before elimination. */
  pairs: number;
  /** The number of rules of either kind that were ranked. */
  likely: number;
  /** Of these: the number of parameter rules, and of substring rules dropped because a parameter rule says the same. */
  parameters: number;
  subsumed: number;
  /** The number of pairs that are no rules because others of their site, of as little evidence, have more instances. */
  passedOver: number;
  /** The number of rules dropped because they name one visitor. */
  visitors: number;
  /**
   * The number of rules that the log is sure of, and of other likely rules that should hold. Special cases are not
   * counted.
   */
  sure: number;
  /** The number of special cases of the sure rules that write URLs, as these do. */
  sureCases: number;
  promising: number;
  /** How many URLs fewer the list has under the sure rules, and would have under all likely ones. */
  sureUrls: number;
  likelyUrls: number;
  /**
   * The number of URLs of crawler traps, whose pairs among themselves were no instances (SPEC 3.4), and one of the
   * URLs.
   */
  trapUrls: number;
  trapExample?: string;
}

export const NO_COUNTS: Readonly<SiteCounts> = {
  pairs: 0,
  likely: 0,
  parameters: 0,
  subsumed: 0,
  passedOver: 0,
  visitors: 0,
  sure: 0,
  sureCases: 0,
  promising: 0,
  sureUrls: 0,
  likelyUrls: 0,
  trapUrls: 0,
};

/** Just these counts, of an object that has more fields. */
export function countsOf(summary: SiteCounts): SiteCounts {
  const counts = { ...NO_COUNTS };
  addCounts(counts, summary);
  return counts;
}

/** Adds the counts of other sites. The order does not matter. */
export function addCounts(sum: SiteCounts, more: SiteCounts): void {
  sum.pairs += more.pairs;
  sum.likely += more.likely;
  sum.parameters += more.parameters;
  sum.subsumed += more.subsumed;
  sum.passedOver += more.passedOver;
  sum.visitors += more.visitors;
  addProspects(sum, more);
  addTraps(sum, more.trapUrls, more.trapExample);
}

export function addProspects(sum: SiteCounts, more: Prospects): void {
  sum.sure += more.sure;
  sum.sureCases += more.sureCases;
  sum.promising += more.promising;
  sum.sureUrls += more.sureUrls;
  sum.likelyUrls += more.likelyUrls;
}

type Prospects = Pick<SiteCounts, 'sure' | 'sureCases' | 'promising' | 'sureUrls' | 'likelyUrls'>;

/** Adds URLs of crawler traps. The lesser example is kept. */
export function addTraps(sum: SiteCounts, urls: number, example: string | undefined): void {
  sum.trapUrls += urls;
  if (example === undefined) return;
  if (sum.trapExample === undefined || byText(example, sum.trapExample) < 0) sum.trapExample = example;
}

export interface SitePack {
  readonly names: readonly string[];
  readonly ends: readonly number[];
  readonly starts: readonly number[];
  readonly bytes: Uint8Array;
  readonly position: Uint32Array;
  readonly length: Uint16Array;
}

export interface SitesTask {
  readonly kind: 'sites';
  readonly pack: SitePack;
  readonly options: MinerOptions;
  readonly memoryBytes: number;
  readonly tmpdir: string;
  /** True if all rows of a site are to come in one message, as what was found in it is kept. */
  readonly isKept: boolean;
}

/** A site of the pack, and where its rows end in those of the message. Rows behind the last are of a site that goes on. */
export interface EndOfSite {
  readonly site: string;
  readonly end: number;
  readonly counts: SiteCounts;
}

/** Rows end to end, each after its length and that of its key. The last message has an `end`. */
export interface SitesResult {
  readonly kind: 'sites';
  readonly rows: Uint8Array;
  readonly sites: readonly EndOfSite[];
  readonly end?: {
    readonly listing: Listing;
    readonly spilled: SpillStats;
    readonly scratch: ScratchUse;
  };
}
