// Does a rule drop what the controls of the site work with? That two pages show the same text says nothing of what a
// reader does next:
//
//     /issue/7?tab=notes        the same text, and another tab
//     /post?replyto=809         the same text, and a form that answers another comment
//     /list?author=7            a visitor chose it in the form of the list, though here it selects nothing
//
// Such a rule says which URLs show one text: it is a key, and no redirect, unless the site itself calls for the form: by
// redirects, or by the canonical links of its pages.
import type { Control, Rule } from '../../rule/rule.js';
import type { Asker } from './answer.js';
import type { Change } from './site-forms.js';

/** Pairs that are compared, and those of them that have to differ. */
const MOST_PAIRS = 12;
const MOST_DIFFERING = 3;
const LEAST_DIFFERING = 2;
const SHARE = 0.5;

/**
 * `right`: what it changes, where it proved right. Of one parameter, some values may be what the page stands at anyway; of
 * rules for all fields, most of what they drop has to count. Takes a request for each of a few pairs that differ.
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

/** Whatever its value, and everywhere: what the site's forms send. */
export function isFieldOfForms(rule: Rule, asker: Asker): boolean {
  return rule.kind === 'parameter' && rule.action === 'remove' && rule.only === undefined && asker.isSent(rule.name);
}
