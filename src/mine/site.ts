// Mines the rules of one site: parameters, pairs, elimination, subsumption. Each rule is a row that sorts by rank among
// the rules of all sites. The miner itself uses this, and so do threads that mine small sites.
//
// A row:  key = score, support, sides, site       payload = the rule as JSON
import { decodeText, encodeText } from '../base/bytes.js';
import { counted, ticking } from '../base/progress.js';
import { eachRow, type HeapRowReader, type RowReader, RowWriter } from '../base/row.js';
import type { SpillRoom } from '../base/spill.js';
import { roomFor } from '../memory-plan.js';
import type { Rule, StepRule, SubstringRule } from '../rule/rule.js';
import { CONFIDENT } from '../rule/standing.js';
import { createSubsumption } from '../rule/subsume.js';
import { mayNameVisitor as mayName, namesVisitor } from '../rule/visitor.js';
import { eachLikelyPair } from '../table/likely-pairs.js';
import { MIN_SHARED_URLS } from '../table/crew.js';
import { readPair, type Pair, PairSorter, type PairOrder } from '../table/pair.js';
import { hasPage, type SiteUrls } from '../table/site-urls.js';
import { rawUrl } from '../table/raw-url.js';
import type { RuleRows } from './best-rows.js';
import { likelinessOf } from './likeliness.js';
import { scored, Sureness } from './sureness.js';
import { searchParameters, type MineCrew, type ParameterSearch } from './crew.js';
import { createEliminationIndex, eliminateRedundancies } from './eliminate.js';
import type { Room } from './engine.js';
import { gatherEvidence } from './evidence.js';
import { foldingRule } from './fold-slashes.js';
import { namesImages, type Said, wordOf } from './said.js';
import { addsSlash, towardNames } from './toward-names.js';
import { type InventoryOptions, NO_LISTING, takeInventory } from './inventory.js';
import { rulesOfLists } from './list-rules.js';
import { namedByHits } from './names.js';
import { Listings } from './parameter-facts.js';
import type { UnrankedParameterRule } from './parameter.js';
import { PARAM_MIN_URLS } from './rank.js';
import { putPairKey, putRuleKey } from './rank-key.js';
import { addProspects, addTraps, NO_COUNTS, type MinerOptions, type SiteCounts } from './sites-task.js';
import { likelinessUnrated, MOST_RATED, Unrated } from './unrated.js';

/** A rule without its rank, which is known only when all rules are. */
export type UnrankedRule = UnrankedSubstringRule | UnrankedParameterRule | Omit<StepRule, 'rank'>;
type UnrankedSubstringRule = Omit<SubstringRule, 'rank'>;

export class SiteMiner {
  #counts: SiteCounts = { ...NO_COUNTS };
  /** The parameters of all sites that were mined, if some are to be listed. */
  readonly listings: Listings;
  readonly #options: MinerOptions;
  readonly #room: Room;
  readonly #crew: MineCrew | undefined;
  readonly #row = new RowWriter();
  readonly #eliminationIndex = createEliminationIndex();

  constructor(options: MinerOptions, room: Room, crew: MineCrew | undefined) {
    this.#options = options;
    this.#room = room;
    this.#crew = crew;
    this.listings = new Listings(options.listed ?? 0);
  }

  get counts(): SiteCounts {
    return this.#counts;
  }

  /** The counts since they were last taken. */
  takeCounts(): SiteCounts {
    const counts = this.#counts;
    this.#counts = { ...NO_COUNTS };
    return counts;
  }

