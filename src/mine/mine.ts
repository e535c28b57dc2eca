// The stages of mining in order: URL list, parameters, pairs, elimination, rank. What a stage hands on goes through an
// external sort, so that nothing but one site's URL columns and its few parameter rules stays in memory.
import { decodeText, encodeText } from '../base/bytes.js';
import { SpillSorter, type RowReader, type SpillStats } from '../base/spill.js';
import type { RecordBatch } from '../log/record.js';
import type { MineOptions, SubstringRule } from '../rule/rule.js';
import { createSubsumption } from '../rule/subsume.js';
import { eliminationKey, printedKey, readPair, RowWriter, writePair, type Pair } from '../table/pair.js';
import type { SiteUrls } from '../table/site-urls.js';
import { UrlListBuilder, type SiteOf, type SiteReader } from '../table/url-list.js';
import { uncollate } from '../url/token.js';
import { searchParameters, type MineCrew, type ParameterSearch } from './crew.js';
import { eliminateRedundancies } from './eliminate.js';
import type { Engine, Room } from './engine.js';
import type { UnrankedParameterRule } from './parameter.js';
import { PARAM_MIN_URLS, rankScore, wilsonLower } from './rank.js';

/** What may be held: bytes of memory for tables and buffers, and the folder for sorted runs. */
export interface Limits {
  readonly memoryBytes: number;
  readonly tmpdir: string;
  /** Threads that may help with large sites; they end with the last site. */
  readonly crew?: MineCrew | undefined;
}

export interface MineSummary {
  urls: number;
  sites: { mined: number; skipped: number };
  /** Pairs with low >= MS, before elimination. */
  pairs: number;
  /** Rules of either kind that were ranked. */
  likely: number;
  /** Of these, parameter rules; and substring rules that went because a parameter rule says the same. */
  parameters: number;
  subsumed: number;
  readonly spilled: SpillStats;
}

/** A rule without its rank, which it gets when all are known. */
export type UnrankedRule = Omit<SubstringRule, 'rank'> | UnrankedParameterRule;

/** The options of a rules file; and whether parameters that nothing is known of are wanted too, to be fetched for. */
export type MinerOptions = MineOptions & { readonly untested?: boolean };

/** Mines one run: records in, then either printed pairs or ranked rules out. */
export class Miner {
  readonly summary: MineSummary;
  readonly #options: MinerOptions;
  readonly #engine: Engine;
  readonly #limits: Limits;
  readonly #list: UrlListBuilder;
  #sites: (() => SiteReader) | undefined;

  constructor(options: MinerOptions, siteOf: SiteOf, engine: Engine, limits: Limits) {
    this.#options = options;
    this.#engine = engine;
    this.#limits = limits;
    this.summary = {
      urls: 0,
      sites: { mined: 0, skipped: 0 },
      pairs: 0,
      likely: 0,
      parameters: 0,
      subsumed: 0,
      spilled: { runs: 0, bytes: 0 },
    };
    this.#list = new UrlListBuilder(siteOf, limits, this.summary.spilled);
  }

  add(batch: RecordBatch): void {
    this.#list.add(batch);
  }

  /** Has these sites mined instead of what was added. */
  takeSites(sites: () => SiteReader): void {
    this.#sites = sites;
  }

  /** Phase 1 only: the pairs of every site, by site, then from, to, anchor. */
  *eachPair(): Generator<{ readonly site: string; readonly pair: Pair }> {
    for (const urls of this.#eachSite()) {
      const sorter = this.#sorter();
      this.#detect(urls, this.#room(), (row, pair) => printedKey(row, pair), sorter);
      for (const pair of drain(sorter.finish())) yield { site: urls.site, pair };
    }
  }

