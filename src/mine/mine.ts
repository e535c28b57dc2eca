// The stages of mining in order: URL list, parameters, pairs, elimination, rank. The output of a stage goes through an
// external sort, so only the URL columns and the few parameter rules of one site stay in memory.
import { TopK } from '../base/top-k.js';
import { byText, decodeText } from '../base/bytes.js';
import { heapShare } from '../base/heap.js';
import { counted, type Progress } from '../base/progress.js';
import type { HeapRowReader, Row } from '../base/row.js';
import { SameTexts } from '../base/same-texts.js';
import type { SpillStats } from '../base/spill.js';
import type { RecordBatch } from '../log/record.js';
import { roomFor } from '../memory-plan.js';
import type { RuleList } from '../rule/rule.js';
import { isCandidate } from '../rule/standing.js';
import { MIN_SHARED_URLS } from '../table/crew.js';
import type { Pair } from '../table/pair.js';
import type { SiteUrls } from '../table/site-urls.js';
import { type OnSample, UrlListBuilder, type SiteOf, type SiteReader } from '../table/url-list.js';
import { BestRows, type RuleRows } from './best-rows.js';
import { poolHosts, type ClassRule, type PooledHosts } from './hosts/pool.js';
import { type Crowd, HostSample } from './hosts/sample.js';
import type { MineCrew } from './crew.js';
import type { Room } from './engine.js';
import { NO_LISTING } from './inventory.js';
import {
  addRows,
  CollectedRows,
  type FoundInSite,
  type KeptSites,
  packFound,
  SiteDigests,
  unpackFound,
} from './kept-sites.js';
import { ALL_RULES, type MostRules } from './most-rules.js';
import { dropPack, isSmall, Packer, sitesOf, takeSites } from './small-sites.js';
import type { Listing } from './parameter-facts.js';
import { partOfSite } from './part.js';
import type { Part } from './part-text.js';
import { PartedRows } from './parted-rows.js';
import { RankedRules } from './ranked-rules.js';
import { drain, SiteMiner, siteRoom, type UnrankedRule } from './site.js';
import {
  addCounts,
  NO_COUNTS,
  type MinerOptions,
  type SiteCounts,
  type SitePack,
  type SitesResult,
  type SitesTask,
} from './sites-task.js';

export type { MinerOptions, UnrankedRule };

/** Limits of a run: bytes of memory for tables and buffers, the folder for sorted runs, threads. */
export interface Limits {
  readonly memoryBytes: number;
  readonly tmpdir: string;
  /** Threads that may help with large sites; they end with the last site. */
  readonly crew?: MineCrew | undefined;
  readonly progress?: Progress | undefined;
}

/** The pairs of a site: rows whose payload `readPair` decodes. */
export interface SitePairs {
  readonly site: string;
  readonly rows: HeapRowReader;
}

/** Gets the rules of a site while its URLs are in memory. */
type OnSite = (urls: SiteUrls, rules: readonly UnrankedRule[]) => void;

/** A part of the sites, with its likely rules in ranked order. */
export interface MinedPart {
  readonly part: Part;
  readonly urls: number;
  readonly sites: { readonly mined: number; readonly skipped: number };
  readonly rules: RuleList;
}

interface SiteSize {
  readonly site: string;
  readonly urls: number;
}

/** A site of which only a sample of the URLs was mined. */
export interface SampledSite extends SiteSize {
  readonly sampled: number;
}

const MOST_SITES = 1000;

/** The sites with the most URLs (top-k). */
export class LargestSites {
  readonly #sites = new TopK<SiteSize>(MOST_SITES, (a, b) => b.urls - a.urls || byText(a.site, b.site));

  add(site: string, urls: number): void {
    this.#sites.add({ site, urls });
  }

  /** Largest first, ties by name; at most a thousand. */
  list(): readonly SiteSize[] {
    return this.#sites.finish();
  }
}

export interface MineSummary extends SiteCounts {
  urls: number;
  /** The number of likely rules beyond those that fit into the file; they have the lowest ranks. */
  unlisted: number;
  sites: { mined: number; skipped: number };
  /** Sites with more URLs than memory takes. */
  readonly sampled: SampledSite[];
  /** The largest of the mined sites, by URLs. */
  readonly largestSites: LargestSites;
  /** False if records were read, and none has a size. */
  hasSizes: boolean;
  /** The number of likely rules that are more probably wrong than right. */
  candidates: number;
  readonly spilled: SpillStats;
}

