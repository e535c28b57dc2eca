// How else can a rule be written? Its sides change places. The turned rule keeps the place of the original, or goes
// behind all other rules: there it gets the forms that they make, and they do not get its images.
//
//     drop-end-slash     add-end-slash
//     one-separator      & -> ;        in queries: some software writes all of its own links so
import { turnedRule, verdictTurned } from '../../rule/turn.js';
import type { Rule, StepRule, SubstringRule } from '../../rule/rule.js';

/** The reversed rule; undefined if the rule does not determine what its image was before. */
export function otherWayOf(rule: Rule): Rule | undefined {
  if (rule.kind === 'step' && rule.step === 'one-separator') return semicolons(rule);
  return turnedRule(rule);
}

function semicolons({ step: _step, text: _text, ...rule }: StepRule): SubstringRule | undefined {
  if (rule.only !== undefined || rule.except !== undefined) return undefined;
  const { word: _word, otherWay: _otherWay, hits: _hits, verdict, examples, ...bare } = rule;
  return {
    ...bare,
    kind: 'substring',
    from: '&',
    to: ';',
    anchor: 'none',
    examples: examples.map(([url, image]) => [image, url] as const),
    support: { low: 0, high: 0 },
    ...(verdict !== undefined && { verdict: verdictTurned(verdict) }),
  };
}

/** The turned rule with its own conditions. It was tried without them, so that other conditions could be found. */
export function bounded(turned: Rule): Rule {
  const isSemicolons = turned.kind === 'substring' && turned.from === '&' && turned.to === ';';
  return isSemicolons && turned.only === undefined ? { ...turned, only: [{ part: 'query', is: '&' }] } : turned;
}
