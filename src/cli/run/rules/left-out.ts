// Which rules of a file are not applied because they only add text? They are reported, as the user may want to pin
// them.
import type { Effects } from '../../../base/effects.js';
import { ruleSides } from '../../../report/render.js';
import type { Rule } from '../../../rule/rule.js';
import { accepts, isLeftOut, type Accept } from '../../../rule/standing.js';

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
  const shown = left.slice(0, MOST_SHOWN).map(show);
  const list = [...shown, ...(left.length > MOST_SHOWN ? ['…'] : [])].join(', ');
  const [who, are, them] =
    left.length === 1 ? ['1 rule only adds', 'is', 'it'] : [`${left.length} rules only add`, 'are', 'them'];
  effects.stderr.write(
    `dustbuster: ${who} text (${list}) and ${are} not applied; pin ${them} if the site wants ${them}\n`,
  );
}

function show(rule: Rule): string {
  const { from, to } = ruleSides(rule);
  return rule.kind === 'substring' ? `rank ${rule.rank}: "${from}" → "${to}"` : `rank ${rule.rank}: ${from}`;
}
