// Which of tonight's mined rules are made needless by rules proved on earlier nights?
//
// Validation drops rules that a valid rule makes needless, and mining finds them again every night. Those that can be
// recognized without the URL list are dropped here: refinements of a valid rule, and rules whose sides become equal
// under the valid ones.
import { decodeText, encodeText } from '../base/bytes.js';
import { addTo } from '../base/group-by.js';
import { compileRule, imageOf } from '../rule/apply.js';
import type { Rule, RulesFile } from '../rule/rule.js';
import { accepts, isPending, isPinned } from '../rule/standing.js';
import { isNeedless } from './special-case.js';

/** `file` without the rules that have no verdict and that rules in use make needless. */
export function withoutNeedless(file: RulesFile): RulesFile {
  const inUse = new Map<string, Rule[]>();
  for (const rule of file.rules) {
    if (accepts(rule, 'valid')) addTo(inUse, rule.site, rule);
  }
  const termsOf = new Map([...inUse].map(([site, rules]) => [site, prefixesBy(rules)]));
  const rules = file.rules.filter((rule) => {
    const broad = inUse.get(rule.site);
    if (broad === undefined || !isPending(rule) || isPinned(rule)) return true;
    const current = inTheirTerms(rule, termsOf.get(rule.site)!);
    return current !== undefined && !broad.some((one) => isNeedless(current, one));
  });
  return { ...file, rules: rules.map((rule, at) => ({ ...rule, rank: at + 1 })) };
}

/** The start of a URL after the rules anchored at the start, and only those. */
type PrefixOf = (text: string) => string;

function prefixesBy(rules: readonly Rule[]): PrefixOf {
  const compiled = rules.filter((rule) => rule.kind === 'substring' && rule.anchor === 'start').map(compileRule);
  return (text) => decodeText(compiled.reduce((prefix, rule) => imageOf(rule, prefix, 0), encodeText(text)));
}

/**
 * A rule anchored at the start, rewritten for the URLs that the rules in use hand to it; undefined if its sides become
 * equal.
 */
function inTheirTerms(rule: Rule, prefixOf: PrefixOf): Rule | undefined {
  if (rule.kind !== 'substring' || (rule.anchor !== 'start' && rule.anchor !== 'both')) return rule;
  const [from, to] = [prefixOf(rule.from), prefixOf(rule.to)];
  return from === to ? undefined : { ...rule, from, to };
}
