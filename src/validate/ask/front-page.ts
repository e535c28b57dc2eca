// Which other URLs show the front page? `/index.php`, `/wiki/` and `/start` are one URL each. That saves too little for
// a question of its own, but these URLs have more hits than most. So a dozen short URLs are requested: first those that
// look like an index, then those with the most hits. The resulting rule names exactly these URLs, as no others were
// asked about.
import type { Rule, Verdict } from '../../rule/rule.js';
import type { Asker } from './answer.js';
import { figuresOf } from './figures.js';
import { hypothesisOf } from './hypothesis.js';
import { partsOf } from './parts.js';
import { substringRule } from './questions.js';
import type { Form, SiteForms } from './site-forms.js';
import { INDEX } from './strata.js';

const MOST_ASKED = 12;
const MOST_NAMES = 3;
const MOST_SEGMENTS = 2;

/** Rules for URLs of the front page that the rules in use do not merge yet. `hitsOf`: lines of a URL in the log. */
export async function namesOfFrontPage(
  site: string,
  forms: SiteForms,
  asker: Asker,
  hitsOf: (url: string) => number,
): Promise<Rule[]> {
  const home = homeOf(forms);
  if (home === undefined) return [];
  const rules: Rule[] = [];
  for (const form of shortForms(forms, home, hitsOf).slice(0, MOST_ASKED)) {
    if (rules.length === MOST_NAMES) break;
    const answer = await asker.ask(form.text, home);
    if (answer.kind === 'stop') break;
    if (answer.kind === 'positive') rules.push(nameRule(site, form, home, forms, asker));
  }
  return rules;
}

/** The root URL (`http://h/`) of the host with the most forms. */
function homeOf(forms: SiteForms): string | undefined {
  const counts = new Map<string, number>();
  for (const { text } of forms.all()) {
    const { scheme, host } = partsOf(text);
    const home = `${scheme}${host}/`;
    counts.set(home, (counts.get(home) ?? 0) + 1);
  }
  const [home] = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))[0] ?? [];
  return home !== undefined && forms.has(home) ? home : undefined;
}

function shortForms(forms: SiteForms, home: string, hitsOf: (url: string) => number): Form[] {
  const isIndex = ({ text }: Form) => INDEX.test(partsOf(text).segments.at(-1)!);
  const isShort = ({ text }: Form) => {
    const { segments, query } = partsOf(text);
    return text !== home && text.startsWith(home) && segments.length <= MOST_SEGMENTS && query === undefined;
  };
  // The archive of this year may have the same articles, but only today.
  const isNamed = ({ text }: Form) => /\p{L}/u.test(partsOf(text).segments.join(''));
  return [...forms.all()]
    .filter((form) => isShort(form) && isNamed(form))
    .sort(
      (a, b) =>
        Number(isIndex(b)) - Number(isIndex(a)) || hitsOf(b.text) - hitsOf(a.text) || (a.text < b.text ? -1 : 1),
    );
}

function nameRule(site: string, form: Form, home: string, forms: SiteForms, asker: Asker): Rule {
  const rule = substringRule(site, form.text, home, 'both');
  const verdict: Verdict = {
    source: asker.judge.source.name,
    positive: 1,
    negative: 0,
    unjudged: {},
    positives: [[form.text, home]],
    negatives: [],
  };
  const { changes } = forms.reachOf(hypothesisOf([rule], { prior: 1 }), [form]);
  return { ...rule, ...figuresOf(rule, changes, verdict, forms), status: 'valid', verdict } as Rule;
}
