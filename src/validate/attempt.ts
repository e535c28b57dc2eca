// Does a rule hold in one direction, or with one action (paper Figure 3)?
import { supportOf } from '../rule/diff.js';
import { isGrowth, isInsertion } from '../rule/standing.js';
import type { Rule, Undecided, Verdict } from '../rule/rule.js';
import type { Document } from '../sketch/document.js';
import type { SiteFacts } from './facts.js';
import { CHANGED, FOREIGN, OTHER_TYPE, type Judge, type Judgement } from './judge.js';
import { imageText, MAX_SUSPECTS, type Attempt, type Samples } from './sample.js';
import { heeding, siteWordOf, type SiteWord } from './site-word.js';
import { interleaved } from './strata.js';
import { decide, decideAll, type LogEvidence, type Tally, type TrialOptions } from './trial.js';

export interface ValidateOptions extends TrialOptions {
  /** With fewer judged samples the rule stays likely. */
  readonly minSamples: number;
  /** True if START is the start of the path also in absolute URLs. */
  readonly pathOnly: boolean;
}

/** Samples tried, at most, as a multiple of N. */
const TRIES_PER_SAMPLE = 3;

/** Why two pages that exist are a negative. */
const DIFFERING: ReadonlySet<string> = new Set([FOREIGN, CHANGED, OTHER_TYPE]);

/** A negative is a surprise if there are so many positives for each negative. */
const SURPRISE = 5;

export interface Outcome {
  readonly decision: 'valid' | 'invalid' | 'undecided' | 'stop';
  readonly verdict: Verdict;
  readonly judged: readonly { readonly url: string; readonly isPositive: boolean }[];
  /** Negatives for which both pages exist. */
  readonly differing: number;
  /** Forms for which the rule was found to be wrong. */
  readonly exceptions: readonly string[];
  /** True if there were samples, but the valid rules leave none that the rule would change. */
  readonly isIdle: boolean;
  /** How the site itself calls for the images, of all samples that speak for the rule. */
  readonly word: SiteWord | undefined;
}

/** The rule as it goes into the file after a successful attempt. */
export function validRule(attempt: Attempt, { verdict, exceptions, word }: Outcome): Rule {
  const except = exceptions.length === 0 ? {} : { except: exceptions };
  const said = word !== undefined && isInsertion(attempt.rule) ? { word } : {};
  return { ...attempt.rule, status: 'valid', verdict, ...except, ...said };
}

/**
 * Figure 3, and then the instances that look like different pages in the list itself: a sample does not find one
 * exception among hundreds. A valid rule gets the known ones as exceptions; a rule with very many is not valid.
 * `--stop fixed` is Figure 3 only.
 */
export async function tryAttempt(
  attempt: Attempt,
  samples: Samples,
  judge: Judge,
  facts: SiteFacts,
  options: ValidateOptions,
): Promise<Outcome> {
  const trial = new Trial(judge);
  const outcome = await sampleUntilDecided(trial, attempt, samples, judge, facts, options);
  if (outcome.decision !== 'valid' || options.stop === 'fixed') return outcome;
  const known = outcome.verdict.positive + outcome.verdict.negative;
  const isGrown = isGrowth(attempt.rule);
  for (const url of samples.suspects) {
    const form = facts.formOf(url);
    const image = imageText(attempt.compiled, form, options.pathOnly);
    if (image === form || trial.hasJudged(form)) continue;
    const judgement = await judgeSample(trial, judge, form, image, isGrown, options);
    if (judgement.kind === 'stop') return trial.outcome('stop', judgement.reason);
    if (judgement.kind === 'negative') trial.add(url, form, image, judgement);
  }
  const { exceptions } = trial.outcome('valid');
  const isTooMany = exceptions.length > MAX_SUSPECTS / 2 && exceptions.length > options.epsilon * known;
  return isTooMany ? trial.outcome('invalid') : { ...outcome, exceptions };
}

/** Samples until the trial decides, or the samples run out. */
async function sampleUntilDecided(
  trial: Trial,
  attempt: Attempt,
  { urls, isExhaustive }: Samples,
  judge: Judge,
  facts: SiteFacts,
  options: ValidateOptions,
): Promise<Outcome> {
  const drawn = urls.slice(0, TRIES_PER_SAMPLE * options.N);
  const tries = options.stop === 'fixed' ? drawn : interleaved(drawn);
  for (const [form, image] of options.stop === 'fixed' ? [] : facts.foreignPairs) {
    if (imageText(attempt.compiled, form, options.pathOnly) !== image || facts.formOf(form) !== form) continue;
    trial.add(form, form, image, { kind: 'negative', reason: FOREIGN });
    if (decide(trial, options) === false) return trial.outcome('invalid');
  }
  const evidence = evidenceOf(attempt.rule, drawn.length);
  const isGrown = isGrowth(attempt.rule);
  let forms = 0;
  for (const url of tries) {
    const form = facts.formOf(url);
    const image = imageText(attempt.compiled, form, options.pathOnly);
    if (image === form || trial.hasJudged(form)) continue;
    forms++;
    const judgement = await judgeSample(trial, judge, form, image, isGrown, options);
    if (judgement.kind === 'stop') return trial.outcome('stop', judgement.reason);
    trial.add(url, form, image, judgement);
    if (judgement.kind === 'negative' && judgement.reason === FOREIGN) facts.addForeign(form, image);
    let decision = decide(trial, options, evidence);
    if (decision === undefined) continue;
    if (trial.dropSoftErrors()) decision = decide(trial, options, evidence);
    if (decision !== undefined) return trial.outcome(decision ? 'valid' : 'invalid');
  }
  if (forms === 0 && tries.length > 0) return { ...trial.outcome('undecided', 'few-samples'), isIdle: true };
  trial.dropSoftErrors();
  if (trial.positive + trial.negative < options.minSamples) return trial.outcome('undecided', 'few-samples');
  if (!isExhaustive || tries.length < urls.length) return trial.outcome('undecided', 'no-decision');
  return trial.outcome(decideAll(trial, options.epsilon) ? 'valid' : 'invalid');
}

