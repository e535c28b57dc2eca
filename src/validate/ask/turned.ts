// Does a rule hold the other way round, where the log goes by its other side? That the pages are the same has been
// asked; open is whether the new images answer by themselves, also those that the log lacks. A few samples tell: one of
// each corner of the site, then others.
import type { Rule } from '../../rule/rule.js';
import type { Asker } from './answer.js';
import { inDrawOrder, type Reach } from './site-forms.js';
import { tourOf } from './strata.js';

const SAMPLES = 12;
const LEAST_SAMPLES = 3;
/** Samples that may be asked for, as some say nothing. */
const MOST_ASKED = 20;

/** The turned rule with what was found, if nothing speaks against it. */
export async function confirmedByFew(
  turned: Rule,
  { changes }: Reach,
  asker: Asker,
  choosing: ReadonlySet<string>,
): Promise<Rule | undefined> {
  const order = [
    ...new Set([...tourOf(changes, [], choosing).slice(0, SAMPLES - LEAST_SAMPLES), ...inDrawOrder(changes)]),
  ];
  const positives: (readonly [string, string])[] = [];
  for (const { form, image } of order.slice(0, MOST_ASKED)) {
    if (positives.length === SAMPLES) break;
    const answer = await asker.ask(form.text, image);
    if (answer.kind === 'stop' || answer.kind === 'negative') return undefined;
    if (answer.kind === 'positive') positives.push([form.text, image]);
  }
  if (positives.length < Math.min(LEAST_SAMPLES, changes.length)) return undefined;
  const { verdict } = turned;
  if (verdict === undefined) return turned;
  return { ...turned, verdict: { ...verdict, positives: positives.slice(0, 3) } };
}
