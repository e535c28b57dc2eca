// Which rules mined tonight say nothing beside those that were proven on earlier nights?
//
// Validation drops what a valid rule makes needless, and mining finds it again every night. What can be told without
// looking at the list is left out here: refinements of a valid rule, and rules of which nothing is left in the terms of
// the valid ones.
import type { Rule, RulesFile } from '../rule/rule.js';
import { isInUse, isPinned, isVetoed } from '../rule/standing.js';
import { SiteFacts } from './facts.js';

/** `file` without the rules that have no verdict and are made needless by those that are in use. */
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
