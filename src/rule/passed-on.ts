// Which part of a rule goes into a file that is passed on to others? The part that is needed to apply it. Rules and
// exceptions about one visitor are left out (`visitor`), and example URLs are masked, as they only serve as examples.
import { masked, secretKindOf } from '../url/secret.js';
import type { Audit, History, Rule, Validation, Verdict } from './rule.js';
import { hasSecret, isOfVisitor, namesVisitor } from './visitor.js';

/** False for a rule that names a visitor, unless a user has pinned or vetoed it. */
export function isPassedOn(rule: Rule): boolean {
  return isWantedByUser(rule) || !namesVisitor(rule);
}

function isWantedByUser({ pin, veto }: Rule): boolean {
  return Boolean(pin) || Boolean(veto);
}

/** The rule for a file; undefined if it is not passed on. */
export function passedOn(rule: Rule): Rule | undefined {
  if (!isPassedOn(rule)) return undefined;
  const isWanted = isWantedByUser(rule);
  const { verdict, otherWay, history, except } = rule;
  const only = rule.only?.filter((condition) => isWanted || !isOfVisitor(condition));
  const not = rule.not?.filter((condition) => isWanted || !isOfVisitor(condition));
  const passed = except?.filter((url) => isWanted || !hasSecret(url)) ?? [];
  const { only: _only, not: _not, except: _except, ...others } = rule;
  return {
    ...others,
    ...valueOf(rule),
    ...(only !== undefined && only.length > 0 && { only }),
    ...(not !== undefined && not.length > 0 && { not }),
    examples: rule.examples.map(([url, image]) => [mask(url), mask(image)] as const),
    ...(passed.length > 0 && { except: passed }),
    ...(verdict !== undefined && { verdict: maskedVerdict(verdict) }),
    ...(otherWay !== undefined && { otherWay: maskedVerdict(otherWay) }),
    ...(history !== undefined && { history: maskedHistory(history) }),
  } as Rule;
}

/**
 * The value of a parameter, without values of visitors: a rule that removes a parameter keeps its most common value
 * only to try to set it.
 */
function valueOf(rule: Rule): Partial<Rule> {
  if (rule.kind !== 'parameter' || rule.action !== 'remove' || rule.value === null) return {};
  return secretKindOf(rule.name, rule.value) === undefined ? {} : { value: null };
}

function maskedVerdict(verdict: Verdict): Verdict {
  const { positives, negatives } = verdict;
  return {
    ...verdict,
    positives: positives.map(([url, image]) => [mask(url), mask(image)] as const),
    negatives: negatives.map(maskedFailure),
  };
}

function maskedHistory(history: History): History {
  const { retired } = history;
  if (retired?.pair === undefined) return history;
  return { ...history, retired: { ...retired, pair: maskedFailure(retired.pair) } };
}

/** Masks visitors' values in the URLs of failures. */
export function maskedValidation(validation: Validation): Validation {
  const { audit } = validation;
  return audit === undefined ? validation : { ...validation, audit: maskedAudit(audit) };
}

function maskedAudit(audit: Audit): Audit {
  return { ...audit, failures: audit.failures.map(maskedFailure) };
}

function maskedFailure([url, image, why]: readonly [string, string, string]): readonly [string, string, string] {
  return [mask(url), mask(image), why];
}

const MOST_KNOWN = 10_000;
const known = new Map<string, string>();

/** Remembers results, as rules have the same URLs as examples: of 1.4 million texts, 101,000 were different. */
function mask(url: string): string {
  let text = known.get(url);
  if (text !== undefined) return text;
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(url, (text = masked(url)));
  return text;
}
