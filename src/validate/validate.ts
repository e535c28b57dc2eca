// Are the likely rules of a site true (paper §5.3, Figures 3 and 4)?
//
// Rules are settled in rank order. Each has two attempts: a substring rule its two directions, the one that stands first
// (in a mined file the one that shrinks); a parameter rule `remove` and `set`. The second is tried only if the first fails.
// What a valid rule makes needless is dropped unfetched. A parameter that fails where it was looked for is tried again in
// narrower scopes.
//
// A rule is tried on what canonization will hand it: a URL of the list after the valid rules that stand before it. So
// `story?id=` → `story_` is not refuted by `story?id=7&utm_source=a` once it is known that utm_source says nothing. Where
// that was found out later, a refuted rule is tried once more at the end, and then stands behind the others.
import { decodeText, encodeText } from '../base/bytes.js';
import { compileRule, imageOf, type CompiledRule } from '../rule/apply.js';
import type { ParameterRule, Rule, Undecided, Verdict } from '../rule/rule.js';
import type { Document } from '../sketch/document.js';
import { pathStart } from '../url/form.js';
import { CHANGED, FOREIGN, type Judge } from './judge.js';
import { isNeedless } from './needless.js';
import { attemptsOf, imageText, MAX_SUSPECTS, type Attempt, type Samples } from './sample.js';
import { narrower } from './scope.js';
import { decide, decideAll, type Tally, type TrialOptions } from './trial.js';

export interface ValidateOptions extends TrialOptions {
  /** Fewer judged samples than this leave a rule likely. */
  readonly minSamples: number;
  /** True where START is the start of the path also in absolute URLs. */
  readonly pathOnly: boolean;
}

/** A rule with the samples of each of its attempts; none for a rule that is settled already. */
export interface PlannedRule {
  readonly rule: Rule;
  readonly attempts: readonly { readonly attempt: Attempt; readonly samples: Samples }[];
}

/** What became of a rule of the plan. */
export interface Settlement {
  /** The rule as it was. */
  readonly before: Rule;
  /** What stands in its place: nothing if it is needless; more than one if narrower scopes were found. */
  readonly after: readonly Rule[];
  readonly outcome: 'valid' | 'invalid' | 'likely' | 'needless' | 'kept';
  /** Requests that were made of the network for it. */
  readonly requests: number;
  /** True where the rule is valid behind all others of its site only. */
  readonly isLast?: boolean;
}

/** At most so many samples are tried for N that count. */
const TRIES_PER_SAMPLE = 3;
/** Pairs looked at before the first verdict, so that the template of the site is known; a few may not be pages. */
const WARM_UP_PAIRS = 42;
/** Narrower scopes tried at each step down, and in all, for one parameter. */
const MAX_STEP_SCOPES = 4;
const MAX_SCOPES = 16;

/** Settles the rules of one site, in their order; stops early if the judge says stop. A rule may be settled anew at the end. */
export async function* validateSite(
  plan: readonly PlannedRule[],
  judge: Judge,
  options: ValidateOptions,
): AsyncGenerator<Settlement> {
  const valid = new ValidRules(options.pathOnly);
  // The same pair may come up again in the terms of valid rules: once more would be one more chance to pass by luck.
  const knownFalse = new Set<string>();
  const refuted: { readonly planned: PlannedRule; readonly failures: readonly string[]; readonly known: number }[] = [];
  await warmUp(plan, judge, options);
  for (const planned of plan) {
    const { rule } = planned;
    const known = valid.count;
    let settlement: Settlement;
    const current = valid.inTheirTerms(rule);
    if (rule.status !== 'likely') settlement = { before: rule, after: [rule], outcome: 'kept', requests: 0 };
    else if (current === undefined || valid.makeNeedless(current) || knownFalse.has(pairKey(current)))
      settlement = { before: rule, after: [], outcome: 'needless', requests: 0 };
    else {
      const { failures, ...settled } = await settle(inTermsOf(planned, current), judge, valid, options);
      if (settled.outcome === 'invalid' && rule.kind === 'substring') refuted.push({ planned, failures, known });
      if (settled.outcome === 'invalid') knownFalse.add(pairKey(current));
      settlement = settled;
    }
    if (rule.status === 'invalid') knownFalse.add(pairKey(rule));
    valid.add(settlement.after);
    yield settlement;
    if (wasStopped(settlement)) return;
  }
  for (const { planned, failures, known } of refuted) {
    if (!failures.some((url) => valid.change(url, known))) continue;
    if (valid.makeNeedless(planned.rule)) continue;
    const { failures: _, ...settlement } = await settle(planned, judge, valid, options);
    if (wasStopped(settlement)) return;
    if (settlement.outcome !== 'valid') continue;
    valid.add(settlement.after);
    yield { ...settlement, isLast: true };
  }
}

