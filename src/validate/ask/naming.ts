// Which side of each rule is the page's name? The log's hits decide (`canonize/name`), unless a user or the site has; what
// was turned is confirmed by the site (`./turned`).
import type { Canonizer } from '../../canonize/rounds.js';
import { chosenNames, type Chosen, type Turn } from '../../canonize/name/choose.js';
import type { HitList } from '../../canonize/name/census.js';
import { movesOrigin } from '../../rule/prefer.js';
import type { Preference, Rule } from '../../rule/rule.js';
import { isPinned } from '../../rule/standing.js';
import { isRenamed, type Known } from './known.js';
import { conditionsOf } from './parts.js';
import { isPolicy } from './policy.js';
import type { Say } from './said-names.js';
import type { SiteForms } from './site-forms.js';

export interface Naming {
  readonly forms: SiteForms;
  readonly known: Known;
  readonly hits: HitList;
  readonly canonizerOf: (rules: readonly Rule[]) => Canonizer;
  /** What canonical links of the site say of the rule. */
  readonly saysOf: (rule: Rule) => Say;
  /** True for a parameter that says who visits, or from where. */
  readonly isOfVisit: (name: string) => boolean;
  readonly prefer: Preference | undefined;
  /** Asks the site about a turned rule; the rule to use, or undefined. */
  readonly confirm: (turn: Turn) => Promise<Rule | undefined>;
}

/**
 * Turns rules toward the side that has more hits in the log. A rule that is not worth its redirects becomes a key. True
 * if this changed any rule.
 */
export async function chooseNames(naming: Naming): Promise<boolean> {
  const { forms, known, hits, canonizerOf, saysOf, confirm } = naming;
  const chosen = await chosenNames(forms.rules, hits, {
    canonizerOf,
    isFixed: (rule) => hasName(rule, naming),
    isOpposed: (rule) => saysOf(rule) === 'against',
    confirm,
    conditionsOf,
  });
  for (const { before, rule, isPart } of chosen) if (!isPart) known.follow(before, rule);
  // The key covers the other places, so the written part is only worth a condition that the site's owner would give.
  const isSayable = ({ rule, isPart }: Chosen) => !isPart || isPolicy(rule, rule.only ?? []);
  forms.setRules(chosen.filter(isSayable).map(({ rule }) => rule));
  return chosen.some(({ before, rule, isPart }) => isPart || isRenamed(known.keyOf(before) ?? before, rule));
}

/** Leaves keys that an earlier log has made as they were; for a run that was interrupted. */
export function keepNames({ forms, known }: Pick<Naming, 'forms' | 'known'>): void {
  forms.setRules(forms.rules.map((rule) => known.keyOf(rule) ?? rule));
}

/**
 * True if the direction of the rule was decided by a user or by the site, or does not matter, as for visitors' fields.
 */
function hasName(rule: Rule, { known, isOfVisit, prefer, saysOf }: Naming): boolean {
  if (isPinned(rule) || rule.word !== undefined || known.unseen.has(rule)) return true;
  if (rule.kind === 'parameter') return rule.action === 'remove' && isOfVisit(rule.name);
  return (prefer !== undefined && movesOrigin(rule)) || saysOf(rule) === 'for';
}
