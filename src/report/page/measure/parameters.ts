// The table of parameters: which does a log have, and what does each do to the page? Read off the inventory that rules
// are mined from (mine/inventory); `parameter-class` says what its groups mean.
import { decodeText } from '../../../base/bytes.js';
import type { ListedParameter, Listing } from '../../../mine/parameter-facts.js';
import { everySite, type ParameterRule, type Rule } from '../../../rule/rule.js';
import { accepts } from '../../../rule/standing.js';
import { BARE_NUMBERS, type ParameterRow } from '../model.js';
import { classify, evidenceOf, isOfWholeSite } from './parameter-class.js';

export interface ParameterTable {
  readonly parameters: readonly ParameterRow[];
  /** How many more there are. */
  readonly others: number;
}

interface AppliedRules {
  /** The rules that URLs are canonized by, in rank order. */
  readonly applied: readonly Rule[];
  /** Whether the rules are for paths, and so for every site. */
  readonly isPathOnly: boolean;
}

/** Longer values are truncated. */
const MAX_VALUE_CHARS = 100;

export function parameterTable({ parameters, names }: Listing, rules: AppliedRules): ParameterTable {
  return { parameters: parameters.map((one) => rowOf(one, rules)), others: names - parameters.length };
}

function rowOf(
  { site, name, urls, hits, values, commonest, facts }: ListedParameter,
  rules: AppliedRules,
): ParameterRow {
  const called = name === '' ? BARE_NUMBERS : name;
  const evidence = evidenceOf(facts);
  const { same, different, silent } = evidence;
  const { sizeRatio } = facts;
  const rule = ruleFor(site, called, rules);
  return {
    site,
    name: called,
    urls,
    hits,
    values,
    areMore: false,
    // `p` and `p=` are two values that look alike.
    commonest: [...new Set(commonest.map(shownValue))],
    groups: { same, different, silent },
    sizeRatio,
    ...classify({ name: called, values, evidence, sizeRatio, rule }),
    ...(rule !== undefined && { rule: rule.rank }),
  };
}

/**
 * Does the table say that pages change by the parameter of a rule that no page has proved? Such a rule may still hold in
 * some places, and pages have to tell.
 */
export function changesPages({ parameters }: ParameterTable): (rule: Rule) => boolean {
  const changing = parameters.filter(({ class: kind }) => kind !== 'irrelevant' && kind !== 'unknown');
  const named = new Set(changing.flatMap(({ site, name }) => [`${site}\0${name}`, `${everySite}\0${name}`]));
  return (rule) => rule.kind === 'parameter' && !accepts(rule, 'valid') && named.has(`${rule.site}\0${rule.name}`);
}

/** The rule for a parameter: one that is certain on the whole site, else a certain one, else the first. */
function ruleFor(site: string, name: string, { applied, isPathOnly }: AppliedRules): ParameterRule | undefined {
  const isOfSite = (rule: Rule) => isPathOnly || rule.site === everySite || rule.site === site;
  const rules = applied.filter(
    (rule): rule is ParameterRule => rule.kind === 'parameter' && rule.name === name && isOfSite(rule),
  );
  return (
    rules.find((rule) => accepts(rule, 'valid') && isOfWholeSite(rule)) ??
    rules.find((rule) => accepts(rule, 'valid')) ??
    rules[0]
  );
}

function shownValue(value: Uint8Array): string {
  const text = decodeText(value);
  return text.length <= MAX_VALUE_CHARS ? text : `${text.slice(0, MAX_VALUE_CHARS).replace(/[\ud800-\udbff]$/, '')}…`;
}
