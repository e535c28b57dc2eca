// Does the site still want the inserted text? When a rule that inserts text was accepted, the site had been asked about
// the forms that reached it. Rules accepted later make other forms, about which nobody has asked:
//
//     accepted first    add-end-slash     asked for /a1, /a2, …: each redirects to /a1/, /a2/, …
//     accepted later    `.php` → ε        /old.php → /old, which is handed to the first: does it redirect to /old/?
//
// Where the site says no, a condition or exceptions leave these forms alone, or the rule is dropped.
import { isRedirect } from '../../rule/redirecting.js';
import type { Rule, Verdict } from '../../rule/rule.js';
import type { Asker } from './answer.js';
import { keptOf, separate, withConditions } from './conditions.js';
import { hypothesisOf } from './hypothesis.js';
import { growsMost, inDrawOrder, type Change, type SiteForms } from './site-forms.js';

export interface Again {
  /** The rule with its new conditions; undefined if it has to be dropped. */
  readonly rule: Rule | undefined;
  /** The forms that the site was asked about and that reach the rule. */
  readonly handed: ReadonlySet<string>;
}

/** How many new forms are requested at most. */
const MOST_NEW = 100;
/**
 * Largest share of judged forms that may become exceptions: if all new forms were requested, and if only a sample was.
 */
const MAX_EXCEPTIONS = 0.1;
const MAX_DRAWN_EXCEPTIONS = 0.02;
/** A condition that leaves the rule this share of its forms reads better than exceptions. */
const NEARLY_ALL = 0.9;

/** `forms`: the forms under the other rules. `before`: forms that the site was asked about earlier. */
export async function askAgain(
  rule: Rule,
  before: ReadonlySet<string>,
  forms: SiteForms,
  asker: Asker,
): Promise<Again> {
  const reach = forms.reachOf(hypothesisOf([rule], { prior: 1 }));
  const texts = reach.changes.map(({ form }) => form.text);
  const handed = new Set([...before, ...texts]);
  const added = inDrawOrder(reach.changes.filter(({ form }) => !before.has(form.text)));
  // Rules accepted since may have turned it into one that mostly shortens.
  if (added.length === 0 || (rule.word === undefined && !growsMost(reach))) return { rule, handed };
  const found = await heard(added.slice(0, MOST_NEW), asker);
  const old = reach.changes.filter(({ form, image }) => before.has(form.text) && asker.knows(form.text, image));
  const isWhole = found.isWhole && added.length <= MOST_NEW;
  const positives = [...(await heard(old, asker)).positives, ...found.positives];
  const next = mended(rule, texts, { ...found, positives, isWhole, confirmed: found.positives.length });
  return { rule: next, handed: found.isWhole ? handed : before };
}

interface Heard {
  readonly positives: readonly string[];
  readonly negatives: Verdict['negatives'];
  /** False if the requests ran out before all were asked. */
  readonly isWhole: boolean;
}

/** Asks the site about these forms. */
async function heard(changes: readonly Change[], asker: Asker): Promise<Heard> {
  const positives: string[] = [];
  const negatives: [form: string, image: string, reason: string][] = [];
  for (const { form, image } of changes) {
    const answer = await asker.askForWord(form.text, image);
    if (answer.kind === 'stop') return { positives, negatives, isWhole: false };
    if (answer.kind === 'positive') positives.push(form.text);
    if (answer.kind === 'negative') negatives.push([form.text, image, answer.reason]);
  }
  return { positives, negatives, isWhole: true };
}

interface Found extends Heard {
  /** How many of the positives are new. */
  readonly confirmed: number;
}

/** The rule without the forms for which the site did not confirm it. */
function mended(
  rule: Rule,
  reach: readonly string[],
  { positives, negatives, isWhole, confirmed }: Found,
): Rule | undefined {
  const failed = negatives.map(([form]) => form);
  if (failed.length === 0) return withFound(rule, confirmed, []);
  const apart = positives.length < 2 ? undefined : separate(positives, failed, reach).find(({ not }) => not.length > 0);
  const most = (isWhole ? MAX_EXCEPTIONS : MAX_DRAWN_EXCEPTIONS) * (positives.length + failed.length);
  const isEnough = apart !== undefined && keptOf(reach, apart) >= NEARLY_ALL * (reach.length - failed.length);
  if (!isEnough && failed.length <= most) {
    const except = [...new Set([...(rule.except ?? []), ...failed])];
    return { ...withFound(rule, confirmed, negatives), except };
  }
  if (apart === undefined) return undefined;
  const narrowed = withConditions(rule, { only: rule.only ?? [], not: [...(rule.not ?? []), ...apart.not] });
  return withFound(narrowed, confirmed, []);
}

/** The rule with the new evidence added to its verdict. */
function withFound(rule: Rule, positive: number, negatives: Verdict['negatives']): Rule {
  const { verdict } = rule;
  if (verdict === undefined) return rule;
  const redirectsFirst = [...verdict.negatives, ...negatives].sort(
    (a, b) => Number(isRedirect(b[2])) - Number(isRedirect(a[2])),
  );
  return {
    ...rule,
    verdict: {
      ...verdict,
      positive: verdict.positive + positive,
      negative: verdict.negative + negatives.length,
      negatives: redirectsFirst.slice(0, 3),
    },
  };
}
