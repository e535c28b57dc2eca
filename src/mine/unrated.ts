// Which pairs of a site become rules although nothing is known about their pages? Instances of the most frequent pairs
// are sampled (`mine/evidence`). All others rank by their number alone, and only the first of these are written: a list
// of 819,285 URLs without sizes has 350,000 of them, and nobody would try more than a few.
//
// How many are few: of 123 rules that were valid by fetching on five live sites, 23 were likely rules of the list of
// their URLs alone. The last of these had rank 1,629 of a shop, 1,180 of a git server, and 888 or less elsewhere. A least
// confidence would lose more: of the rules that were likely by the whole log, valid ones had .0, .0, .0, .0 and .145.
import { RowWriter } from '../base/row.js';
import type { Pair } from '../table/pair.js';
import { NO_EVIDENCE } from './evidence.js';
import { likelinessOf } from './likeliness.js';
import { rankScore, type RankOrder } from './rank.js';
import { putPairKey } from './rank-key.js';

/** The most rules of a site whose instances are sampled, and as many others. */
export const MOST_RATED = 512;

interface Ranked {
  readonly pair: Pair;
  readonly score: number;
  readonly key: Uint8Array;
}

/** The probability that a pair holds if only its number is known. That matters to its rank, but not to this. */
export function likelinessUnrated(pair: Pair): number {
  return likelinessOf(NO_EVIDENCE, pair);
}

/** No pair without evidence is likelier. */
const MOST_LIKELY = likelinessOf(NO_EVIDENCE, 'remove');
const NO_SITE = new Uint8Array();

/** Keeps the pairs of one site that rank first. */
export class Unrated {
  /** The number of pairs that are not among the first. */
  passedOver = 0;
  readonly #order: RankOrder;
  readonly #row = new RowWriter();
  #pairs: Ranked[] = [];
  /** The last of the first ones, once there are enough. */
  #last: Ranked | undefined;

  constructor(order: RankOrder) {
    this.#order = order;
  }

  add(pair: Pair): void {
    const likeliness = likelinessUnrated(pair);
    const score = rankScore(pair.low, pair.against, likeliness, this.#order);
    if (this.#isBehind(score, pair.low)) {
      this.passedOver++;
      return;
    }
    const row = putPairKey(this.#row.clear(), pair, { site: NO_SITE, likeliness, order: this.#order });
    this.#pairs.push({ pair, score, key: row.bytes.slice(0, row.length) });
    if (this.#pairs.length >= 2 * MOST_RATED) this.#cut();
  }

  /** True if no pair with at most so many instances, all of them equal, can be among the first any more. */
  isClosedTo(high: number): boolean {
    return this.#isBehind(rankScore(high, 0, MOST_LIKELY, this.#order), high);
  }

  /** The first pairs in ranked order. */
  finish(): readonly Pair[] {
    this.#cut();
    return this.#pairs.map(({ pair }) => pair);
  }

  #isBehind(score: number, low: number): boolean {
    const last = this.#last;
    return last !== undefined && (score < last.score || (score === last.score && low < last.pair.low));
  }

  #cut(): void {
    this.#pairs.sort((a, b) => Buffer.compare(a.key, b.key));
    this.passedOver += this.#pairs.splice(MOST_RATED).length;
    this.#last = this.#pairs[MOST_RATED - 1];
  }
}
