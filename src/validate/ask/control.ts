// Does a rule drop something that the site's controls use? Two pages with the same text may still behave differently:
//
//     /issue/7?tab=notes        the same text, and another tab
//     /post?replyto=809         the same text, and a form that answers another comment
//     /list?author=7            a visitor chose this author in a form of the list, though it selects nothing here
//     /search?q=a&all=          a box that nobody checked; without `all` the site takes it for checked
//
// Such a rule is a key and never a redirect, unless the site itself prefers the form by redirects or canonical links.
import type { Control, Rule } from '../../rule/rule.js';
import type { Asker } from './answer.js';
import { namedFields } from './bound.js';
import { conditionKey } from './parts.js';
import type { Change } from './site-forms.js';

/** How many pairs are compared, and how many of them must differ. */
const MOST_PAIRS = 12;
const MOST_DIFFERING = 3;
const LEAST_DIFFERING = 2;
const SHARE = 0.5;

/**
 * `right`: changes that proved right. Some values of a parameter may be the page's default; for a rule about all
 * fields, most dropped fields must matter. Requests a page again for each of a few pairs that differ.
 */
export async function stateOf(rule: Rule, right: readonly Change[], asker: Asker): Promise<Control | undefined> {
  const pairs = right.filter(({ form, image }) => isOfQuery(form.text, image)).slice(0, MOST_PAIRS);
  let [same, other] = [0, 0];
  for (const { form, image } of pairs) {
    if (asker.isSpent || other === MOST_DIFFERING) break;
    const answer = await asker.judge.compareControls(form.text, image);
    if (answer === 'unsteady') return undefined;
    if (answer === 'other') other++;
    if (answer === 'same') same++;
  }
  const least = rule.kind === 'parameter' ? 0 : SHARE * (same + other);
  return other > least && other >= Math.min(LEAST_DIFFERING, pairs.length) ? 'state' : undefined;
}

/** Only the query is changed. */
function isOfQuery(form: string, image: string): boolean {
  return form.includes('?') && form.split('?', 1)[0] === image.split('?', 1)[0];
}

/**
 * True for a rule that removes, anywhere and with any value, a field that the site's forms send; or the empty value of
 * a box.
 */
export function isFieldOfForms(rule: Rule, asker: Pick<Asker, 'isSent' | 'isBox'>): boolean {
  if (rule.kind !== 'parameter' || rule.action !== 'remove') return false;
  if (rule.only === undefined) return asker.isSent(rule.name);
  return asker.isBox(rule.name) && rule.only.every(({ part, is }) => part === 'field' && is === `${rule.name}=`);
}

/**
 * A box that nobody checked: a search for `all=` may look for any of its words, and one without `all` for all of them,
 * which is the same page as long as it finds nothing.
 */
export function withoutBoxes(rule: Rule, urls: readonly string[], asker: Pick<Asker, 'isBox'>): Rule {
  if (rule.kind !== 'step' || rule.step !== 'drop-empty-fields') return rule;
  const known = new Set(rule.not?.map(conditionKey));
  const empty = new Map(urls.flatMap((url) => namedFields(rule, url)).map((one) => [conditionKey(one), one]));
  const boxes = [...empty].flatMap(([key, one]) =>
    asker.isBox(`${one.is}`.slice(0, -1)) && !known.has(key) ? [one] : [],
  );
  return boxes.length === 0 ? rule : { ...rule, not: [...(rule.not ?? []), ...boxes] };
}
