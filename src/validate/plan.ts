// Which samples are to be fetched for the rules of one site? Drawn while the URL list of the site is in memory; fetched
// later.
import { decodeText, encodeText } from '../base/bytes.js';
import { sayingKey, type RuleSaying } from '../rule/identity.js';
import type { Rule } from '../rule/rule.js';
import { isOpen } from '../rule/standing.js';
import { findRow } from '../table/find-row.js';
import type { SiteUrls } from '../table/site-urls.js';
import { listToAsk, MAX_URLS, type AskList } from './ask/list.js';
import { attemptsOf, drawSamples, imageText, type Attempt, type Samples } from './sample.js';

export interface PlanOptions {
  readonly seed: number;
  /** The most samples tried for one attempt. */
  readonly tries: number;
  readonly pathOnly: boolean;
  /** Also stores the sketches that the list has for samples and images, for a validation without any page. */
  readonly withSketches: boolean;
  /** Samples URLs of the site for questions, instead of drawing samples for each rule. */
  readonly forAsking: boolean;
  /** How many more URLs, over all sites, may be kept for questions; counted down. */
  readonly room?: { urls: number };
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
  /** By URL, as text of `base/bytes`; undefined unless requested. */
  readonly sketches: ReadonlyMap<string, string> | undefined;
  /** A sample if the site is large (`ask/list`); undefined unless requested. */
  readonly list: AskList | undefined;
}

const NO_URLS: AskList = { urls: [], redirected: [], hits: [] };
const NOTHING = { urls: [], isExhaustive: true } as const;

/** `rules` of the site in rank order; `urls` is undefined if the list has none of the site. */
export function planSite(
  site: string,
  urls: SiteUrls | undefined,
  rules: readonly Rule[],
  options: PlanOptions,
): SitePlan {
  if (options.forAsking) {
    const { room } = options;
    const most = Math.min(MAX_URLS, room?.urls ?? MAX_URLS);
    const list = urls === undefined ? NO_URLS : ofStranger(listToAsk(urls, most), options.asStranger);
    if (room !== undefined) room.urls -= list.urls.length;
    const planned = rules.map((rule) => ({ rule, attempts: [] }));
    const sketches = options.withSketches && urls !== undefined ? sketchesOfUrls(list.urls, urls) : undefined;
    return { site, rules: planned, sketches, list };
  }
  const attempts = rules.map((rule) => (isOpen(rule) ? attemptsOf(rule) : []));
  const drawing = { seed: options.seed, count: options.tries, pathOnly: options.pathOnly };
  const drawn = urls === undefined ? [] : drawSamples(urls, attempts.flat(), drawing);
  let next = 0;
  const planned = rules.map((rule, at) => ({
    rule,
    attempts: attempts[at]!.map((attempt) => ({
      attempt,
      samples: samplesOfStranger(drawn[next++] ?? NOTHING, options.asStranger),
    })),
  }));
  const isWanted = options.withSketches && urls !== undefined;
  const sketches = isWanted ? sketchesOf(planned, urls, options.pathOnly) : undefined;
  return { site, rules: planned, sketches, list: undefined };
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

/** Plans while rules are mined, before they have a rank: samples are drawn when the URLs of a site are in memory. */
export class Planner {
  readonly #options: PlanOptions;
  readonly #sites = new Map<
    string,
    {
      readonly drawn: Map<string, PlannedRule>;
      readonly sketches: SitePlan['sketches'];
      readonly list: SitePlan['list'];
    }
  >();

  constructor(options: PlanOptions) {
    this.#options = options;
  }

  draw(urls: SiteUrls, rules: readonly RuleSaying[]): void {
    const ranked = rules.map((rule): Rule => ({ rank: 0, ...rule }));
    const plan = planSite(urls.site, urls, ranked, this.#options);
    const drawn = new Map(plan.rules.map((planned) => [sayingKey(planned.rule), planned]));
    this.#sites.set(urls.site, { drawn, sketches: plan.sketches, list: plan.list });
  }

  /** The plans of all sites, for rules in rank order; samples are matched by what a rule says. */
  plans(rules: readonly Rule[]): SitePlan[] {
    const bySite = new Map<string, PlannedRule[]>();
    for (const rule of rules) {
      const planned = this.#sites.get(rule.site)?.drawn.get(sayingKey(rule));
      const list = bySite.get(rule.site) ?? [];
      list.push({ rule, attempts: planned?.attempts ?? withoutSamples(rule) });
      bySite.set(rule.site, list);
    }
    // There may be questions about a site without a likely rule.
    for (const [site, known] of this.#sites) if (known.list !== undefined && !bySite.has(site)) bySite.set(site, []);
    return Array.from(bySite, ([site, list]) => {
      const known = this.#sites.get(site);
      return { site, rules: list, sketches: known?.sketches, list: known?.list };
    });
  }
}

/** For a rule that was not mined, on a site that the log does not have: there are no samples. */
function withoutSamples(rule: Rule): PlannedRule['attempts'] {
  return isOpen(rule) ? attemptsOf(rule).map((attempt) => ({ attempt, samples: NOTHING })) : [];
}