/** Thin if the log has an instance for less than a quarter of the URLs that the rule changes. */
function evidenceOf(rule: Rule, changed: number): LogEvidence {
  return 4 * supportOf(rule) < changed ? 'thin' : 'plenty';
}

/**
 * Figure 3, lines 7 to 12. A surprising negative is checked by fetching the page itself again: a page that differs with
 * each request says nothing about a rule, and a site with a few of them would have no valid rule for its hosts.
 */
async function judgeSample(
  trial: Trial,
  judge: Judge,
  form: string,
  image: string,
  isGrown: boolean,
  { stop }: ValidateOptions,
): Promise<Judgement> {
  const found = await judge.judge(form, image);
  // The paper's own validation compares pages, whatever their addresses.
  const judgement = stop === 'fixed' ? found : heeding(found, judge.absolute(form), judge.absolute(image), isGrown);
  if (judgement.kind !== 'negative' || judgement.reason !== FOREIGN || stop === 'fixed') return judgement;
  const isSurprise = trial.positive >= SURPRISE * (trial.foreign + 1);
  return isSurprise && (await judge.isUnsteady(form)) ? { kind: 'unjudged', reason: 'unsteady' } : judgement;
}

type Counted = Exclude<Awaited<ReturnType<Judge['judge']>>, { kind: 'stop' }>;

interface Positive {
  readonly url: string;
  readonly form: string;
  readonly image: string;
  readonly document: Document;
  readonly word: SiteWord | undefined;
}

/** The judged samples of one attempt. */
class Trial implements Tally {
  readonly #judge: Judge;
  #positives: Positive[] = [];
  readonly #negatives: { readonly url: string; readonly said: readonly [string, string, string] }[] = [];
  readonly #unjudged: Record<string, number> = {};
  readonly #forms = new Set<string>();

  constructor(judge: Judge) {
    this.#judge = judge;
  }

  get positive(): number {
    return this.#positives.length;
  }

  get negative(): number {
    return this.#negatives.length;
  }

  get foreign(): number {
    return this.#negatives.filter(({ said: [, , why] }) => why === FOREIGN).length;
  }

  hasJudged(form: string): boolean {
    return this.#forms.has(form);
  }

  /** `form` is `url` of the list after the valid rules. */
  add(url: string, form: string, image: string, judgement: Counted): void {
    this.#forms.add(form);
    if (judgement.kind === 'positive') {
      const word = siteWordOf(judgement.u, this.#judge.absolute(image));
      this.#positives.push({ url, form, image, document: judgement.document, word });
    } else if (judgement.kind === 'negative') this.#negatives.push({ url, said: [form, image, judgement.reason] });
    else this.#countUnjudged(judgement.reason, 1);
  }

  /** Removes pages that have proved to be soft errors since they were counted. True if there were any. */
  dropSoftErrors(): boolean {
    const kept = this.#positives.filter(({ document }) => !this.#judge.isSoft(document));
    const dropped = this.#positives.length - kept.length;
    if (dropped > 0) this.#countUnjudged('soft-error', dropped);
    this.#positives = kept;
    return dropped > 0;
  }

  outcome(decision: Outcome['decision'], undecided?: Undecided): Outcome {
    const verdict: Verdict = {
      source: this.#judge.source.name,
      positive: this.positive,
      negative: this.negative,
      unjudged: { ...this.#unjudged },
      ...(undecided === undefined ? {} : { undecided }),
      positives: this.#positives.slice(0, 3).map(({ form, image }) => [form, image] as const),
      negatives: this.#negatives.slice(0, 3).map(({ said }) => said),
    };
    const judged = [
      ...this.#positives.map(({ url }) => ({ url, isPositive: true })),
      ...this.#negatives.map(({ url }) => ({ url, isPositive: false })),
    ];
    const exceptions = this.#negatives.map(({ said: [form] }) => form);
    const differing = this.#negatives.filter(({ said: [, , why] }) => DIFFERING.has(why)).length;
    return { decision, verdict, judged, differing, exceptions, isIdle: false, word: this.#word() };
  }

  #word(): SiteWord | undefined {
    const words = this.#positives.map(({ word }) => word);
    if (words.includes(undefined)) return undefined;
    return words.includes('redirect') ? 'redirect' : words[0];
  }

  #countUnjudged(reason: string, count: number): void {
    this.#unjudged[reason] = (this.#unjudged[reason] ?? 0) + count;
  }
}
