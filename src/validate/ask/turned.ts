// Does a rule hold the other way round, where the log goes by its other side? That the pages are the same has been
// asked; open is whether the new images answer by themselves, also those that the log lacks. A few samples tell: one of
// each corner of the site, then others.
import type { Joined, Turn } from '../../canonize/name/choose.js';
import type { Rule } from '../../rule/rule.js';
import { isInsertion } from '../../rule/standing.js';
import type { Asker } from './answer.js';
import { hypothesisOf, type Hypothesis } from './hypothesis.js';
import { inDrawOrder, type Reach, type SiteForms } from './site-forms.js';
import { tourOf } from './strata.js';
import type { Tried } from './try.js';

const SAMPLES = 12;
const LEAST_SAMPLES = 3;
/** Samples that may be asked for, as some say nothing. */
const MOST_ASKED = 20;

export interface Confirming {
  readonly forms: SiteForms;
  readonly asker: Asker;
  readonly choosing: ReadonlySet<string>;
  readonly tryOn: (hypothesis: Hypothesis, reach: Reach, minSaving: number) => Promise<Tried>;
}

/** How likely a rule that held is to hold the other way round. */
const PRIOR = 0.6;
/** A turned rule that was narrowed has to save at least so many forms. */
const MIN_SAVING = 3;

/** The turned rule as it may be used; undefined if it may not. The rules of `forms` are the others afterwards. */
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
  // Where it was right and wrong, it is tried as others are, which finds conditions.
  const { decision, rules } = await tryOn(hypothesis, reach, MIN_SAVING);
  return decision === 'accepted' ? rules[0] : undefined;
}

/** An insertion as the site calls for it. */
function calledFor({ decision, rules: [rule] }: Tried): Rule | undefined {
  return decision === 'accepted' && rule?.word !== undefined ? rule : undefined;
}

interface Turned {
  /** With what was found, if nothing speaks against it. */
  readonly rule: Rule | undefined;
  /** True if it may hold somewhere: it was right and wrong. */
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

/** Whether forms that a turn would make one are one page. */
async function areOne(joined: readonly Joined[], asker: Asker): Promise<boolean> {
  for (const [form, other] of joined) if ((await asker.ask(form, other)).kind !== 'positive') return false;
  return true;
}
