// Which URLs beyond the list would a rule change? It was tried on the list, and will be applied to what is requested
// tomorrow. Probes are made from parts of the site's own URLs, so that somebody might really write them.
import type { Rule } from '../../../rule/rule.js';
import { knownKindOf } from '../../../url/names.js';
import { isOfVisit } from '../prior.js';
import { hypothesisOf, type Hypothesis } from '../hypothesis.js';
import { inDrawOrder, type Change, type SiteForms } from '../site-forms.js';
import type { IsTracker } from '../trackers.js';
import { isWritable, type Grammar } from './grammar.js';
import type { ProbeKind } from './kind.js';
import { probesOfParameter } from './of-parameter.js';
import { probesOfPattern } from './of-pattern.js';
import { probesOfStep } from './of-step.js';
import { probesOfText } from './of-text.js';

/** A form that the list lacks, and its image under this rule and all others. */
export interface Probe {
  readonly form: string;
  readonly image: string;
}

export interface Probes {
  readonly take: number;
  /** Siblings, the best first. */
  readonly next: () => Probe | undefined;
}

/** What URLs are made of. */
export interface Making {
  readonly grammar: Grammar;
  readonly isTracker: IsTracker | undefined;
}

/** `changes`: the URLs of the list that the rule changes. */
export function probesOf(rule: Rule, changes: readonly Change[], forms: SiteForms, making: Making): Probes[] {
  const { grammar } = making;
  const hypothesis = hypothesisOf([rule], { prior: 1 });
  const made = new Set<string>();
  return kindsOf(rule, inDrawOrder(changes), making).map(({ take, urls }) => {
    const left = urls.values();
    const next = () => {
      for (const url of left) {
        const probe = probeOf(url, hypothesis, forms, grammar);
        if (probe === undefined || made.has(probe.form)) continue;
        made.add(probe.form);
        return probe;
      }
      return undefined;
    };
    return { take, next };
  });
}

/** The URLs of all kinds. The list may have some of them, or the rule may not change them. */
export function urlsOf(rule: Rule, changes: readonly Change[], making: Making): string[] {
  return kindsOf(rule, inDrawOrder(changes), making).flatMap(({ urls }) => urls);
}

/** True for names such as `utm_source`, which mean nothing on any site and need no probes. */
function isKnownEverywhere(name: string, isTracker: IsTracker | undefined): boolean {
  return knownKindOf(name) !== undefined || isOfVisit(name, isTracker);
}

function kindsOf(rule: Rule, changes: readonly Change[], { grammar, isTracker }: Making): ProbeKind[] {
  const seen = changes.map(({ form }) => form.text);
  switch (rule.kind) {
    case 'parameter':
      return isKnownEverywhere(rule.name, isTracker) ? [] : probesOfParameter(rule.name, seen, grammar);
    case 'substring':
      return probesOfText(rule, seen, grammar);
    case 'step':
      return probesOfStep(rule, changes, grammar);
    case 'pattern':
      return probesOfPattern(seen, grammar);
    default:
      return rule satisfies never;
  }
}

function probeOf(url: string, hypothesis: Hypothesis, forms: SiteForms, grammar: Grammar): Probe | undefined {
  if (grammar.has(url) || !isWritable(url)) return undefined;
  const form = forms.looseForm(forms.formOf(url));
  if (forms.has(form.text) || !forms.changes(hypothesis, form)) return undefined;
  const image = forms.imageOf(hypothesis, form);
  return image === form.text ? undefined : { form: form.text, image };
}
