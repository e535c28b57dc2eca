// Are the likely rules of a site true (paper §5.3, Figures 3 and 4)?
//
// Rules are settled in rank order. Each has two attempts: a substring rule its two directions, its own first (in a
// mined file the one that shrinks); a parameter rule `remove` and `set`. The second is tried only if the first fails.
// Rules that a valid rule makes needless are dropped without a fetch. A parameter that fails in its scope is tried
// again in narrower ones.
//
// A rule is tried on what canonization will apply it to: a URL of the list after the valid rules that precede it. So
// `story?id=` → `story_` is not refuted by `story?id=7&utm_source=a` once utm_source is known to be irrelevant. If that
// was found out later, a refuted rule is tried once more at the end, and then comes after the others.
import { greatest } from '../base/numbers.js';
import { sayingKey, subjectKey } from '../rule/identity.js';
import type { Rule } from '../rule/rule.js';
import { isKey, isKeyByHits, isOpen } from '../rule/standing.js';
import { tryAttempt, validRule, type Outcome, type ValidateOptions } from './attempt.js';
import { SiteFacts } from './facts.js';
import { FOREIGN, type Judge } from './judge.js';
import { orStillKey, stillKey } from './key.js';
import { tryNarrower } from './narrow.js';
import type { PlannedRule } from './plan.js';
import { attemptsOf, imageText } from './sample.js';
import { decide } from './trial.js';

/** What became of a rule of the plan. */
export interface Settlement {
  /** The rule as it was. */
  readonly before: Rule;
  /** What replaces it: nothing if it is needless; more than one rule if narrower scopes were found. */
  readonly after: readonly Rule[];
  /** `key`: it does not write URLs, but is a key as before. */
  readonly outcome: 'valid' | 'invalid' | 'likely' | 'key' | 'needless' | 'kept' | 'unasked';
  /** Requests made for it. */
  readonly requests: number;
  /** True if the rule is valid only after all others of its site. */
  readonly isLast?: boolean;
}

/** Pairs fetched before the first verdict, so that the template of the site is known; a few may not be pages. */
const WARM_UP_PAIRS = 42;

/**
 * Settles the rules of one site, in their order; stops early if the judge says stop. A rule may be settled anew at the
 * end.
 */
export async function* validateSite(
  plan: readonly PlannedRule[],
  judge: Judge,
  options: ValidateOptions,
): AsyncGenerator<Settlement> {
  const facts = new SiteFacts(options.pathOnly);
  // After valid rules, the same pair may come up again: a second trial would be another chance to pass by luck.
  const knownFalse = new Set<string>();
  const refuted: { readonly planned: PlannedRule; readonly failures: readonly string[]; readonly known: number }[] = [];
  const requestsBefore = judge.source.requests;
  await warmUp(plan, judge, options);
  // Requests of the warm-up: charged to the first rule that needs any.
  let warmUpRequests = judge.source.requests - requestsBefore;
  for (const planned of plan) {
    const { rule } = planned;
    const known = facts.count;
    let settlement: Settlement;
    const current = facts.inTheirTerms(rule);
    if (!isOpen(rule)) settlement = { before: rule, after: [rule], outcome: 'kept', requests: 0 };
    else if (current === undefined || facts.makeNeedless(current) || knownFalse.has(refutedKey(current)))
      settlement = { before: rule, after: [], outcome: 'needless', requests: 0 };
    else {
      const { failures, ...settled } = await settle(inTermsOf(planned, current), judge, facts, options);
      if (settled.outcome === 'invalid' && rule.kind === 'substring') refuted.push({ planned, failures, known });
      if (settled.outcome === 'invalid') knownFalse.add(refutedKey(current));
      settlement = settled;
      if (settled.outcome !== 'needless') {
        settlement = { ...settled, requests: settled.requests + warmUpRequests };
        warmUpRequests = 0;
      }
    }
    if (rule.status === 'invalid') knownFalse.add(refutedKey(rule));
    for (const [u, v, why] of rule.verdict?.negatives ?? []) if (why === FOREIGN) facts.addForeign(u, v);
    facts.add(settlement.after);
    yield settlement;
    if (wasStopped(settlement)) return;
  }
  for (const { planned, failures, known } of refuted) {
    if (!failures.some((url) => facts.change(url, known))) continue;
    if (facts.makeNeedless(planned.rule)) continue;
    const { failures: _, ...settlement } = await settle(planned, judge, facts, options);
    if (wasStopped(settlement)) return;
    if (settlement.outcome !== 'valid') continue;
    facts.add(settlement.after);
    yield { ...settlement, isLast: true };
  }
}