/** What two rules have in common that say the same in either direction. */
function pairKey(rule: Rule): string {
  if (rule.kind === 'parameter') return JSON.stringify([rule.name, rule.scope, rule.path]);
  return JSON.stringify([rule.anchor, ...[rule.from, rule.to].sort()]);
}

/** The plan with another rule in place of its own: the samples stay, as the rule is tried on what they become. */
function inTermsOf(planned: PlannedRule, current: Rule): PlannedRule {
  if (current === planned.rule) return planned;
  const attempts = attemptsOf(current).map((attempt, at) => ({ attempt, samples: planned.attempts[at]!.samples }));
  return { rule: planned.rule, attempts };
}

/** The rules that are valid so far, in their order. */
class ValidRules {
  readonly #rules: Rule[] = [];
  readonly #compiled: CompiledRule[] = [];
  readonly #pathOnly: boolean;

  constructor(pathOnly: boolean) {
    this.#pathOnly = pathOnly;
  }

  get count(): number {
    return this.#rules.length;
  }

  add(rules: readonly Rule[]): void {
    for (const rule of rules) {
      if (rule.status !== 'valid') continue;
      this.#rules.push(rule);
      this.#compiled.push(compileRule(rule));
    }
  }

  makeNeedless(rule: Rule): boolean {
    return this.#rules.some((broad) => isNeedless(rule, broad));
  }

  /** A rule anchored at the start, as it reads after these rules; undefined where both of its sides become one. */
  inTheirTerms(rule: Rule): Rule | undefined {
    if (rule.kind !== 'substring' || (rule.anchor !== 'start' && rule.anchor !== 'both')) return rule;
    const from = this.#prefixOf(rule.from);
    const to = this.#prefixOf(rule.to);
    if (from === to) return undefined;
    return from === rule.from && to === rule.to ? rule : { ...rule, from, to };
  }

  /** What rules anchored at the start, and only these, make of the start of a URL. */
  #prefixOf(text: string): string {
    let prefix = encodeText(text);
    for (const [at, rule] of this.#rules.entries()) {
      if (rule.kind === 'substring' && rule.anchor === 'start') prefix = imageOf(this.#compiled[at]!, prefix, 0);
    }
    return decodeText(prefix);
  }