  /**
   * Mines the likely rules of a site, as rows. With `keep` 'rules', for a validation, also returns them, and leaves in
   * substring rules that say the same as a parameter rule; validation drops these.
   */
  mine(urls: SiteUrls, keep: 'rules' | 'rows only', ranked: RuleRows): readonly UnrankedRule[] {
    const kept: UnrankedRule[] = [];
    const search = this.#searchParameters(urls);
    const pairsBefore = this.counts.pairs;
    const sorted = this.detect(urls, search.room, 'elimination');
    const sureness = new Sureness(urls);
    const { rules: all, listing } = search.finish();
    this.listings.add(listing);
    const found = all.filter((rule) => !this.#isLeftOut(rule));
    const parameters = this.#options.similarity
      ? sureness.ofParameters(found).filter((rule) => this.#isRule(rule))
      : found;
    this.counts.parameters += parameters.length;
    const order = this.#options.rank;
    const accepted = keep === 'rules' ? [] : parameters;
    const isSubsumed = createSubsumption(accepted);
    const { progress } = search.room;
    const total = this.counts.pairs - pairsBefore;
    progress?.begin({ name: 'eliminating', unit: 'pairs', total });
    const pairs = new Tally(counted(drain(sorted), progress));
    const hasPages = once(() => hasAnyPage(urls));
    const list = urls.count;
    const site = encodeText(urls.site);
    const write = (pair: Pair) => {
      const likeliness = likelinessUnrated(pair);
      const key = putPairKey(this.#row.clear(), pair, { site, likeliness, order });
      const rule = keep === 'rules' ? ruleOf(urls, pair, likeliness, likeliness) : undefined;
      if (rule !== undefined) kept.push(rule);
      this.#add(key, ranked, () => rule ?? ruleOf(urls, pair, likeliness, likeliness));
    };
    const unrated = this.#options.all === true ? undefined : new Unrated(order);
    const frequent = new FrequentPairs((pair) => {
      if (mayNameVisitor(pair) && this.#isLeftOut(ruleOf(urls, pair, 0, 0))) return;
      if (unrated === undefined) write(pair);
      else unrated.add(pair);
    });
    for (const pair of eliminateRedundancies(pairs, this.#options, this.#eliminationIndex)) {
      if (isSubsumed(pair)) this.counts.subsumed++;
      else frequent.add(pair);
      if (unrated?.isClosedTo(pair.high) !== true || hasPages()) continue;
      // All others are behind, and no page can speak against one of them.
      this.counts.passedOver += total - pairs.count;
      sorted.close();
      break;
    }
    const left = frequent.finish();
    for (const pair of unrated?.finish() ?? []) write(pair);
    this.counts.passedOver += unrated?.passedOver ?? 0;
    const evidence = gatherEvidence(urls, left, this.#options.similarity);
    const directed = towardNames(urls, left, evidence, this.#options.similarity);
    const likeliness = directed.map(({ pair, evidence: found }) =>
      likelinessOf({ ...found, counted: pair, list }, pair),
    );
    const sure = sureness.ofPairs(directed, likeliness);
    const substrings = directed
      .map(({ pair, evidence: found }, at) => saidRule(ruleOf(urls, pair, likeliness[at]!, sure[at]!), found.said))
      .filter((rule) => !this.#isLeftOut(rule));
    const rules = [
      ...this.#named(urls, [...parameters, ...substrings], keep),
      ...this.#ofSlashes(urls, substrings, sureness),
      ...this.#ofLists(urls, hasPages),
    ];
    for (const rule of rules) this.#add(putRuleKey(this.#row.clear(), rule, order), ranked, () => rule);
    return keep === 'rules' ? [...rules, ...kept] : [];
  }

  /** A parameter without groups has no evidence in the log. It is a rule only if its companions make it sure. */
  #isRule({ support, confidence }: UnrankedParameterRule): boolean {
    return this.#options.untested === true || support.groups > 0 || confidence >= CONFIDENT;
  }

  /** Sizes and sketches say whether the order of items means anything, or pages are asked. */
  #ofLists(urls: SiteUrls, hasPages: () => boolean): readonly UnrankedRule[] {
    const { parameters = true, similarity, clustered = false, untested = false } = this.#options;
    if (!parameters || !similarity || clustered || !(untested || hasPages())) return [];
    return rulesOfLists(urls, { untested }).filter((rule) => !this.#isLeftOut(rule));
  }

  /** Repeated slashes of paths, where the log is sure of a pair that folds them. */
  #ofSlashes(urls: SiteUrls, substrings: readonly UnrankedRule[], sureness: Sureness): readonly UnrankedRule[] {
    if (!this.#options.similarity || this.#options.clustered === true) return [];
    const rule = foldingRule(urls, substrings, sureness);
    if (rule === undefined) return [];
    // As a special case of the pair, which holds in values too.
    if (rule.confidence >= CONFIDENT) this.counts.sureCases++;
    return [rule];
  }

  /** Chooses names, unless a validation follows, which chooses them after fetching pages. */
  #named(urls: SiteUrls, rules: readonly UnrankedRule[], keep: 'rules' | 'rows only'): readonly UnrankedRule[] {
    if (keep === 'rules' || !this.#options.similarity) return rules;
    const ranked = rules.map((rule, at): Rule => ({ ...rule, rank: at + 1 }));
    const named = namedByHits(urls, ranked, this.#options);
    addProspects(this.counts, named.prospects);
    return named.rules.map(unranked);
  }

  /** Phase 1: the pairs of a site, in the given order. */
  detect(urls: SiteUrls, room: Room, order: PairOrder): HeapRowReader {
    const spareBytes = room.spareBytes ?? urls.unusedBytes;
    // Half of the memory is for blocks of instances, and four ninths of that for entries of their partitions.
    const memoryBytes = this.#room.memoryBytes + spareBytes / 2;
    const sorter = new PairSorter(order, roomFor('step/rows', { ...this.#room, memoryBytes }));
    const traps = eachLikelyPair(urls, this.#options, { ...room, spareBytes }, (pairs) => sorter.add(pairs));
    if (traps.count > 0) addTraps(this.counts, traps.count, textOf(urls, traps.row));
    this.counts.pairs += sorter.count;
    return sorter.finish();
  }

  /** Most rules of a large site are not made, because they cannot be among the best. */
  #add(key: RowWriter, ranked: RuleRows, make: () => UnrankedRule): void {
    this.counts.likely++;
    const keyLength = key.length;
    if (!ranked.wants(key.bytes, keyLength)) return;
    key.raw(encodeText(JSON.stringify(make())));
    ranked.add(key.bytes, key.length, keyLength);
  }

  /** True for a rule that must be left out. Counts it. */
  #isLeftOut(rule: UnrankedRule): boolean {
    if (this.#options.withVisitors === true || !namesVisitor(rule)) return false;
    this.counts.visitors++;
    return true;
  }

  #searchParameters(urls: SiteUrls): ParameterSearch {
    const { parameters = true, untested = false } = this.#options;
    const options = inventoryOptions(this.#options);
    // A validation asks pages about a whole campaign anyway, and clusters judge each name by itself.
    const companions = options.similarity && !untested && this.#options.clustered !== true;
    const room = this.#roomFor(urls);
    if (!parameters) return { room, finish: () => ({ rules: [], listing: NO_LISTING }) };
    return searchParameters(urls, { ...options, untested, companions }, room, this.#crew);
  }

  /** The parameters of a site whose rules are not wanted. */
  list(urls: SiteUrls): void {
    const inventory = takeInventory(urls, inventoryOptions(this.#options), this.#roomFor(urls));
    this.listings.add(inventory?.listing ?? NO_LISTING);
  }

  /** A small site reports no progress: sites are counted instead. */
  #roomFor(urls: SiteUrls): Room {
    return urls.count < MIN_SHARED_URLS ? { ...this.#room, progress: ticking(this.#room.progress) } : this.#room;
  }
}

function inventoryOptions({ paramMinUrls = PARAM_MIN_URLS, MS, similarity, listed }: MinerOptions): InventoryOptions {
  return { paramMinUrls, MS, similarity, listed };
}

/** The room for mining a site, out of `allBytes`. */
export function siteRoom(room: SpillRoom, crew: MineCrew | undefined, allBytes: number): Room {
  return { ...roomFor('mine/step', room), crew, allBytes };
}

/** Keeps the pairs with the most instances, near or not (top-k), and passes the others on. */
class FrequentPairs {
  readonly #other: (pair: Pair) => void;
  #pairs: Pair[] = [];

  constructor(other: (pair: Pair) => void) {
    this.#other = other;
  }

  add(pair: Pair): void {
    this.#pairs.push(pair);
    if (this.#pairs.length >= 2 * MOST_RATED) this.#cut();
  }

  /** The kept pairs, most instances first. */
  finish(): readonly Pair[] {
    this.#cut();
    return this.#pairs;
  }

  #cut(): void {
    this.#pairs.sort((a, b) => b.high + b.against - a.high - a.against);
    for (const pair of this.#pairs.splice(MOST_RATED)) this.#other(pair);
  }
}

/** Counts what was taken of it. */
class Tally<T> implements Iterable<T> {
  count = 0;
  readonly #items: Iterable<T>;

  constructor(items: Iterable<T>) {
    this.#items = items;
  }

  *[Symbol.iterator](): Generator<T> {
    for (const item of this.#items) {
      this.count++;
      yield item;
    }
  }
}

function once(ask: () => boolean): () => boolean {
  let answer: boolean | undefined;
  return () => (answer ??= ask());
}

/** False for a list without sizes and sketches. */
function hasAnyPage(urls: SiteUrls): boolean {
  for (let row = 0; row < urls.count; row++) if (hasPage(urls, row)) return true;
  return false;
}

function unranked(rule: Rule): UnrankedRule {
  const { rank: _rank, ...bare } = rule;
  return bare as UnrankedRule;
}

export function* drain(reader: RowReader): Generator<Pair> {
  for (const row of eachRow(reader)) yield readPair(row);
}

function mayNameVisitor({ from, to }: Pair): boolean {
  return mayName(from) || mayName(to);
}

/** The rule with the word of the site, if that confirms its direction. */
function saidRule(rule: UnrankedSubstringRule, said: Said): UnrankedRule {
  const named = namesImages(said) ? ({ ...rule, word: wordOf(said) } as const) : rule;
  const { kind: _kind, from, to, anchor, support, ...base } = named;
  if (!addsSlash({ from: encodeText(from), to: encodeText(to), anchor })) return named;
  return { ...base, kind: 'step', step: 'add-end-slash', text: '', support: { urls: support.high } };
}

function ruleOf(urls: SiteUrls, pair: Pair, likeliness: number, confidence: number): UnrankedSubstringRule {
  const rule: UnrankedSubstringRule = {
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
  return scored(rule, likeliness, confidence);
}

function textOf(urls: SiteUrls, row: number): string {
  return decodeText(rawUrl(urls, row));
}
