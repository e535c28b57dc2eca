// The rules of a file that URLs are to be canonized by, and how, for the commands that apply rules to URLs.
import { printable } from '../base/bytes.js';
import type { Effects } from '../base/effects.js';
import { UserError } from '../base/error.js';
import { isAccepted, type CanonizerOptions } from '../canonize/canonizer.js';
import type { Rule } from '../rule/rule.js';
import type { RuleOptions } from './canonize.js';
import { loadRules } from './rules-file.js';

/** What `createCanonizer` takes: plain, so that it can be handed to another thread. */
export interface RulesInUse {
  readonly rules: readonly Rule[];
  readonly options: CanonizerOptions;
}

/** The accepted rules of the file. Without any there is nothing to do, and the user has to be told why. */
export async function loadRulesInUse(options: RuleOptions, effects: Effects): Promise<RulesInUse> {
  const { rules: name, accept, maxIterations } = options;
  const file = await loadRules(name, effects);
  const rules = file.rules.filter((rule) => isAccepted(rule, accept));
  if (accept === 'valid' && rules.length === 0) throw new UserError(noValidRule(file.rules, printable(name)));
  const { normalization: normalize, urlForm } = file;
  return { rules, options: { normalize, accept, maxIterations, urlForm, sitePolicy: file.options.site } };
}

function noValidRule(rules: readonly Rule[], name: string): string {
  const likely = rules.filter((rule) => rule.status === 'likely').length;
  const found = `no valid rule in ${name}: ${likely} likely, ${rules.length - likely} invalid`;
  if (likely === 0) return `${found}. Expected rules that passed validation; mine a longer log.`;
  return `${found}. Expected rules that passed validation: run dustbuster validate; to use likely ones as well, say --accept likely.`;
}
