// On which share of the hosts does a statement hold, and does it hold on this one? A host is one witness, however many
// URLs it has, so a giant counts once. Its pairs of pages are near or not (table/nearness), and that is likely in two
// ways:
//
//   it holds   pages are as near as those of one page at two requests: always equal on some hosts, a little different
//              on others, never alike on a few; a host is of one such kind with all that it says
//   it fails   they are as near as two pages of this host; or, rarely, some are one page and some are not
//
// Expectation and maximization over all hosts (Dempster, Laird and Rubin 1977) finds the share of each statement on the
// hosts of each group of software, drawn towards its share on all hosts where the group has few (empirical Bayes), the
// kinds of hosts, and the distributions of nearness themselves. So nothing here is tuned to a site.
import { failureBound } from '../../base/binomial.js';
import { LEVELS, pairsIn } from '../../table/nearness.js';
import { HARMFUL_RULES } from '../confidence.js';
import type { Levels } from '../evidence.js';

/** What one host says about one statement. */
export interface Testimony {
  readonly statement: number;
  /** Pairs by level. */
  readonly pairs: Levels;
}

/** What one host says. */
export interface HostFindings {
  readonly group: number;
  /** Pairs of two pages of this host, by level. */
  readonly chance: Levels;
  readonly found: readonly Testimony[];
}

/** Pairs of a host are not independent: more than this count as this many. */
const MOST_PAIRS = 12;
/** How much what is known from other sites counts, in pairs; likewise all hosts beside one host. */
const KNOWN = 40;
const KNOWN_OF_HOST = 4;
/** Of hosts where it fails, those where only some pages are others. */
const MIXED = 0.2;
const MIXED_SHARES = [0.2, 0.5, 0.8];
/** How many hosts the share on all hosts counts for in a group. */
const OF_ALL = 3;
const ROUNDS = 8;
/** Levels from here on are as of two pages. */
const FAR = 4;
/** A host speaks if it is so much likelier that the statement holds, or any likelier that it fails. */
const SPEAKS_FOR = 3;
const SPEAKS_AGAINST = 0.5;

interface Counts {
  /** Hosts that speak, weighted by how sure it is. */
  holds: number;
  fails: number;
}

/** How near a page is to itself on hosts of one kind, and the share of such hosts. */
interface Kind {
  share: number;
  levels: readonly number[];
}

/**
 * What to expect before any host is heard: pages never change, change a little, change. The last is not learned, or it
 * would soon explain whatever differs.
 */
const KINDS: readonly Kind[] = [
  { share: 0.6, levels: [0.94, 0.02, 0.01, 0.01, 0.005, 0.005, 0.01] },
  { share: 0.3, levels: [0.2, 0.25, 0.25, 0.2, 0.05, 0.03, 0.02] },
  { share: 0.1, levels: [0.02, 0.02, 0.02, 0.04, 0.1, 0.2, 0.6] },
];

const CHANGING = 2;

/** What a host says about each statement: how likely its pairs are if it holds, and if it fails. */
interface Heard {
  /** The probability of each kind of host. */
  readonly kinds: readonly number[];
  /** By testimony and kind: the likelihood if it holds, of that if it fails. */
  readonly ratios: readonly (readonly number[])[];
}

/** What shares are made of; counts of groups in the order in which they were heard. */
export interface SharesText {
  readonly kinds: readonly Kind[];
  readonly fails: readonly number[];
  readonly chance: readonly number[];
  readonly priors: readonly number[];
  readonly all: readonly Counts[];
  readonly ofGroup: readonly (readonly (readonly [number, Counts])[])[];
}

export class Shares {
  #kinds = KINDS;
  #fails: readonly number[] = HARMFUL_RULES;
  #chance: readonly number[] = HARMFUL_RULES;
  readonly #priors: readonly number[];
  readonly #bounds = new Map<string, number>();
  readonly #differs: boolean[] = [];
  /** By statement, all hosts; and by statement and group. */
  #all: Counts[];
  #ofGroup: Map<number, Counts>[];

  constructor(priors: readonly number[]) {
    this.#priors = priors;
    this.#all = priors.map(noCounts);
    this.#ofGroup = priors.map(() => new Map());
  }

  /** Learns from what hosts say. */
  static learn(priors: readonly number[], hosts: readonly HostFindings[]): Shares {
    const shares = new Shares(priors);
    shares.#chance = smoothed(sumOf(hosts.map(({ chance }) => chance)), HARMFUL_RULES, KNOWN);
    for (let round = 0; round < ROUNDS; round++) shares.#step(hosts);
    return shares;
  }