  /** One round of canonization, from the rule number `first` on. */
  formOf(url: string, first = 0): string {
    let form = encodeText(url);
    for (let at = first; at < this.#compiled.length; at++) {
      form = imageOf(this.#compiled[at]!, form, this.#pathOnly ? pathStart(form) : 0);
    }
    return decodeText(form);
  }

  change(url: string, first: number): boolean {
    return this.formOf(url, first) !== url;
  }
}

function wasStopped({ after }: Settlement): boolean {
  return after.some(({ verdict }) => verdict?.undecided === 'budget' || verdict?.undecided === 'interrupted');
}

/** Visits the first samples of the first rules in turns: pages that are needed for their verdicts anyway. */
async function warmUp(plan: readonly PlannedRule[], judge: Judge, options: ValidateOptions): Promise<void> {
  const first = plan
    .map(({ attempts }) => attempts[0])
    .filter((one) => one !== undefined && one.samples.urls.length > 0);
  const chosen = new Map<string, string>();
  const rounds = Math.max(0, ...first.map((one) => one!.samples.urls.length));
  for (let round = 0; round < rounds && chosen.size < WARM_UP_PAIRS; round += 2) {
    for (const one of first) {
      for (const url of one!.samples.urls.slice(round, round + 2)) {
        if (chosen.size < WARM_UP_PAIRS && !chosen.has(url)) {
          chosen.set(url, imageText(one!.attempt.compiled, url, options.pathOnly));
        }
      }
    }
  }
  for (const [url, image] of chosen) if ((await judge.visit(url, image)) === 'stop') return;
}

interface Outcome {
  readonly decision: 'valid' | 'invalid' | 'undecided' | 'stop';
  readonly verdict: Verdict;
  readonly judged: readonly { readonly url: string; readonly isPositive: boolean }[];
  /** Negatives whose pages are both there. */
  readonly differing: number;
  /** Forms that the rule was found to be wrong of. */
  readonly exceptions: readonly string[];
  /** True where there were samples, and the valid rules have left none of them for the rule to change. */
  readonly isIdle: boolean;
}

type Settled = Settlement & { readonly failures: readonly string[] };

async function settle(
  planned: PlannedRule,
  judge: Judge,
  valid: ValidRules,
  options: ValidateOptions,
): Promise<Settled> {
  const requestsBefore = judge.source.requests;
  const settled = await settleAttempts(planned, judge, valid, options);
  return { ...settled, requests: judge.source.requests - requestsBefore };
}

async function settleAttempts(
  planned: PlannedRule,
  judge: Judge,
  valid: ValidRules,
  options: ValidateOptions,
): Promise<Omit<Settled, 'requests'>> {
  const before = planned.rule;
  const tried: Outcome[] = [];
  for (const { attempt, samples } of planned.attempts) {
    const outcome = await tryAttempt(attempt, samples, judge, valid, options);
    // What canonization never gets to see needs no rule, and turned round it would undo the rules that took it away.
    if (outcome.isIdle && tried.length === 0) return { before, after: [], outcome: 'needless', failures: [] };
    const otherWay = tried[0] === undefined ? {} : { otherWay: tried[0].verdict };
    if (outcome.decision === 'valid') {
      const rule = { ...attempt.rule, status: 'valid', ...withExceptions(outcome), ...otherWay } as const;
      return { before, after: [rule], outcome: 'valid', failures: [] };
    }
    if (outcome.decision === 'stop') {
      return { before, after: [{ ...before, verdict: outcome.verdict, ...otherWay }], outcome: 'likely', failures: [] };
    }
    tried.push(outcome);
    if (before.kind === 'substring' && isRefutedBothWays(outcome, options)) break;
  }
  const failures = tried.flatMap(({ judged }) => judged.filter(({ isPositive }) => !isPositive).map(({ url }) => url));
  const status = tried[0]!.decision === 'invalid' ? 'invalid' : 'likely';
  const verdicts = { verdict: tried[0]!.verdict, ...(tried[1] === undefined ? {} : { otherWay: tried[1].verdict }) };
  const failed = { ...before, status, ...verdicts } as const;
  const narrow =
    failed.kind === 'parameter' && status === 'invalid'
      ? await tryNarrower(failed, planned, failures, judge, valid, options)
      : [];
  return {
    before,
    after: isUntested(before) && status === 'likely' ? [] : [failed, ...narrow],
    outcome: status,
    failures,
  };
}

/** Two pages that differ, differ whichever is mapped to the other: only a page that is missing is no reason not to turn round. */
function isRefutedBothWays({ verdict, differing }: Outcome, options: ValidateOptions): boolean {
  return decide({ positive: verdict.positive, negative: differing, foreign: 0 }, options) === false;
}

/** A parameter that nothing in the log spoke of: it was worth a fetch, and is worth nothing without a verdict. */
function isUntested(rule: Rule): boolean {
  return rule.kind === 'parameter' && rule.support.groups === 0;
}

function withExceptions({ verdict, exceptions }: Outcome): {
  readonly verdict: Verdict;
  readonly except?: readonly string[];
} {
  return exceptions.length === 0 ? { verdict } : { verdict, except: exceptions };
}

/**
 * Figure 3, and then those instances of which the list says itself that they look like different pages: a sample does not
 * find one exception among hundreds. A valid rule leaves alone what is known to be one; with very many it is not valid.
 */
async function tryAttempt(
  attempt: Attempt,
  samples: Samples,
  judge: Judge,
  valid: ValidRules,
  options: ValidateOptions,
): Promise<Outcome> {
  const trial = new Trial(judge);
  const outcome = await sampleUntilDecided(trial, attempt, samples, judge, valid, options);
  if (outcome.decision !== 'valid') return outcome;
  const known = outcome.verdict.positive + outcome.verdict.negative;
  for (const url of samples.suspects) {
    const form = valid.formOf(url);
    const image = imageText(attempt.compiled, form, options.pathOnly);
    if (image === form || trial.hasJudged(form)) continue;
    const judgement = await judge.judge(form, image);
    if (judgement.kind === 'stop') return trial.outcome('stop', judgement.reason);
    if (judgement.kind === 'negative') trial.add(url, form, image, judgement);
  }
  const { exceptions } = trial.outcome('valid');
  const isTooMany = exceptions.length > MAX_SUSPECTS / 2 && exceptions.length > options.epsilon * known;
  return isTooMany ? trial.outcome('invalid') : { ...outcome, exceptions };
}

/** Samples until the trial decides, or there are no more. */
async function sampleUntilDecided(
  trial: Trial,
  attempt: Attempt,
  { urls, isExhaustive }: Samples,
  judge: Judge,
  valid: ValidRules,
  options: ValidateOptions,
): Promise<Outcome> {
  const tries = urls.slice(0, TRIES_PER_SAMPLE * options.N);
  let forms = 0;
  for (const url of tries) {
    const form = valid.formOf(url);
    const image = imageText(attempt.compiled, form, options.pathOnly);
    if (image === form || trial.hasJudged(form)) continue;
    forms++;
    const judgement = await judge.judge(form, image);
    if (judgement.kind === 'stop') return trial.outcome('stop', judgement.reason);
    trial.add(url, form, image, judgement);
    let decision = decide(trial, options);
    if (decision === undefined) continue;
    if (trial.dropSoftErrors()) decision = decide(trial, options);
    if (decision !== undefined) return trial.outcome(decision ? 'valid' : 'invalid');
  }
  if (forms === 0 && tries.length > 0) return { ...trial.outcome('undecided', 'few-samples'), isIdle: true };
  trial.dropSoftErrors();
  if (trial.positive + trial.negative < options.minSamples) return trial.outcome('undecided', 'few-samples');
  if (!isExhaustive || tries.length < urls.length) return trial.outcome('undecided', 'no-decision');
  return trial.outcome(decideAll(trial, options.epsilon) ? 'valid' : 'invalid');
}

type Counted = Exclude<Awaited<ReturnType<Judge['judge']>>, { kind: 'stop' }>;

/** The samples of one attempt as they are judged. */
class Trial implements Tally {
  readonly #judge: Judge;
  #positives: { readonly url: string; readonly form: string; readonly image: string; readonly document: Document }[] =
    [];
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

