// How many samples does a validation need (Figure 6 of the paper)? Figures 3 and 4 with N of 1 to 100 on the same draw, and
// which share of the rules valid with N samples is valid with 100:
//
//   N           1    2    …   10   15   …   100
//   valid       41   40       38   38       37        rules of the file that the run finds valid, either way round
//   and at 100  36   36       36   37       37        precision: 36/41 …; found: 36/37 …
//
// A smaller N takes the first of the same samples, so each run is the one of `validate --stop fixed --N`.
import type { Rule } from '../../rule/rule.js';
import type { Document } from '../../sketch/document.js';
import { documentOfSketch } from '../../sketch/page.js';
import { createLogSource } from '../logged.js';
import type { SitePlan } from '../plan.js';
import { imageText } from '../sample.js';
import type { PageSource } from '../source.js';
import { validateRules } from './figure-4.js';

export interface SamplesAt {
  readonly N: number;
  /** Rules that are valid with N samples, and those of them that are also valid with the most samples. */
  readonly valid: number;
  readonly confirmed: number;
  /** confirmed / valid; null if none is valid. */
  readonly precision: number | null;
  /** confirmed / rules valid with the most samples; null if there are none. */
  readonly found: number | null;
}

export interface SampleSweep {
  readonly seed: number;
  readonly epsilon: number;
  /** Rules that were tried: all except vetoed ones. */
  readonly rules: number;
  /** Ascending by N; the last entry has the N of the sweep. */
  readonly at: readonly SamplesAt[];
}

export interface SweepOptions {
  readonly N: number;
  readonly epsilon: number;
  readonly minSamples: number;
  readonly seed: number;
  readonly pathOnly: boolean;
  readonly base: string;
  /** Finds the site that the rules of a site may lead to, as in a validation. */
  readonly siteAsked: (site: string) => (url: string) => string;
  readonly onRun?: () => Promise<void>;
}

/** 1 … 10, then every fifth number, and `most`. */
export function numbersOfSamples(most: number): number[] {
  const numbers = [];
  for (let N = 1; N < most; N += N < 10 ? 1 : 5) numbers.push(N);
  return [...numbers, most];
}

/** The rule without its verdict. */
export function withoutVerdict(rule: Rule): Rule {
  const { verdict: _, otherWay: _other, except: _except, ...untried } = rule;
  return { ...untried, status: 'likely' };
}

/** Expects plans with samples for the N of the options. */
export async function sweepSamples(
  plans: readonly SitePlan[],
  source: PageSource,
  options: SweepOptions,
): Promise<SampleSweep> {
  const { N: most, seed, epsilon } = options;
  const runs = [];
  for (const N of numbersOfSamples(most)) {
    runs.push({ N, valid: await validWith(N, plans, source, options) });
    await options.onRun?.();
  }
  const last = runs.at(-1)!.valid;
  const at = runs.map(({ N, valid }): SamplesAt => {
    const confirmed = [...valid].filter((rule) => last.has(rule)).length;
    const share = (of: number) => (of === 0 ? null : confirmed / of);
    return { N, valid: valid.size, confirmed, precision: share(valid.size), found: share(last.size) };
  });
  const rules = plans.flatMap((plan) => plan.rules).filter(({ attempts }) => attempts.length > 0).length;
  return { seed, epsilon, rules, at };
}

async function validWith(
  N: number,
  plans: readonly SitePlan[],
  source: PageSource,
  { epsilon, minSamples, pathOnly, base, siteAsked }: SweepOptions,
): Promise<ReadonlySet<Rule>> {
  const valid = new Set<Rule>();
  const { signal } = new AbortController();
  for (const plan of plans) {
    const options = { N, epsilon, minSamples, pathOnly, source, siteOf: siteAsked(plan.site), base, signal };
    for await (const { before, outcome } of validateRules(plan.rules, options)) {
      if (outcome === 'valid') valid.add(before);
    }
  }
  return valid;
}

/** The URLs that the runs may request: samples and their images, as text of `base/bytes`. */
export function urlsOfPlans(plans: readonly SitePlan[], pathOnly: boolean): Set<string> {
  const urls = new Set<string>();
  for (const { attempt, samples } of plans.flatMap(({ rules }) => rules.flatMap(({ attempts }) => attempts))) {
    for (const url of samples.urls) urls.add(url).add(imageText(attempt.compiled, url, pathOnly));
  }
  return urls;
}

/**
 * A source of pages that compares the labels of a list. Each label is parsed once, as every run requests the same URLs.
 */
export function createLabelSource(labelOf: (url: string) => string | undefined): PageSource {
  const documents = new Map<string, Document | undefined>();
  return createLogSource(labelOf, (label) => {
    if (documents.has(label)) return documents.get(label);
    const document = documentOfSketch(label);
    documents.set(label, document);
    return document;
  });
}
