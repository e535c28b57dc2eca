// Which rules mined tonight are made needless by those proved on earlier nights?
//
// Validation drops rules that a valid rule makes needless, and mining finds them again every night. Those that can be
// recognized without the URL list are dropped here: refinements of a valid rule, and rules whose sides become equal
// under the valid ones.
import type { Rule, RulesFile } from '../rule/rule.js';
import { isInUse, isPinned, isVetoed } from '../rule/standing.js';
import { SiteFacts } from './facts.js';

/** `file` without the rules that have no verdict and that rules in use make needless. */
export function withoutNeedless(file: RulesFile): RulesFile {
  const facts = new Map<string, SiteFacts>();
  for (const rule of file.rules) {
    if (!isInUse(rule)) continue;
    const ofSite = facts.get(rule.site) ?? new SiteFacts(file.urlForm === 'path');
    ofSite.add([rule]);
    facts.set(rule.site, ofSite);
  }
  const rules = file.rules.filter((rule) => {
    const ofSite = facts.get(rule.site);
    return ofSite === undefined || isSettled(rule) || !isNeedlessBy(ofSite, rule);
  });
  return { ...file, rules: rules.map((rule, at) => ({ ...rule, rank: at + 1 })) };
}

function isSettled(rule: Rule): boolean {
  return rule.status !== 'likely' || isPinned(rule) || isVetoed(rule);
}

function isNeedlessBy(facts: SiteFacts, rule: Rule): boolean {
  const current = facts.inTheirTerms(rule);
  return current === undefined || facts.makeNeedless(current);
}
