// Which samples are to be fetched for the rules of one site? Drawn while the URL list of the site is in memory; fetched
// later.
import { decodeText, encodeText } from '../base/bytes.js';
import { sayingKey, type RuleSaying } from '../rule/identity.js';
import type { Rule } from '../rule/rule.js';
import { isOpen } from '../rule/standing.js';
import { findRow } from '../table/find-row.js';
import type { SiteUrls } from '../table/site-urls.js';
import { listToAsk, MAX_URLS, type AskList } from './ask/list.js';
import { listInMemory, type SiteList, type SiteLists, type Sketches } from './site-lists.js';
import { attemptsOf, drawSamples, imageText, type Attempt, type Samples } from './sample.js';

export interface PlanOptions {
  readonly seed: number;
  /** The most samples tried for one attempt. */
  readonly tries: number;
  readonly pathOnly: boolean;
  /** Without questions: also stores the sketches of samples and images, for a validation without any page. */
  readonly withSketches: boolean;
  /** Samples URLs of the site for questions, instead of drawing samples for each rule. */
  readonly forAsking: boolean;
  /** The most URLs of a site that are asked about; of a larger site a sample is. */
  readonly mostUrls?: number;
  /** How many more URLs, over all sites, may be kept for questions; counted down. */
  readonly room?: { urls: number };
  /** Keeps the lists of questions with their sketches: pages are judged by them. */
  readonly lists?: SiteLists | undefined;
  /** How a stranger would write a URL (permission/stranger); as it is if not given. */
  readonly asStranger?: (url: string) => string;
}

/** Some 300 MB with their forms. Later sites are not asked: no run has requests for so many. */
export const MAX_URLS_OF_ALL = 400_000;

/** A rule with the samples of each of its attempts; no attempts for a rule that is settled or vetoed already. */
export interface PlannedRule {
  readonly rule: Rule;
  readonly attempts: readonly { readonly attempt: Attempt; readonly samples: Samples }[];
}

export interface SitePlan {
  readonly site: string;
  readonly rules: readonly PlannedRule[];
  /** Of samples and images; undefined unless requested. */
  readonly sketches: Sketches | undefined;
  /** A sample if the site is large (`ask/list`); undefined unless requested. */
  readonly list: SiteList | undefined;
}

const NOTHING = { urls: [], isExhaustive: true } as const;

/** `rules` of the site in rank order. */
function planSite(urls: SiteUrls, rules: readonly Rule[], options: PlanOptions): SitePlan {
  const { site } = urls;
  if (options.forAsking) return { site, rules: [], sketches: undefined, list: listOf(urls, options) };
  const attempts = rules.map((rule) => (isOpen(rule) ? attemptsOf(rule) : []));
  const drawing = { seed: options.seed, count: options.tries, pathOnly: options.pathOnly };
  const drawn = drawSamples(urls, attempts.flat(), drawing);
  let next = 0;
  const planned = rules.map((rule, at) => ({
    rule,
    attempts: attempts[at]!.map((attempt) => ({
      attempt,
      samples: samplesOfStranger(drawn[next++] ?? NOTHING, options.asStranger),
    })),
  }));
  const sketches = options.withSketches ? sketchesOf(planned, urls, options.pathOnly) : undefined;
  return { site, rules: planned, sketches, list: undefined };
}

function listOf(urls: SiteUrls, { mostUrls = MAX_URLS, room, lists, asStranger }: PlanOptions): SiteList {
  const list = ofStranger(listToAsk(urls, Math.min(mostUrls, room?.urls ?? Infinity)), asStranger);
  if (room !== undefined) room.urls -= list.urls.length;
  if (lists === undefined) return listInMemory(list, urls.count);
  return lists.add(list, sketchesOfUrls(list.urls, urls), urls.count);
}

type AsStranger = PlanOptions['asStranger'];

function ofStranger(list: AskList, asStranger: AsStranger): AskList {
  if (asStranger === undefined) return list;
  return { ...list, urls: list.urls.map(asStranger), redirected: list.redirected.map(asStranger) };
}

