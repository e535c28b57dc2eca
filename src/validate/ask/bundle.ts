// Which members of a refuted bundle have no effect? Parameters that always occur together were removed together, and
// the pages differed. So a failed form is requested without each member alone; the members without effect become a new
// bundle.
//
//     without a, b, c      another page      without a: the same      without b: another      without c: the same
//                                            so: without a, c?
import type { Asker } from './answer.js';
import { hypothesisOf, type Hypothesis } from './hypothesis.js';
import type { SiteForms } from './site-forms.js';
import type { Tried } from './try/result.js';

/** Smaller bundles are not split: each of their members has its own question anyway. */
const LEAST_MEMBERS = 3;
const MOST_FORMS = 2;
const PRIOR = 0.5;

export async function harmlessOf(
  { rules, isJoint, needsWord }: Hypothesis,
  { decision, negatives }: Tried,
  forms: SiteForms,
  asker: Asker,
): Promise<Hypothesis[]> {
  if (decision !== 'refuted' || isJoint || rules.length < LEAST_MEMBERS) return [];
  const harmless = [];
  for (const rule of rules) {
    const kinds = await answersOf(hypothesisOf([rule], { prior: PRIOR }), negatives.slice(0, MOST_FORMS), forms, asker);
    if (kinds.includes('positive') && !kinds.includes('negative')) harmless.push(rule);
  }
  if (harmless.length < 2 || harmless.length === rules.length) return [];
  return [hypothesisOf(harmless, { prior: PRIOR, needsWord })];
}

async function answersOf(hypothesis: Hypothesis, texts: readonly string[], forms: SiteForms, asker: Asker) {
  const kinds: string[] = [];
  for (const text of texts) {
    const form = forms.looseForm(text);
    const image = forms.imageOf(hypothesis, form);
    if (image !== text) kinds.push((await asker.ask(text, image)).kind);
  }
  return kinds;
}