/** Mines one run: records in, then either printed pairs or ranked rules out. */
export class Miner {
  readonly summary: MineSummary;
  readonly #options: MinerOptions;
  readonly #limits: Limits;
  readonly #list: UrlListBuilder;
  #sites: ((onSample: OnSample) => SiteReader) | undefined;
  #watch: ((urls: SiteUrls) => void) | undefined;
  #watchClasses: ((rules: readonly ClassRule[]) => (urls: SiteUrls) => void) | undefined;
  #records = 0;
  #isSized = false;
  #listing = NO_LISTING;
  #pooled: PooledHosts | undefined;
  /** What is in each part of the sites, if they are mined by part. */
  #parts: { urls: number; mined: number; skipped: number }[] | undefined;
  /** The sites that were mined, until hosts have learned from each other. */
  #read: SiteReader | undefined;
  /** True if the sites can be read only once. */
  #isOnce = false;
  #sample: HostSample | undefined;
  #crowd: Crowd | undefined;
  /** What earlier runs have found in sites, and the digests of those that are being mined. */
  #kept: KeptSites | undefined;
  #digests: SiteDigests | undefined;
  readonly #digestOf = new Map<string, Uint8Array>();
  /** True if no reader reports progress. */
  #isAtHand = false;
  readonly #onSample: OnSample = (site, urls, sampled) => this.summary.sampled.push({ site, urls, sampled });

  constructor(options: MinerOptions, siteOf: SiteOf, limits: Limits) {
    this.#options = options;
    this.#limits = limits;
    this.summary = {
      urls: 0,
      unlisted: 0,
      sites: { mined: 0, skipped: 0 },
      sampled: [],
      largestSites: new LargestSites(),
      hasSizes: true,
      candidates: 0,
      ...NO_COUNTS,
      spilled: { runs: 0, bytes: 0 },
    };
    this.#list = new UrlListBuilder(siteOf, { ...limits, onSample: this.#onSample }, this.summary.spilled);
  }

  get damagedSketches(): number {
    return this.#list.damagedSketches;
  }