  /**
   * All phases: the likely rules of all sites in ranked order. `onSite` gets the rules of one site, in no order, while its
   * URLs are at hand; it is then left to validation to drop substring rules that say what a parameter rule says.
   */
  *eachRule(onSite?: (urls: SiteUrls, rules: readonly UnrankedRule[]) => void): Generator<UnrankedRule> {
    const ranked = this.#sorter();
    const row = new RowWriter();
    const rank = (key: RowWriter, rule: UnrankedRule) => {
      this.summary.likely++;
      const keyLength = key.length;
      row.raw(encodeText(JSON.stringify(rule)));
      ranked.add(row.bytes, 0, row.length, keyLength);
    };
    for (const urls of this.#eachSite()) {
      const ofSite: UnrankedRule[] = [];
      const search = this.#searchParameters(urls);
      const sorter = this.#sorter();
      this.#detect(urls, search.room, (key, pair) => eliminationKey(key, pair), sorter);
      const parameters = search.rules();
      this.summary.parameters += parameters.length;
      for (const rule of parameters) rank(this.#parameterKey(row.clear(), rule), rule);
      const accepted = onSite === undefined ? parameters.filter(({ support }) => support.groups > 0) : [];
      const isSubsumed = createSubsumption(accepted);
      for (const pair of eliminateRedundancies(drain(sorter.finish()), this.#options)) {
        if (isSubsumed(pair)) {
          this.summary.subsumed++;
          continue;
        }
        const rule = this.#rule(urls, pair);
        rank(this.#pairKey(row.clear(), urls.site, pair), rule);
        if (onSite !== undefined) ofSite.push(rule);
      }
      onSite?.(urls, [...parameters, ...ofSite]);
    }
    const reader = ranked.finish();
    for (let next = reader.next(); next !== undefined; next = reader.next()) {
      yield JSON.parse(decodeText(next.bytes, next.keyEnd, next.end)) as UnrankedRule;
    }
    reader.close();
  }

  *#eachSite(): Generator<SiteUrls> {
    const sites = this.#sites?.() ?? this.#list.finish();
    for (let urls = sites.next(); urls !== undefined; urls = sites.next()) {
      this.summary.urls += urls.count;
      if (urls.count < this.#options.minSiteUrls) {
        this.summary.sites.skipped++;
        continue;
      }
      this.summary.sites.mined++;
      yield urls;
    }
    sites.close();
    this.#limits.crew?.stop();
  }

  #detect(urls: SiteUrls, room: Room, key: (row: RowWriter, pair: Pair) => RowWriter, sorter: SpillSorter): void {
    const row = new RowWriter();
    this.#engine.eachLikelyPair(urls, this.#options, room, (pair) => {
      this.summary.pairs++;
      const keyLength = key(row.clear(), pair).length;
      writePair(row, pair);
      sorter.add(row.bytes, 0, row.length, keyLength);
    });
  }

  /** A quarter each for instances and pairs; the URL list and its columns have the rest. */
  #room(): Room {
    return { ...this.#limits, memoryBytes: this.#limits.memoryBytes / 4, stats: this.summary.spilled };
  }

  #sorter(): SpillSorter {
    const room = this.#room();
    return new SpillSorter({ ...room, memoryBytes: room.memoryBytes / 2 }, room.stats);
  }

  #searchParameters(urls: SiteUrls): ParameterSearch {
    const { parameters = true, paramMinUrls = PARAM_MIN_URLS, MS, similarity, untested = false } = this.#options;
    const room = this.#room();
    if (!parameters) return { room, rules: () => [] };
    return searchParameters(urls, { paramMinUrls, MS, similarity, untested }, room, this.#limits.crew);
  }

  #pairKey(row: RowWriter, site: string, pair: Pair): RowWriter {
    row.descending(rankScore(pair.low, pair.against, this.#options.rank, pair)).descending(pair.low);
    return row.side(pair.from, pair.anchor).side(pair.to, pair.anchor).raw(encodeText(site));
  }

  /** A group counts as an instance does. Of equals the parameter rule comes first: no side of a pair sorts as a 0 does. */
  #parameterKey(row: RowWriter, { support, against, name, path, site }: UnrankedParameterRule): RowWriter {
    row
      .descending(rankScore(support.groups, against, this.#options.rank))
      .descending(support.groups)
      .byte(0);
    return row.side(encodeText(name), 'none').side(encodeText(path), 'none').raw(encodeText(site));
  }

  #rule(urls: SiteUrls, pair: Pair): UnrankedRule {
    const url = (row: number) => {
      const at = urls.at(row);
      return decodeText(uncollate(urls.bytes, at, at + urls.lengthOf(row)));
    };
    return {
      site: urls.site,
      kind: 'substring',
      from: decodeText(pair.from),
      to: decodeText(pair.to),
      anchor: pair.anchor,
      status: 'likely',
      support: { low: pair.low, high: pair.high },
      against: pair.against,
      confidence: Math.round(wilsonLower(pair.low, pair.against) * 1e6) / 1e6,
      examples: pair.examples.map(([from, to]) => [url(from), url(to)] as const),
    };
  }
}

function* drain(reader: RowReader): Generator<Pair> {
  for (let row = reader.next(); row !== undefined; row = reader.next()) yield readPair(row);
  reader.close();
}