  static from({ kinds, fails, chance, priors, all, ofGroup }: SharesText): Shares {
    const shares = new Shares(priors);
    shares.#kinds = kinds;
    shares.#fails = fails;
    shares.#chance = chance;
    shares.#all = [...all];
    shares.#ofGroup = ofGroup.map((groups) => new Map(groups));
    return shares;
  }

  toJSON(): SharesText {
    const ofGroup = this.#ofGroup.map((groups) => [...groups]);
    return {
      kinds: this.#kinds,
      fails: this.#fails,
      chance: this.#chance,
      priors: this.#priors,
      all: this.#all,
      ofGroup,
    };
  }

  /** The same distributions of nearness, for statements of which nothing is known. */
  with(priors: readonly number[]): Shares {
    const shares = new Shares(priors);
    shares.#kinds = this.#kinds;
    shares.#fails = this.#fails;
    shares.#chance = this.#chance;
    return shares;
  }

  #step(hosts: readonly HostFindings[]): void {
    const fails = noLevels();
    const kinds = KINDS.map(() => ({ hosts: 0, levels: noLevels() }));
    const all = this.#priors.map(noCounts);
    const ofGroup = this.#priors.map(() => new Map<number, Counts>());
    for (const host of hosts) {
      if (host.found.length === 0) continue;
      const heard = this.#hear(host);
      for (const [kind, probability] of heard.kinds.entries()) kinds[kind]!.hosts += probability;
      for (const [at, { statement, pairs }] of host.found.entries()) {
        const share = this.shareOn(statement, host.group);
        let holds = 0;
        for (const [kind, probability] of heard.kinds.entries()) {
          const ofKind = probability * posterior(share, heard.ratios[at]![kind]!);
          addScaled(kinds[kind]!.levels, pairs, ofKind);
          holds += ofKind;
        }
        addScaled(fails, pairs, 1 - holds);
        const ratio = meanRatio(heard, at);
        if (ratio < SPEAKS_FOR && ratio > SPEAKS_AGAINST) continue;
        add(all[statement]!, holds);
        add(countsIn(ofGroup[statement]!, host.group), holds);
      }
    }
    this.#fails = smoothed(fails, HARMFUL_RULES, KNOWN);
    const heardOf = kinds.reduce((sum, kind) => sum + kind.hosts, 0);
    this.#kinds = kinds.map((kind, at) => ({
      share: (kind.hosts + KNOWN * KINDS[at]!.share) / (heardOf + KNOWN),
      levels: at === CHANGING ? KINDS[at]!.levels : smoothed(kind.levels, KINDS[at]!.levels, KNOWN),
    }));
    this.#all = all;
    this.#ofGroup = ofGroup;
  }

  /** The probability that the statement holds on a host of the group, before the host is heard. */
  shareOn(statement: number, group: number): number {
    const all = this.#all[statement]!;
    const prior = this.#priors[statement]!;
    const ofAll = (all.holds + 2 * prior) / (all.holds + all.fails + 2);
    const own = this.#ofGroup[statement]!.get(group);
    if (own === undefined) return ofAll;
    return (own.holds + OF_ALL * ofAll) / (own.holds + own.fails + OF_ALL);
  }

  /** How many hosts speak, for all hosts or for those of a group: those where it holds, and all. */
  witnesses(statement: number, group?: number): { readonly holds: number; readonly of: number } {
    const { holds, fails } = group === undefined ? this.#all[statement]! : countsOf(this.#ofGroup[statement]!, group);
    return { holds: Math.round(holds), of: Math.round(holds + fails) };
  }

  /** The least share of hosts on which it holds, with 95 % confidence: of all hosts, or of those of a group. */
  leastShare(statement: number, group?: number): number {
    const { holds, of } = this.witnesses(statement, group);
    const key = `${of - holds} ${of}`;
    const known = this.#bounds.get(key) ?? (of === 0 ? 1 : failureBound(of - holds, of));
    this.#bounds.set(key, known);
    return 1 - known;
  }

  /**
   * True if the statement holds on other shares of the hosts of other software: if a share for each group explains the
   * hosts so much better than one for all that it is worth the numbers (Schwarz 1978, BIC).
   */
  differBySoftware(statement: number): boolean {
    const known = this.#differs[statement] ?? this.#differing(statement);
    this.#differs[statement] = known;
    return known;
  }

  #differing(statement: number): boolean {
    const groups = [...this.#ofGroup[statement]!.values()];
    const all = this.#all[statement]!;
    const gain = groups.reduce((sum, counts) => sum + logLikelihood(counts), -logLikelihood(all));
    return gain > 0.5 * (groups.length - 1) * Math.log(all.holds + all.fails);
  }

  /** For each testimony, the probability that the statement holds on this host, and how much the host says so. */
  verdicts(host: HostFindings): readonly { readonly holds: number; readonly ratio: number }[] {
    if (host.found.length === 0) return [];
    const heard = this.#hear(host);
    return host.found.map(({ statement }, at) => {
      const share = this.shareOn(statement, host.group);
      const holds = heard.kinds.reduce((sum, kind, k) => sum + kind * posterior(share, heard.ratios[at]![k]!), 0);
      return { holds, ratio: meanRatio(heard, at) };
    });
  }

  #hear({ group, chance, found }: HostFindings): Heard {
    const other = this.#otherOn(chance);
    const ratios = found.map(({ pairs }) => this.#ratios(pairs, other));
    const logs = this.#kinds.map(({ share }, kind) =>
      found.reduce((sum, { statement }, at) => {
        const ofHosts = this.shareOn(statement, group);
        return sum + Math.log(ofHosts * ratios[at]![kind]! + 1 - ofHosts);
      }, Math.log(share)),
    );
    const most = Math.max(...logs);
    const all = logs.reduce((sum, log) => sum + Math.exp(log - most), 0);
    return { kinds: logs.map((log) => Math.exp(log - most) / all), ratios };
  }

  /** For each kind of host, how much likelier the pairs are if they are one page each than if the statement fails. */
  #ratios(pairs: Levels, other: readonly number[]): readonly number[] {
    const count = pairsIn(pairs);
    if (count === 0) return this.#kinds.map(() => 1);
    const weight = Math.min(1, MOST_PAIRS / count);
    const likelihood = (same: readonly number[], failing: number) => {
      let sum = 0;
      for (let level = 0; level < LEVELS; level++) {
        if (pairs[level]! > 0) sum += pairs[level]! * Math.log((1 - failing) * same[level]! + failing * other[level]!);
      }
      return Math.exp(weight * sum);
    };
    let some = 0;
    for (const { share, levels } of this.#kinds) {
      for (const failing of MIXED_SHARES) some += (share * likelihood(levels, failing)) / MIXED_SHARES.length;
    }
    const fails = (1 - MIXED) * likelihood(other, 1) + MIXED * some;
    return this.#kinds.map(({ levels }) => likelihood(levels.map(notBeyond(other)), 0) / fails);
  }

  /** How near two pages of this host are: by its own pairs, the more there are of them, and as where statements fail. */
  #otherOn(chance: Levels): readonly number[] {
    const count = pairsIn(chance);
    const weight = count / (count + KNOWN_OF_HOST);
    const own = smoothed(chance, this.#chance, 1);
    return own.map((share, level) => weight * share + (1 - weight) * this.#fails[level]!);
  }
}

