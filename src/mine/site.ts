// The rules of one site, each as a row that sorts by rank among those of all sites: parameters, pairs, elimination,
// subsumption. Used by the miner itself and by threads that mine small sites.
//
// A row:  key = score, support, sides, site       payload = the rule as JSON
import { decodeText, encodeText } from '../base/bytes.js';
import { counted, ticking } from '../base/progress.js';
import { eachRow, type HeapRowReader, type RowReader } from '../base/row.js';
import { SpillSorter, type SpillRoom } from '../base/spill.js';
import { RowWriter } from '../base/row-writer.js';
import { roomFor } from '../memory-plan.js';
import type { SubstringRule } from '../rule/rule.js';
import { createSubsumption } from '../rule/subsume.js';
import { MIN_SHARED_URLS } from '../table/crew.js';
import { readPair, type Pair } from '../table/pair.js';
import { PairSorter, type PairOrder } from '../table/pair-sorter.js';
import type { SiteUrls } from '../table/site-urls.js';
import { uncollate } from '../url/token.js';
import { confidenceOf } from './confidence.js';
import { searchParameters, type MineCrew, type ParameterSearch } from './crew.js';
import { createEliminationIndex, eliminateRedundancies } from './eliminate.js';
import type { Engine, Room } from './engine.js';
import { gatherEvidence, NO_EVIDENCE, type Evidence } from './evidence.js';
import type { UnrankedParameterRule } from './parameter.js';
import { PARAM_MIN_URLS } from './rank.js';
import { putPairKey, putParameterKey } from './rank-key.js';
import { addTraps, NO_COUNTS, type MinerOptions, type SiteCounts } from './sites-task.js';

/** A rule without its rank, which it gets when all are known. */
export type UnrankedRule = Omit<SubstringRule, 'rank'> | UnrankedParameterRule;

/** Receives rows: bytes[0, length), whose key is bytes[0, keyLength). Valid until the next one. */
export type TakeRow = (bytes: Uint8Array, length: number, keyLength: number) => void;

export class SiteMiner {
  readonly counts: SiteCounts = { ...NO_COUNTS };
  readonly #options: MinerOptions;
  readonly #engine: Engine;
  readonly #room: Room;
  readonly #crew: MineCrew | undefined;
  readonly #row = new RowWriter();
  readonly #eliminationIndex = createEliminationIndex();

  constructor(options: MinerOptions, engine: Engine, room: Room, crew: MineCrew | undefined) {
    this.#options = options;
    this.#engine = engine;
    this.#room = room;
    this.#crew = crew;
  }

