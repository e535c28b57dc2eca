// A hypothesis about a site: a rule, or a few that only matter together, and how likely it is.
import { compileRule, type CompiledRule } from '../../rule/apply.js';
import { sayingKey } from '../../rule/identity.js';
import type { Rule, Verdict } from '../../rule/rule.js';

export interface Hypothesis {
  /** Usually one rule. Several are accepted or refuted together: parameters that always occur together. */
  readonly rules: readonly Rule[];
  readonly compiled: readonly CompiledRule[];
  /** The rule of the file that is tried; undefined for a general question. */
  readonly origin: Rule | undefined;
  /** The prior probability that it holds, 0 to 1. */
  readonly prior: number;
  /** True if it inserts text, and so is accepted only if the site itself uses the image. */
  readonly needsWord: boolean;
  /**
   * True if it is accepted only without any exception or condition: for a rule about fields of all names, and for
   * unrelated rules that are asked about together to save requests. If these fail, each is asked about by itself.
   */
  readonly isJoint: boolean;
  /** The verdict on the reversed rule. */
  readonly otherWay: Verdict | undefined;
}

export interface Asked {
  readonly otherWay?: Verdict | undefined;
  readonly origin?: Rule;
  readonly prior: number;
  readonly needsWord?: boolean;
  readonly isJoint?: boolean;
}

export function hypothesisOf(
  rules: readonly Rule[],
  { origin, prior, needsWord = false, isJoint = false, otherWay }: Asked,
): Hypothesis {
  return { rules, compiled: rules.map(compileRule), origin, prior, needsWord, isJoint, otherWay };
}

/** Equal for hypotheses that ask the same. */
export function hypothesisKey({ rules }: Pick<Hypothesis, 'rules'>): string {
  return rules.map(sayingKey).join('\n');
}

/** A rule of the file as a question, without its verdict and exceptions. */
export function asAsked({ verdict: _verdict, except: _except, ...rule }: Rule): Rule {
  return { ...rule, status: 'likely' };
}