  add(batch: RecordBatch): void {
    this.#list.add(batch);
    if (!this.#isSized && batch.rows > 0) this.summary.hasSizes = this.#isSized = hasSize(batch);
    // Threads start early, while input is still being read.
    if (this.#records < MIN_SHARED_URLS && (this.#records += batch.rows) >= MIN_SHARED_URLS) this.#limits.crew?.start();
  }

  /**
   * Mines these sites instead of what was added. A site that is too large for memory may be sampled, and is reported. If
   * they can be read only `once`, hosts do not learn from each other; {@link hostSample} has those to learn from.
   */
  takeSites(sites: (onSample: OnSample) => SiteReader, { once = false }: { readonly once?: boolean } = {}): void {
    this.#sites = sites;
    this.#isOnce = once;
  }

  /**
   * Takes what was found in a site by this version of the program, with these options, if its list has not changed since.
   * Without effect where rules are shown site by site, and with `--all`, as those are too many to keep.
   */
  keepSites(kept: KeptSites, version: string): void {
    const { listed, all = false } = this.#options;
    if (listed !== undefined || all) return;
    this.#kept = kept;
    this.#digests = new SiteDigests(version, this.#options);
  }

  /** Shows each site, also one that is too small to be mined, while its URLs are in memory. */
  watchSites(watch: (urls: SiteUrls) => void): void {
    this.#watch = watch;
  }

  /** Shows each site once more when hosts have learned from each other, to what `watch` makes of their rules. */
  watchClasses(watch: (rules: readonly ClassRule[]) => (urls: SiteUrls) => void): void {
    this.#watchClasses = watch;
  }

  /** Phase 1 only: the pairs of every site, by site, then from, to, anchor. */
  *eachPair(): Generator<{ readonly site: string; readonly pair: Pair }> {
    for (const { site, rows } of this.pairRows()) for (const pair of drain(rows)) yield { site, pair };
  }

  /** The pairs as rows. The caller closes the readers. */
  *pairRows(): Generator<SitePairs> {
    const miner = this.#siteMiner();
    for (const urls of this.#eachSite(miner)) {
      yield { site: urls.site, rows: miner.detect(urls, this.#room(), 'printed') };
      if (isSmall(urls)) this.#passed(urls.count);
    }
    Object.assign(this.summary, miner.counts);
    this.#limits.crew?.stop();
  }

  /**
   * All phases: the likely rules of all sites in ranked order. `onSite` gets the rules of one site, in no order, while
   * its URLs are in memory; substring rules that say the same as a parameter rule are then left for validation to drop.
   * Ends after the most rules; the summary has the number that there would have been.
   */
  *eachRule(onSite?: OnSite, most?: MostRules): Generator<UnrankedRule> {
    const texts = new SameTexts();
    for (const row of this.#eachRow(onSite, most)) yield this.#passOn(ruleIn(textIn(row), texts));
  }

  /** The rules as a list that takes little memory; the caller closes it. */
  listRules(most?: MostRules): RankedRules {
    const listed = new RankedRules(roomFor('mine/ranked', this.#limits));
    for (const row of this.#eachRow(undefined, most)) {
      listed.add(row);
      this.#passOn(JSON.parse(textIn(row)) as UnrankedRule);
    }
    return listed;
  }

  /**
   * The rules of each part of the sites, of so many, at most the most for each. A list is closed before the next one is
   * made.
   */
  *eachPart(parts: number, most: MostRules): Generator<MinedPart> {
    this.#parts = Array.from({ length: parts }, () => ({ urls: 0, mined: 0, skipped: 0 }));
    const ranked = new PartedRows(parts, roomFor('step/rows', this.#room()));
    const { likely } = this.#mineAll(ranked);
    const rows = ranked.best(most);
    let next = rows.next();
    let listed = 0;
    for (const [at, { urls, ...sites }] of this.#parts.entries()) {
      const rules = new RankedRules(roomFor('mine/ranked', this.#limits));
      for (; next.done !== true && next.value.part === at + 1; next = rows.next()) {
        rules.add(next.value.row);
        this.#passOn(JSON.parse(textIn(next.value.row)) as UnrankedRule);
      }
      listed += rules.length;
      yield { part: { k: at + 1, n: parts }, urls, sites, rules };
      rules.close();
    }
    this.summary.unlisted = likely - listed;
  }

  /** The rules of classes of hosts, once the sites were mined. */
  get classRules(): readonly ClassRule[] {
    return this.#pooled?.rules ?? [];
  }

  /** Hosts to learn from, once the sites were mined, if they can be read only once. The caller closes it. */
  get hostSample(): HostSample | undefined {
    return this.#sample;
  }

  /** How many sites have so many hosts that they were not compared with others. */
  get sitesOfManyHosts(): number {
    return this.#pooled?.leftOut ?? 0;
  }

  /** How many hosts were not heard, as a few domains have most of those that others would learn from. */
  get crowd(): Crowd | undefined {
    return this.#crowd;
  }

  /** The parameters of all sites that a report lists, once their rules were mined. */
  get listing(): Listing {
    return this.#listing;
  }

  /** The same without rules. */
  listParameters(): Listing {
    const miner = this.#siteMiner();
    for (const urls of this.#eachSite(miner)) {
      miner.list(urls);
      if (isSmall(urls)) this.#passed(urls.count);
    }
    return miner.listings.finish();
  }

  #passOn(rule: UnrankedRule): UnrankedRule {
    if (isCandidate(rule)) this.summary.candidates++;
    return rule;
  }

  /** The rows of {@link eachRule}. */
  *#eachRow(onSite?: OnSite, most: MostRules = ALL_RULES): Generator<Row> {
    const ranked = new BestRows(most, roomFor('step/rows', this.#room()));
    const { likely } = this.#mineAll(ranked, onSite);
    const { progress } = this.#limits;
    progress?.begin({ name: 'ranking', unit: 'rules', total: ranked.rules });
    let rules = 0;
    for (const row of counted(ranked.best(), progress)) {
      rules++;
      yield row;
    }
    this.summary.unlisted = likely - rules;
  }

  /** Mines all sites into `ranked`, and has hosts learn from each other. */
  #mineAll(ranked: RuleRows, onSite?: OnSite): SiteCounts {
    const miner = this.#siteMiner();
    const sample = this.#newSample();
    const all = this.#eachSite(miner, sample);
    const sites = onSite === undefined ? this.#changed(all, miner, ranked) : all;
    const crew = this.#limits.crew;
    if (crew !== undefined && onSite === undefined) this.#mineByThreads(sites, crew, miner, ranked);
    else {
      for (const urls of sites) {
        if (onSite === undefined) this.#mineSite(urls, miner, ranked);
        else onSite(urls, miner.mine(urls, 'rules', ranked));
        if (isSmall(urls)) this.#passed(urls.count);
      }
    }
    if (sample !== undefined && !this.#isOnce) this.#pool(sample);
    crew?.stop();
    Object.assign(this.summary, miner.counts);
    this.#listing = miner.listings.finish();
    return miner.counts;
  }

  /** The sites about which nothing was kept. Of the others, what was found is added to `ranked`. */
  *#changed(sites: Iterable<SiteUrls>, miner: SiteMiner, ranked: RuleRows): Generator<SiteUrls> {
    const [kept, digests] = [this.#kept, this.#digests];
    if (kept === undefined || digests === undefined) return yield* sites;
    for (const urls of sites) {
      const { site } = urls;
      const digest = digests.of(urls);
      const found = kept.find(site, digest);
      if (found === undefined) {
        this.#digestOf.set(site, digest);
        yield urls;
        continue;
      }
      kept.keep(site, digest, found);
      const { rows, counts } = unpackFound(found);
      addRows(rows, ranked);
      addCounts(miner.counts, counts);
      if (isSmall(urls)) this.#passed(urls.count);
    }
  }

  #mineSite(urls: SiteUrls, miner: SiteMiner, ranked: RuleRows): void {
    if (this.#kept === undefined) return void miner.mine(urls, 'rows only', ranked);
    const before = miner.takeCounts();
    const rows = new CollectedRows();
    miner.mine(urls, 'rows only', rows);
    const found = { rows: rows.taken, counts: miner.takeCounts() };
    addCounts(miner.counts, before);
    this.#take(urls.site, found, miner, ranked);
  }

  /** Takes what was found in a site that was mined. */
  #take(site: string, found: FoundInSite, miner: SiteMiner, ranked: RuleRows): void {
    addRows(found.rows, ranked);
    addCounts(miner.counts, found.counts);
    const digest = this.#digestOf.get(site);
    if (digest === undefined) return;
    this.#digestOf.delete(site);
    this.#kept!.keep(site, digest, packFound(found));
  }

  /** Sends small sites to threads in packs. When these are done, a large site gets all threads. */
  #mineByThreads(sites: Generator<SiteUrls>, crew: MineCrew, miner: SiteMiner, ranked: RuleRows): void {
    const packer = new Packer();
    let large: SiteUrls | undefined;
    const nextPack = (): SitePack | undefined => {
      while (!packer.isFull && large === undefined) {
        const next = sites.next();
        if (next.done === true) break;
        if (isSmall(next.value)) packer.add(next.value);
        else large = next.value;
      }
      return packer.isEmpty ? undefined : packer.take();
    };
    const { tmpdir } = this.#limits;
    const task = { kind: 'sites' as const, options: this.#options, tmpdir, isKept: this.#kept !== undefined };
    const memoryBytes = this.#room().memoryBytes / crew.threads;
    const { spilled } = this.summary;
    for (;;) {
      const first = nextPack();
      const second = first === undefined ? undefined : nextPack();
      if (first !== undefined && second === undefined) {
        for (const urls of sitesOf(first)) {
          this.#mineSite(urls, miner, ranked);
          this.#passed(urls.count);
        }
        dropPack(first);
      } else if (first !== undefined) {
        const packs = function* (): Generator<SitesTask> {
          for (let pack: SitePack | undefined = first; pack !== undefined;) {
            yield { ...task, pack, memoryBytes };
            pack = pack === first ? second : nextPack();
          }
        };
        crew.run(packs(), (result, { pack }) => {
          const found = result as SitesResult;
          takeSites(found, miner, spilled, (site, inSite) => this.#take(site, inSite, miner, ranked));
          if (found.end === undefined) return;
          this.#passed(pack.length.length);
          dropPack(pack);
        });
      }
      if (large === undefined) return;
      this.#mineSite(large, miner, ranked);
      large = undefined;
    }
  }

  /** Counts URLs of sites whose stages report no progress. */
  #passed(urls: number): void {
    if (this.#isAtHand) this.#limits.progress?.add(urls);
    else this.#limits.progress?.tick();
  }

  *#eachSite(miner: SiteMiner, sample?: HostSample): Generator<SiteUrls> {
    const { progress } = this.#limits;
    progress?.begin({ name: 'sorting' });
    const sites = this.#sites?.(this.#onSample) ?? this.#list.finish();
    const total = sites.urls;
    this.#isAtHand = total !== undefined;
    const begin = (done: number) =>
      progress?.begin({ name: 'going through sites', unit: 'URLs', done, ...(total !== undefined && { total }) });
    begin(0);
    for (let urls = sites.next(); urls !== undefined; urls = sites.next()) {
      const whole = this.#wholeOf(urls);
      this.summary.urls += whole;
      const part = this.#parts?.[partOfSite(urls.site, this.#parts.length) - 1];
      if (part !== undefined) part.urls += whole;
      this.#watch?.(urls);
      sample?.add(urls);
      if (urls.count < this.#options.minSiteUrls) {
        this.summary.sites.skipped++;
        if (part !== undefined) part.skipped++;
        if (this.#options.listed !== undefined) miner.list(urls);
        this.#passed(urls.count);
        continue;
      }
      this.summary.sites.mined++;
      if (part !== undefined) part.mined++;
      this.summary.largestSites.add(urls.site, whole);
      yield urls;
      if (!isSmall(urls)) begin(this.summary.urls);
    }
    if (sample === undefined) sites.close();
    else if (this.#isOnce) {
      this.#sample = sample;
      sites.close();
    } else this.#read = sites;
  }

  /** Hosts that may learn from each other, while their sites are mined. */
  #newSample(): HostSample | undefined {
    const { similarity, site } = this.#options;
    if (!similarity || site === 'all') return undefined;
    return new HostSample();
  }

  /** Has hosts learn from each other, if there are several. Their sites are read again. */
  #pool(sample: HostSample): void {
    const sites = this.#read!;
    const again = () => {
      if (sites.rewind === undefined) return this.#sites!(() => {});
      sites.rewind();
      return sites;
    };
    const { progress } = this.#limits;
    this.#pooled = poolHosts(sample, again, { progress, isPart: this.#options.isPart === true });
    this.#crowd = sample.crowd;
    sites.close();
    if (this.#watchClasses === undefined || this.classRules.length === 0) return;
    const show = this.#watchClasses(this.classRules);
    const all = again();
    for (let urls = all.next(); urls !== undefined; urls = all.next()) show(urls);
    if (all !== sites) all.close();
  }

  /** The number of URLs of a site, whether or not they are a sample. */
  #wholeOf(urls: SiteUrls): number {
    const last = this.summary.sampled.at(-1);
    return last?.site === urls.site ? last.urls : urls.count;
  }

  #siteMiner(): SiteMiner {
    return new SiteMiner(this.#options, this.#room(), this.#limits.crew);
  }

  #room(): Room {
    const { memoryBytes: allBytes, tmpdir, crew, progress } = this.#limits;
    const memoryBytes = heapShare(allBytes);
    return siteRoom({ memoryBytes, tmpdir, stats: this.summary.spilled, progress }, crew, allBytes);
  }
}

function textIn({ bytes, keyEnd, end }: Row): string {
  return decodeText(bytes, keyEnd, end);
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/**
 * Parses the rule of a row, sharing equal texts: 232,092 rules from one list had 1.4 million example URLs, of which
 * 101,000 were distinct, and a rule takes 387 bytes instead of 1,154. Changes the parsed object in place, as a copy
 * would take as long as everything else here.
 */
function ruleIn(text: string, texts: SameTexts): UnrankedRule {
  const rule = JSON.parse(text) as Writable<UnrankedRule>;
  rule.site = texts.text(rule.site);
  rule.examples = rule.examples.map((pair) => texts.pair(pair));
  if (rule.kind === 'substring') {
    rule.from = texts.text(rule.from);
    rule.to = texts.text(rule.to);
  }
  return rule;
}

function hasSize({ rows, size }: RecordBatch): boolean {
  for (let row = 0; row < rows; row++) if (size[row]! >= 0) return true;
  return false;
}
