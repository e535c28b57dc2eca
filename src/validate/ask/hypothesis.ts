// What is to be asked of a site: a rule, or a few that only matter together, and what speaks for asking.
import { compileRule, type CompiledRule } from '../../rule/apply.js';
import { sayingKey } from '../../rule/identity.js';
import type { Rule, Verdict } from '../../rule/rule.js';

export interface Hypothesis {
  /** Mostly one. Several are accepted or refuted as one: parameters that always come together. */
  readonly rules: readonly Rule[];
  readonly compiled: readonly CompiledRule[];
  /** The rule of the file that is asked about; undefined for a question that nobody mined. */
  readonly origin: Rule | undefined;
  /** How likely it is, 0 to 1, by all that is known before the first request. */
  readonly prior: number;
  /** Only the site's own word makes it true: it adds text. */
  readonly needsWord: boolean;
  /** What pages said of the rule turned round. */
  readonly otherWay: Verdict | undefined;
}

export interface Asked {
  readonly otherWay?: Verdict | undefined;
  readonly origin?: Rule;
  readonly prior: number;
  readonly needsWord?: boolean;
}

export function hypothesisOf(
  rules: readonly Rule[],
  { origin, prior, needsWord = false, otherWay }: Asked,
): Hypothesis {
  return { rules, compiled: rules.map(compileRule), origin, prior, needsWord, otherWay };
}

/** Hypotheses of the same key ask the same. */
export function hypothesisKey({ rules }: Pick<Hypothesis, 'rules'>): string {
  return rules.map(sayingKey).join('\n');
}
