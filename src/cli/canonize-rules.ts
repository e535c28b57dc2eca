// The rules file as a canonizer, for the commands that apply rules to URLs.
import { printable } from '../base/bytes.js';
import type { Effects } from '../base/effects.js';
import { UserError } from '../base/error.js';
import { createCanonizer, type Canonizer } from '../canonize/canonizer.js';
import type { Rule } from '../rule/rule.js';
import type { RuleOptions } from './canonize.js';
import { loadRules } from './rules-file.js';

/** The rules file as a canonizer. Without any rule to use there is nothing to do, and the user has to be told why. */
export async function loadCanonizer(options: RuleOptions, effects: Effects): Promise<Canonizer> {
  const { rules: name, accept, maxIterations } = options;
  const file = await loadRules(name, effects);
  const canonizer = createCanonizer(file.rules, {
    normalize: file.normalization,
    accept,
    maxIterations,
    urlForm: file.urlForm,
    sitePolicy: file.options.site,
  });
  if (accept === 'valid' && canonizer.rules === 0) throw new UserError(noValidRule(file.rules, printable(name)));
  return canonizer;
}

function noValidRule(rules: readonly Rule[], name: string): string {
  const likely = rules.filter((rule) => rule.status === 'likely').length;
  const found = `no valid rule in ${name}: ${likely} likely, ${rules.length - likely} invalid`;
  if (likely === 0) return `${found}. Expected rules that passed validation; mine a longer log.`;
  return `${found}. Expected rules that passed validation: run dustbuster validate; to use likely ones as well, say --accept likely.`;
}
