// Rules and files for tests, with everything that does not matter filled in.
import { isRunByte } from '../../src/url/token.js';
import type {
  Anchor,
  Audit,
  ParameterRule,
  Rule,
  RulesFile,
  StepName,
  PatternRule,
  StepRule,
  SubstringRule,
} from '../../src/rule/rule.js';

export function sampleRule(from: string, to: string, more: Partial<SubstringRule> = {}): SubstringRule {
  return {
    rank: 1,
    site: '*',
    kind: 'substring',
    from,
    to,
    anchor: 'none',
    status: 'valid',
    support: { low: 12, high: 15 },
    against: 1,
    confidence: 0.667,
    examples: [],
    ...more,
  };
}

export function sampleParameter(name: string, more: Partial<ParameterRule> = {}): ParameterRule {
  return {
    rank: 1,
    site: '*',
    kind: 'parameter',
    name,
    action: 'remove',
    value: null,
    scope: 'site',
    path: '',
    status: 'valid',
    support: { groups: 12, urls: 40 },
    against: 1,
    chance: 0.01,
    confidence: 0.667,
    examples: [],
    ...more,
  };
}

/** One form of 300 is gone. */
export function sampleAudit(more: Partial<Audit> = {}): Audit {
  return {
    sample: 300,
    different: 0,
    dead: 1,
    redirecting: 0,
    unjudged: { 'u: status': 7, 'v: robots': 1 },
    bound: 0.015715,
    failures: [],
    urls: 7414,
    forms: 4102,
    longer: 0,
    unsettled: 2,
    narrowed: 0,
    retired: 0,
    ...more,
  };
}

export function sampleStep(step: StepName, text = '', more: Partial<StepRule> = {}): StepRule {
  return {
    rank: 1,
    site: '*',
    kind: 'step',
    step,
    text,
    status: 'valid',
    support: { urls: 40 },
    against: 1,
    confidence: 0.667,
    examples: [],
    ...more,
  };
}

export function samplePattern(pattern: string, template: string, more: Partial<PatternRule> = {}): PatternRule {
  return {
    rank: 1,
    site: '*',
    kind: 'pattern',
    pattern,
    template,
    use: 'write',
    status: 'valid',
    support: { clusters: 12, urls: 40 },
    against: 1,
    confidence: 0.9,
    examples: [],
    ...more,
  };
}

export const stepNames: readonly StepName[] = [
  'fold-slashes',
  'drop-end-slash',
  'add-end-slash',
  'drop-segment',
  'drop-last-segment',
  'lower-case',
  'drop-empty-fields',
  'drop-number-fields',
  'drop-repeated-fields',
  'sort-fields',
  'sort-values',
  'sort-items',
  'drop-repeated-items',
  'one-separator',
  'unescape',
  'trim-end',
];

/** Places of lists that URLs of short words have. */
export const somePlaces: readonly string[] = ['?a -', '?b &', '/a/ -', '/ /', '/a/ / b', '?a /', '?a - b'];

/** A valid text for a step about `word`, at a place of items. */
export function stepText(step: StepName, word: string, place: string): string {
  if (step.endsWith('-items')) return place;
  return step === 'drop-segment' || step === 'drop-last-segment' || step === 'lower-case' ? word : '';
}

/** Those of the rules that substitute substrings. */
export function substringRules<R extends Pick<Rule, 'kind'>>(rules: Iterable<R>): Extract<R, { kind: 'substring' }>[] {
  return Array.from(rules).filter((rule): rule is Extract<R, { kind: 'substring' }> => rule.kind === 'substring');
}

export function sampleFile(rules: readonly Rule[], more: Partial<RulesFile> = {}): RulesFile {
  return {
    format: 'dustbuster-rules',
    version: 1,
    generator: 'dustbuster 0.1.0',
    options: {
      S: 35,
      T_low: 6,
      T_high: 11,
      MRD: 0.05,
      MAD: 1,
      MW: 1100,
      MS: 3,
      rank: 'confidence',
      similarity: true,
      site: 'domain',
      minSiteUrls: 20,
      scheme: 'http',
      base: null,
      maxUrlLength: 2048,
    },
    inputs: [],
    urls: 100,
    sites: { mined: 1, skipped: 0 },
    urlForm: 'absolute',
    normalization: 'safe',
    rules,
    ...more,
  };
}

export const anchors: readonly Anchor[] = ['none', 'start', 'end', 'both'];

/** The tokens of ASCII text, one obvious step at a time. */
export function naiveTokens(text: string): string[] {
  const list: string[] = [];
  for (let at = 0; at < text.length; at++) {
    const goesOn = at > 0 && isRunByte(text.charCodeAt(at)) && isRunByte(text.charCodeAt(at - 1));
    if (goesOn) list[list.length - 1] += text[at]!;
    else list.push(text[at]!);
  }
  return list;
}
