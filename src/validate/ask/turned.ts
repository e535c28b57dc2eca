// Does a rule also hold reversed, where the log prefers its other side? The pages are known to be the same; the question is
// whether the new images answer by themselves, including those that the log lacks. A few samples decide: one from each
// corner of the site, then others.
import type { Joined, Turn } from '../../canonize/name/choose.js';
import type { Rule } from '../../rule/rule.js';
import { isInsertion } from '../../rule/standing.js';
import type { Asker } from './answer.js';
import { hypothesisOf, type Hypothesis } from './hypothesis.js';
import { inDrawOrder, type Reach, type SiteForms } from './site-forms.js';
import { tourOf } from './strata.js';
import type { Tried } from './try/result.js';

const SAMPLES = 12;
const LEAST_SAMPLES = 3;
/** How many samples may be requested, as some give no answer. */
const MOST_ASKED = 20;

export interface Confirming {
  readonly forms: SiteForms;
  readonly asker: Asker;
  readonly choosing: ReadonlySet<string>;
  readonly tryOn: (hypothesis: Hypothesis, reach: Reach, minSaving: number) => Promise<Tried>;
}

/** How likely a rule that held is to hold the other way round. */
const PRIOR = 0.6;
/** The least number of forms that a turned and narrowed rule has to save. */
const MIN_SAVING = 3;

/** The reversed rule, or undefined if it must not be used. `forms` then has the other rules. */
export async function confirmedTurn(
  { rule: turned, others, joined }: Turn,
  { forms, asker, choosing, tryOn }: Confirming,
): Promise<Rule | undefined> {
  if (!(await areOne(joined, asker))) return undefined;
  forms.setRules(others);
  const hypothesis = hypothesisOf([turned], { prior: PRIOR, needsWord: isInsertion(turned) });
  const reach = forms.reachOf(hypothesis);
  if (isInsertion(turned)) return calledFor(await tryOn(hypothesis, reach, 0));
  const { rule, isMixed } = await confirmedByFew(turned, reach, asker, choosing);
  if (!isMixed) return rule;
  // A mixed result is tried in full like other hypotheses, which finds conditions.
  const { decision, rules } = await tryOn(hypothesis, reach, MIN_SAVING);
  return decision === 'accepted' ? rules[0] : undefined;
}

/** The rule, if it was accepted because the site prefers its images. */
function calledFor({ decision, rules: [rule] }: Tried): Rule | undefined {
  return decision === 'accepted' && rule?.word !== undefined ? rule : undefined;
}

interface Turned {
  /** The rule with its new evidence; undefined if something refutes it. */
  readonly rule: Rule | undefined;
  /** True if some samples were right and some wrong, so that it may hold somewhere. */
  readonly isMixed: boolean;
}

const NOT_TURNED: Turned = { rule: undefined, isMixed: false };

async function confirmedByFew(
  turned: Rule,
  { changes }: Reach,
  asker: Asker,
  choosing: ReadonlySet<string>,
): Promise<Turned> {
  const order = [
    ...new Set([...tourOf(changes, [], choosing).slice(0, SAMPLES - LEAST_SAMPLES), ...inDrawOrder(changes)]),
  ];
  const positives: (readonly [string, string])[] = [];
  for (const { form, image } of order.slice(0, MOST_ASKED)) {
    if (positives.length === SAMPLES) break;
    const answer = await asker.ask(form.text, image);
    if (answer.kind === 'stop') return NOT_TURNED;
    if (answer.kind === 'negative') return { ...NOT_TURNED, isMixed: positives.length > 0 };
    if (answer.kind === 'positive') positives.push([form.text, image]);
  }
  if (positives.length < Math.min(LEAST_SAMPLES, changes.length)) return NOT_TURNED;
  const { verdict } = turned;
  if (verdict === undefined) return { rule: turned, isMixed: false };
  return { rule: { ...turned, verdict: { ...verdict, positives: positives.slice(0, 3) } }, isMixed: false };
}

/** True if forms that the reversal would merge are the same page. */
async function areOne(joined: readonly Joined[], asker: Asker): Promise<boolean> {
  for (const [form, other] of joined) if ((await asker.ask(form, other)).kind !== 'positive') return false;
  return true;
}