  /**
   * Mines the likely rules of a site, as rows. With `keep`, for a validation, returns them too, and leaves it to
   * validation to drop substring rules that say the same as a parameter rule.
   */
  mine(urls: SiteUrls, keep: 'rules' | 'rows only', take: TakeRow): readonly UnrankedRule[] {
    const kept: UnrankedRule[] = [];
    const search = this.#searchParameters(urls);
    const pairsBefore = this.counts.pairs;
    const sorted = this.detect(urls, search.room, 'elimination');
    const parameters = search.rules();
    this.counts.parameters += parameters.length;
    const order = this.#options.rank;
    for (const rule of parameters) this.#take(putParameterKey(this.#row.clear(), rule, order), rule, take);
    const accepted = keep === 'rules' ? [] : parameters.filter(({ support }) => support.groups > 0);
    const isSubsumed = createSubsumption(accepted);
    const { progress } = search.room;
    progress?.begin({ name: 'eliminating', unit: 'pairs', total: this.counts.pairs - pairsBefore });
    const pairs = counted(drain(sorted), progress);
    const rate = (rated: readonly Pair[], evidence: readonly Evidence[]) => {
      for (const [index, pair] of rated.entries()) {
        const known = { ...(evidence[index] ?? NO_EVIDENCE), counted: pair, list: urls.count };
        const rule = ruleOf(urls, pair, confidenceOf(known, pair));
        const ranked = { ...pair, site: urls.site, confidence: rule.confidence };
        this.#take(putPairKey(this.#row.clear(), ranked, order), rule, take);
        if (keep === 'rules') kept.push(rule);
      }
    };
    const frequent = new FrequentPairs((others) => rate(others, []));
    for (const pair of eliminateRedundancies(pairs, this.#options, this.#eliminationIndex)) {
      if (isSubsumed(pair)) this.counts.subsumed++;
      else frequent.add(pair);
    }
    const left = frequent.finish();
    rate(left, gatherEvidence(urls, left, this.#options.similarity));
    return keep === 'rules' ? [...parameters, ...kept] : kept;
  }

  /** Phase 1: the pairs of a site, in that order. */
  detect(urls: SiteUrls, room: Room, order: PairOrder): HeapRowReader {
    const spareBytes = room.spareBytes ?? urls.unusedBytes;
    // Instances have half of it in blocks, and four ninths of that in the entries of their partitions.
    const memoryBytes = this.#room.memoryBytes + spareBytes / 2;
    const sorter = new PairSorter(order, roomFor('step/rows', { ...this.#room, memoryBytes }));
    const traps = this.#engine.eachLikelyPair(urls, this.#options, { ...room, spareBytes }, (pairs) =>
      sorter.add(pairs),
    );
    if (traps.count > 0) addTraps(this.counts, traps.count, textOf(urls, traps.row));
    this.counts.pairs += sorter.count;
    return sorter.finish();
  }

  #take(key: RowWriter, rule: UnrankedRule, take: TakeRow): void {
    this.counts.likely++;
    const keyLength = key.length;
    key.raw(encodeText(JSON.stringify(rule)));
    take(key.bytes, key.length, keyLength);
  }

  #searchParameters(urls: SiteUrls): ParameterSearch {
    const { parameters = true, paramMinUrls = PARAM_MIN_URLS, MS, similarity, untested = false } = this.#options;
    const room = this.#roomFor(urls);
    if (!parameters) return { room, rules: () => [] };
    return searchParameters(urls, { paramMinUrls, MS, similarity, untested }, room, this.#crew);
  }

  /** A small site reports no progress: the sites are counted. */
  #roomFor(urls: SiteUrls): Room {
    return urls.count < MIN_SHARED_URLS ? { ...this.#room, progress: ticking(this.#room.progress) } : this.#room;
  }
}

/** A sort for the output of one site. */
export function siteSorter(room: Room): SpillSorter {
  return new SpillSorter(roomFor('step/rows', room), room.stats);
}

/** What they may take of a room that is made of `allBytes`. */
export function siteRoom(room: SpillRoom, crew: MineCrew | undefined, allBytes: number): Room {
  return { ...roomFor('mine/step', room), crew, allBytes };
}

/** Rules of a site whose instances are sampled. */
const MOST_RATED = 512;

/** Keeps the pairs with the most instances (top-k), near or not, and passes on the others. */
class FrequentPairs {
  readonly #others: (pairs: readonly Pair[]) => void;
  #pairs: Pair[] = [];

  constructor(others: (pairs: readonly Pair[]) => void) {
    this.#others = others;
  }

  add(pair: Pair): void {
    this.#pairs.push(pair);
    if (this.#pairs.length >= 2 * MOST_RATED) this.#cut();
  }

  /** Those with the most first. */
  finish(): readonly Pair[] {
    this.#cut();
    return this.#pairs;
  }

  #cut(): void {
    this.#pairs.sort((a, b) => b.high + b.against - a.high - a.against);
    this.#others(this.#pairs.splice(MOST_RATED));
  }
}

export function* drain(reader: RowReader): Generator<Pair> {
  for (const row of eachRow(reader)) yield readPair(row);
}

function ruleOf(urls: SiteUrls, pair: Pair, confidence: number): UnrankedRule {
  return {
    site: urls.site,
    kind: 'substring',
    from: decodeText(pair.from),
    to: decodeText(pair.to),
    anchor: pair.anchor,
    status: 'likely',
    support: { low: pair.low, high: pair.high },
    against: pair.against,
    confidence,
    examples: pair.examples.map(([from, to]) => [textOf(urls, from), textOf(urls, to)] as const),
  };
}

function textOf(urls: SiteUrls, row: number): string {
  const at = urls.at(row);
  return decodeText(uncollate(urls.bytes, at, at + urls.lengthOf(row)));
}