/** Equal for rules that are refuted together: a pair is tried in both directions, a step in its own. */
function refutedKey(rule: Rule): string {
  return rule.kind === 'step' || rule.kind === 'pattern' ? sayingKey(rule) : subjectKey(rule);
}

/** The plan with another rule in place of its own: the samples stay, as the rule is tried on what they become. */
function inTermsOf(planned: PlannedRule, current: Rule): PlannedRule {
  if (current === planned.rule) return planned;
  const attempts = attemptsOf(current).map((attempt, at) => ({ attempt, samples: planned.attempts[at]!.samples }));
  return { rule: planned.rule, attempts };
}

function wasStopped({ after }: Settlement): boolean {
  const isCut = (verdict: Rule['verdict']) => verdict?.undecided === 'budget' || verdict?.undecided === 'interrupted';
  return after.some(({ verdict, otherWay }) => isCut(verdict) || isCut(otherWay));
}

/** Fetches the first samples of the first rules, round-robin: pages that their verdicts need anyway. */
async function warmUp(plan: readonly PlannedRule[], judge: Judge, options: ValidateOptions): Promise<void> {
  const first = plan
    .map(({ attempts }) => attempts[0])
    .filter((one) => one !== undefined && one.samples.urls.length > 0);
  const chosen = new Map<string, string>();
  const rounds = greatest(
    first.map((one) => one!.samples.urls.length),
    0,
  );
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

type Settled = Settlement & { readonly failures: readonly string[] };

async function settle(
  planned: PlannedRule,
  judge: Judge,
  facts: SiteFacts,
  options: ValidateOptions,
): Promise<Settled> {
  const requestsBefore = judge.source.requests;
  const settled = await settleAttempts(planned, judge, facts, options);
  return { ...settled, requests: judge.source.requests - requestsBefore };
}

async function settleAttempts(
  planned: PlannedRule,
  judge: Judge,
  facts: SiteFacts,
  options: ValidateOptions,
): Promise<Omit<Settled, 'requests'>> {
  const before = planned.rule;
  const tried: Outcome[] = [];
  for (const { attempt, samples } of planned.attempts) {
    const outcome = await tryAttempt(attempt, samples, judge, facts, options);
    // If canonization never applies it, no rule is needed, and reversed it would undo the rules that removed its text.
    if (outcome.isIdle && tried.length === 0 && before.status === 'likely')
      return { before, after: [], outcome: 'needless', failures: [] };
    const otherWay = tried[0] === undefined ? {} : { otherWay: tried[0].verdict };
    if (outcome.decision === 'valid') {
      const rule = { ...validRule(attempt, outcome), ...otherWay };
      return { before, after: [rule], outcome: 'valid', failures: [] };
    }
    if (outcome.decision === 'stop') {
      const after = orStillKey(before, { ...before, verdict: outcome.verdict, ...otherWay });
      return { before, after: [after], outcome: isKey(before) ? 'key' : 'likely', failures: [] };
    }
    tried.push(outcome);
    if (before.kind === 'substring' && options.stop === 'sequential' && isRefutedBothWays(outcome, options)) break;
  }
  const failures = tried.flatMap(({ judged }) => judged.filter(({ isPositive }) => !isPositive).map(({ url }) => url));
  if (isKey(before) && !isKeyByHits(before))
    return { before, after: [stillKey(before, tried[0]!)], outcome: 'key', failures: [] };
  const status = tried[0]!.decision === 'invalid' ? 'invalid' : 'likely';
  const verdicts = { verdict: tried[0]!.verdict, ...(tried[1] === undefined ? {} : { otherWay: tried[1].verdict }) };
  const failed = { ...before, status, ...verdicts } as const;
  const narrow =
    failed.kind === 'parameter' && status === 'invalid'
      ? await tryNarrower(failed, planned, failures, judge, facts, options)
      : [];
  return {
    before,
    after: isUntested(before) && status === 'likely' ? [] : [failed, ...narrow],
    outcome: status,
    failures,
  };
}

/** Two different pages refute both directions: only a missing page leaves the reversed rule open. */
function isRefutedBothWays({ verdict, differing }: Outcome, options: ValidateOptions): boolean {
  return decide({ positive: verdict.positive, negative: differing, foreign: 0 }, options) === false;
}

/** A parameter without evidence in the log: it was worth a fetch, and is worth nothing without a verdict. */
function isUntested(rule: Rule): boolean {
  return rule.kind === 'parameter' && rule.support.groups === 0;
}
