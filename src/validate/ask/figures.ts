// The figures of a rule that was not mined from a log, but found by asking the site.
import { wilsonLower } from '../../mine/rank.js';
import type { Rule, Verdict } from '../../rule/rule.js';
import { inDrawOrder, type Change, type SiteForms } from './site-forms.js';

/**
 * Support, examples and confidence; empty for a mined rule, which has them. Instances are pairs with both URLs in the
 * list.
 */
export function figuresOf(
  rule: Rule,
  changes: readonly Change[],
  { positive, negative }: Verdict,
  forms: SiteForms,
): Partial<Rule> {
  const isMined = rule.kind === 'substring' ? rule.support.low > 0 : rule.examples.length > 0;
  if (isMined) return {};
  const examples = inDrawOrder(changes)
    .slice(0, 3)
    .map(({ form, image }) => [form.text, image] as const);
  const figures = { examples, confidence: wilsonLower(positive, negative), against: negative };
  const instances = changes.filter(({ image }) => forms.has(image)).length;
  switch (rule.kind) {
    case 'substring':
      return { ...figures, support: { low: instances, high: instances } };
    case 'parameter':
      return { ...figures, support: { groups: instances, urls: changes.length } };
    case 'step':
      return { ...figures, support: { urls: changes.length } };
    case 'pattern':
      return { ...figures, support: { clusters: instances, urls: changes.length } };
    default:
      return rule satisfies never;
  }
}
