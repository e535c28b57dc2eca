// A parameter rule has failed in its scope: in which narrower ones does it hold (SPEC 9)?
import type { ParameterRule, Rule } from '../rule/rule.js';
import { tryAttempt, validRule, type ValidateOptions } from './attempt.js';
import type { SiteFacts } from './facts.js';
import type { Judge } from './judge.js';
import type { PlannedRule } from './plan.js';
import { attemptsOf, imageText } from './sample.js';
import { narrower } from './scope.js';

/** How many narrower scopes are tried per step down the ladder, and in all, for one parameter. */
const MAX_STEP_SCOPES = 4;
const MAX_SCOPES = 16;

/** Goes down the ladder: scopes in which no sample has failed yet, those with the most URLs first. */
export async function tryNarrower(
  rule: ParameterRule,
  planned: PlannedRule,
  failed: readonly string[],
  judge: Judge,
  facts: SiteFacts,
  options: ValidateOptions,
): Promise<Rule[]> {
  const found: Rule[] = [];
  const failures = new Set(failed);
  const pending = steps(rule, allUrls(planned));
  let scopes = 0;
  for (let next = pending.shift(); next !== undefined && scopes < MAX_SCOPES; next = pending.shift()) {
    const { scope, urls } = next;
    const scoped: ParameterRule = { ...rule, ...scope, status: 'likely' };
    // A scope with a failed sample need not be tried: go further down if possible.
    const hasFailed = urls.some((url) => failures.has(url));
    if (!hasFailed) {
      scopes++;
      const settled = await settleScope(scoped, planned, judge, facts, options);
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
  facts: SiteFacts,
  options: ValidateOptions,
): Promise<{ readonly rule?: Rule; readonly stop: boolean; readonly failures: readonly string[] }> {
  const failures: string[] = [];
  for (const attempt of attemptsOf(rule)) {
    const wide = attempts.find(
      (one) => (one.attempt.rule as ParameterRule).action === (attempt.rule as ParameterRule).action,
    );
    if (wide === undefined) continue;
    const urls = wide.samples.urls.filter((url) => imageText(attempt.compiled, url, options.pathOnly) !== url);
    const outcome = await tryAttempt(attempt, { ...wide.samples, urls }, judge, facts, options);
    if (outcome.decision === 'stop') return { stop: true, failures };
    if (outcome.decision === 'valid') {
      return { rule: validRule(attempt, outcome), stop: false, failures };
    }
    for (const { isPositive, url } of outcome.judged) if (!isPositive) failures.push(url);
  }
  return { stop: false, failures };
}
