// Which rules does the list need, once all of them are applied as `canonize` does? If every URL keeps its form without
// a rule, no line of the log supports that rule, and users would read it for nothing:
//
//     orderby is dropped on /2024/page/2     no URL of the list has it there
//     `?do=` is dropped under /faq/          what another rule does on every page
//
// Special cases are looked at before general rules, those accepted last first, so that the general one stays.
import { Census, type CanonizerOf, type HitList } from '../../canonize/name/census.js';
import type { Rule } from '../../rule/rule.js';
import { isKey } from '../../rule/standing.js';

/** The rules without idle ones. Keys are not applied, so they stay, and so do rules for which `isKept` is true. */
export function neededRules(
  rules: readonly Rule[],
  list: HitList,
  canonizerOf: CanonizerOf,
  isKept: (rule: Rule) => boolean,
): readonly Rule[] {
  let left = rules;
  let census = new Census(list, left, canonizerOf);
  for (const rule of inOrder(rules)) {
    if (isKey(rule) || isKept(rule) || census.changesOf(census.rules[left.indexOf(rule)]!).length > 0) continue;
    left = left.filter((one) => one !== rule);
    census = census.under(left);
  }
  return left;
}

function inOrder(rules: readonly Rule[]): readonly Rule[] {
  return rules.toReversed().sort((a, b) => detailsOf(b) - detailsOf(a));
}

/** How much a rule says about where it holds. */
function detailsOf({ only = [], not = [], except = [], ...rule }: Rule): number {
  const isPlaced = rule.kind === 'parameter' && rule.scope !== 'site';
  return only.length + not.length + except.length + Number(isPlaced);
}