/** Of the hosts, with their own share of those where it holds. */
function logLikelihood({ holds, fails }: Counts): number {
  const all = holds + fails;
  return (holds > 0 ? holds * Math.log(holds / all) : 0) + (fails > 0 ? fails * Math.log(fails / all) : 0);
}

/** A page is never further from itself than from another one. */
function notBeyond(other: readonly number[]): (share: number, level: number) => number {
  return (share, level) => (level < FAR ? share : Math.min(share, other[level]!));
}

function meanRatio({ kinds, ratios }: Heard, at: number): number {
  return kinds.reduce((sum, kind, k) => sum + kind * ratios[at]![k]!, 0);
}

/** The probability that it holds, by the share of hosts where it does and what this host says. */
export function posterior(share: number, ratio: number): number {
  return (share * ratio) / (share * ratio + 1 - share);
}

export function noLevels(): number[] {
  return Array<number>(LEVELS).fill(0);
}

function noCounts(): Counts {
  return { holds: 0, fails: 0 };
}

function countsIn(counts: Map<number, Counts>, group: number): Counts {
  const known = counts.get(group) ?? noCounts();
  counts.set(group, known);
  return known;
}

function countsOf(counts: ReadonlyMap<number, Counts>, group: number): Counts {
  return counts.get(group) ?? noCounts();
}

function add(counts: Counts, holds: number): void {
  counts.holds += holds;
  counts.fails += 1 - holds;
}

/** Adds the pairs of a host as at most one witness. */
function addScaled(sum: number[], pairs: Levels, weight: number): void {
  const count = pairsIn(pairs);
  for (let level = 0; level < LEVELS; level++) sum[level]! += (weight * pairs[level]!) / Math.max(1, count);
}

function sumOf(all: readonly Levels[]): number[] {
  const sum = noLevels();
  for (const levels of all) addScaled(sum, levels, 1);
  return sum;
}

/** Shares by level; what is known counts for so many pairs. */
function smoothed(levels: Levels, known: readonly number[], weight: number): number[] {
  const count = pairsIn(levels);
  return known.map((share, level) => (levels[level]! + weight * share) / (count + weight));
}