function samplesOfStranger(samples: Samples, asStranger: AsStranger): Samples {
  if (asStranger === undefined) return samples;
  return { ...samples, urls: samples.urls.map(asStranger) };
}

function sketchesOfUrls(list: readonly string[], urls: SiteUrls): Map<string, string> {
  const sketches = new Map<string, string>();
  for (const url of list) noteSketch(url, urls, sketches);
  return sketches;
}

function noteSketch(url: string, urls: SiteUrls, sketches: Map<string, string>): void {
  const sketch = sketches.has(url) ? undefined : sketchOf(url, urls);
  if (sketch !== undefined) sketches.set(url, sketch);
}

/** What the list says about the page of a URL of the site, as text of `base/bytes`. */
export function sketchOf(url: string, urls: SiteUrls): string | undefined {
  const row = findRow(urls, encodeText(url));
  if (row < 0) return undefined;
  const at = urls.at(row);
  const end = urls.sketchEndAt(at);
  const length = urls.sketchLengthAt(at);
  return length > 0 ? decodeText(urls.bytes, end - length, end) : undefined;
}

function sketchesOf(planned: readonly PlannedRule[], urls: SiteUrls, pathOnly: boolean): Map<string, string> {
  const sketches = new Map<string, string>();
  const note = (url: string) => noteSketch(url, urls, sketches);
  const noteBoth = ({ compiled }: Attempt, url: string) => {
    note(url);
    note(imageText(compiled, url, pathOnly));
  };
  for (const { attempts } of planned) {
    for (const { attempt, samples } of attempts) for (const url of samples.urls) noteBoth(attempt, url);
  }
  return sketches;
}

interface PlannedSite {
  /** By what a rule says; empty for questions, which draw samples of their own. */
  readonly drawn: ReadonlyMap<string, PlannedRule>;
  readonly sketches: SitePlan['sketches'];
  readonly list: SitePlan['list'];
}

/** Plans before rules have a rank: samples are drawn, or lists are kept, while the URLs of a site are in memory. */
export class Planner {
  readonly #options: PlanOptions;
  readonly #sites = new Map<string, PlannedSite>();

  constructor(options: PlanOptions) {
    this.#options = options;
  }

  draw(urls: SiteUrls, rules: readonly RuleSaying[]): void {
    const ranked = this.#options.forAsking ? [] : rules.map((rule): Rule => ({ rank: 0, ...rule }));
    const plan = planSite(urls, ranked, this.#options);
    const drawn = new Map(plan.rules.map((planned) => [sayingKey(planned.rule), planned]));
    this.#sites.set(urls.site, { drawn, sketches: plan.sketches, list: plan.list });
  }

  /** For a site whose URLs are elsewhere. */
  know(site: string, list: SiteList): void {
    this.#sites.set(site, { drawn: new Map(), sketches: undefined, list });
  }

  /**
   * The plans of all sites, for rules in rank order: first the sites of these rules, by their best one. Samples are
   * matched by what a rule says.
   */
  plans(rules: readonly Rule[]): SitePlan[] {
    const bySite = new Map<string, PlannedRule[]>();
    for (const rule of rules) {
      const list = bySite.get(rule.site) ?? [];
      list.push({ rule, attempts: this.#attempts(rule) });
      bySite.set(rule.site, list);
    }
    // There may be questions about a site without a likely rule.
    for (const [site, known] of this.#sites) if (known.list !== undefined && !bySite.has(site)) bySite.set(site, []);
    return Array.from(bySite, ([site, list]) => {
      const known = this.#sites.get(site);
      return { site, rules: list, sketches: known?.sketches, list: known?.list };
    });
  }

  #attempts(rule: Rule): PlannedRule['attempts'] {
    if (this.#options.forAsking) return [];
    return this.#sites.get(rule.site)?.drawn.get(sayingKey(rule))?.attempts ?? withoutSamples(rule);
  }
}

/** For a rule of a site that the log does not have: there are no samples. */
function withoutSamples(rule: Rule): PlannedRule['attempts'] {
  return isOpen(rule) ? attemptsOf(rule).map((attempt) => ({ attempt, samples: NOTHING })) : [];
}