  /** `form` is what the valid rules made of `url` of the list. */
  add(url: string, form: string, image: string, judgement: Counted): void {
    this.#forms.add(form);
    if (judgement.kind === 'positive') this.#positives.push({ url, form, image, document: judgement.document });
    else if (judgement.kind === 'negative') this.#negatives.push({ url, said: [form, image, judgement.reason] });
    else this.#countUnjudged(judgement.reason, 1);
  }

  /** A page may turn out to be a soft error after it counted. True if any did. */
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
    const differing = this.#negatives.filter(({ said: [, , why] }) => why === FOREIGN || why === CHANGED).length;
    return { decision, verdict, judged, differing, exceptions, isIdle: false };
  }

  #countUnjudged(reason: string, count: number): void {
    this.#unjudged[reason] = (this.#unjudged[reason] ?? 0) + count;
  }
}

/** Down the ladder: scopes in which no sample has failed yet, those with the most URLs first. */
async function tryNarrower(
  rule: ParameterRule,
  planned: PlannedRule,
  failed: readonly string[],
  judge: Judge,
  valid: ValidRules,
  options: ValidateOptions,
): Promise<Rule[]> {
  const found: Rule[] = [];
  const failures = new Set(failed);
  const pending = steps(rule, allUrls(planned));
  let scopes = 0;
  for (let next = pending.shift(); next !== undefined && scopes < MAX_SCOPES; next = pending.shift()) {
    const { scope, urls } = next;
    const scoped: ParameterRule = { ...rule, ...scope, status: 'likely' };
    // Where samples failed already there is nothing to ask: go further down, where this is possible.
    const hasFailed = urls.some((url) => failures.has(url));
    if (!hasFailed) {
      scopes++;
      const settled = await settleScope(scoped, planned, judge, valid, options);
      if (settled.stop) break;
      if (settled.rule !== undefined) {
        found.push(settled.rule);
        continue;
      }
      for (const url of settled.failures) failures.add(url);
    }
    pending.push(...steps(scoped, urls));
  }
  return found;
}

function allUrls({ attempts }: PlannedRule): string[] {
  return [...new Set(attempts.flatMap(({ samples }) => samples.urls))];
}

function steps(rule: ParameterRule, urls: readonly string[]): ReturnType<typeof narrower> {
  return narrower(rule, urls)
    .filter((step) => step.urls.length >= 3)
    .slice(0, MAX_STEP_SCOPES);
}

async function settleScope(
  rule: ParameterRule,
  { attempts }: PlannedRule,
  judge: Judge,
  valid: ValidRules,
  options: ValidateOptions,
): Promise<{ readonly rule?: Rule; readonly stop: boolean; readonly failures: readonly string[] }> {
  const failures: string[] = [];
  for (const attempt of attemptsOf(rule)) {
    const wide = attempts.find(
      (one) => (one.attempt.rule as ParameterRule).action === (attempt.rule as ParameterRule).action,
    );
    if (wide === undefined) continue;
    const urls = wide.samples.urls.filter((url) => imageText(attempt.compiled, url, options.pathOnly) !== url);
    const outcome = await tryAttempt(attempt, { ...wide.samples, urls }, judge, valid, options);
    if (outcome.decision === 'stop') return { stop: true, failures };
    if (outcome.decision === 'valid') {
      return { rule: { ...attempt.rule, status: 'valid', ...withExceptions(outcome) }, stop: false, failures };
    }
    failures.push(...outcome.judged.filter(({ isPositive }) => !isPositive).map(({ url }) => url));
  }
  return { stop: false, failures };
}
