// Which rules of a file are not applied because they only add text, and which are although they are more probably wrong
// than right? They are reported, as the user may want to pin the former, and not to accept the latter.
import type { Effects } from '../../../base/effects.js';
import { agreeing, many } from '../../../base/plural.js';
import type { Rule } from '../../../rule/rule.js';
import { type Accept, accepts, isCandidate, isLeftOut, isPinned } from '../../../rule/standing.js';
import { ruleMention } from '../../../rule/words/sentence.js';

const MOST_SHOWN = 3;

/** The rules that `accept` would allow if they did not only add text. */
export function leftOutOf(rules: readonly Rule[], accept: Accept): readonly Rule[] {
  return rules.filter((rule) => isLeftOut(rule) && accepts({ ...rule, word: 'redirect' }, accept));
}

/** One line on standard error, if there are any. */
export function reportLeftOut(
  rules: readonly Rule[],
  { accept, quiet }: { readonly accept: Accept; readonly quiet?: boolean },
  effects: Effects,
): void {
  const left = leftOutOf(rules, accept);
  if (left.length === 0 || quiet === true) return;
  const shown = left.slice(0, MOST_SHOWN).map(ruleMention);
  const list = [...shown, ...(left.length > MOST_SHOWN ? ['…'] : [])].join(', ');
  const [who, are, them] =
    left.length === 1 ? ['1 rule only adds', 'is', 'it'] : [`${left.length} rules only add`, 'are', 'them'];
  effects.stderr.write(
    `dustbuster: ${who} text (${list}) and ${are} not applied; pin ${them} if the site wants ${them}\n`,
  );
}

/** One line on standard error, if what is measured is mostly what nobody would deploy. */
export function reportCandidates(
  rules: readonly Rule[],
  { accept, quiet }: { readonly accept: Accept; readonly quiet?: boolean },
  effects: Effects,
): void {
  const used = rules.filter((rule) => accepts(rule, accept));
  const candidates = used.filter((rule) => isCandidate(rule) && !isPinned(rule)).length;
  if (candidates === 0 || quiet === true) return;
  const confident = rules.filter((rule) => accepts(rule, 'confident')).length;
  effects.stderr.write(
    `dustbuster: --accept ${accept} uses ${many(used.length, 'rule')}, as canonize does; ` +
      `${agreeing(candidates, '1 of them is a candidate', `${candidates} of them are candidates`)}, with a confidence ` +
      `below .5. --accept confident uses ${confident}\n`,
  );
}
