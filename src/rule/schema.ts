// What a rules file looks like, as a JSON Schema (draft 2020-12): every file is held to it, and it is shown to users and
// to other programs as it is. It knows every field; what is not here is refused, so that a slip of the pen is found.
// A byte that is no UTF-8 stands in a string as the lone surrogate U+DC80 … U+DCFF, written as an escape (`\udc80`).

import { count, RECORDED, RECORDED_LATER } from './mine-options.js';
import type { StepName } from './rule.js';

const counts = { type: 'object', additionalProperties: count } as const;

function record<P extends Readonly<Record<string, unknown>>>(properties: P, optional: readonly string[] = []) {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', required, additionalProperties: false, properties } as const;
}

const pair = { type: 'array', items: { type: 'string' }, minItems: 2, maxItems: 2 } as const;
const judgedPair = { type: 'array', items: { type: 'string' }, minItems: 3, maxItems: 3 } as const;
const share = { type: 'number', minimum: 0, maximum: 1 } as const;

const verdict = record(
  {
    source: { enum: ['live', 'warc', 'log'] },
    positive: count,
    negative: count,
    unjudged: counts,
    undecided: { enum: ['few-samples', 'no-decision', 'budget', 'interrupted'] },
    positives: { type: 'array', maxItems: 3, items: pair },
    negatives: { type: 'array', maxItems: 3, items: judgedPair },
  },
  ['undecided'],
);

const mark = { enum: [true, false, 'local'] } as const;
const night = { type: 'string', description: 'a day by UTC, as in 2026-11-21' } as const;

const retirement = record({ night, pair: judgedPair, failures: count, retryFrom: night }, ['pair']);

const history = record(
  {
    firstSeen: night,
    lastSupported: night,
    lastValidated: night,
    lastTried: night,
    verdictSince: night,
    visits: count,
    changes: count,
    days: count,
    retired: retirement,
  },
  ['lastValidated', 'lastTried', 'verdictSince', 'retired'],
);

const everyRule = {
  rank: { type: 'integer', minimum: 1 },
  site: { type: 'string', description: "domain or host; '' for a log without hosts; '*' for every URL" },
} as const;

const stepNames = [
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
  'one-separator',
  'unescape',
  'trim-end',
] as const satisfies readonly StepName[];

/** Where a rule holds: what says it is shared with local rules. */
export const ofSteps = { step: { enum: stepNames }, text: { type: 'string' } } as const;

const textCondition = record({
  part: { enum: ['host', 'first', 'last', 'segment', 'extension', 'parameter', 'field', 'text'] },
  is: { type: 'string' },
});

const countCondition = record({ part: { enum: ['depth', 'fields'] }, is: count });

/** The part decides which of the two a condition has to be. */
const condition = {
  type: 'object',
  required: ['part'],
  if: { properties: { part: { enum: ['depth', 'fields'] } } },
  // eslint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: countCondition,
  else: textCondition,
} as const;

const conditions = { type: 'array', minItems: 1, items: condition } as const;

/** Where a rule holds, of rules in either file. */
export const whereItHolds = {
  only: { ...conditions, description: 'the rule holds only where the URL has at least one of these' },
  not: { ...conditions, description: 'the rule holds nowhere where the URL has one of these' },
} as const;

const limits = {
  word: { enum: ['redirect', 'canonical'], description: 'how the site itself says that the image is the right URL' },
  ...whereItHolds,
} as const;

const evidence = {
  status: { enum: ['likely', 'valid', 'invalid'] },
  against: count,
  confidence: share,
  examples: { type: 'array', maxItems: 3, items: pair },
  except: { type: 'array', items: { type: 'string' } },
  verdict,
  otherWay: verdict,
  pin: mark,
  veto: mark,
  note: { type: 'string' },
  history,
} as const;

const optional = ['word', 'only', 'not', 'except', 'verdict', 'otherWay', 'pin', 'veto', 'note', 'history'] as const;

const substringRule = record(
  {
    ...everyRule,
    kind: { const: 'substring' },
    from: { type: 'string' },
    to: { type: 'string' },
    anchor: { enum: ['none', 'start', 'end', 'both'] },
    ...limits,
    support: record({ low: count, high: count }),
    ...evidence,
  },
  optional,
);

const parameterRule = record(
  {
    ...everyRule,
    kind: { const: 'parameter' },
    name: { type: 'string', minLength: 1 },
    action: { enum: ['remove', 'set'] },
    value: { type: ['string', 'null'] },
    scope: { enum: ['site', 'prefix', 'path'] },
    path: { type: 'string' },
    ...limits,
    support: record({ groups: count, urls: count }),
    chance: share,
    ...evidence,
  },
  optional,
);

const stepRule = record(
  {
    ...everyRule,
    kind: { const: 'step' },
    ...ofSteps,
    ...limits,
    support: record({ urls: count }),
    ...evidence,
  },
  optional,
);

/** What is asked where the kind is this one, and else `others`. */
function ofKind(kind: string, then: object, others: object = {}) {
  // eslint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  return { if: { properties: { kind: { const: kind } } }, then, else: others } as const;
}

/** The kind decides which of them a rule has to be, so that a message speaks of that one only. */
const rule = {
  type: 'object',
  required: ['kind'],
  properties: { kind: { enum: ['substring', 'parameter', 'step'] } },
  ...ofKind('parameter', parameterRule, ofKind('substring', substringRule, ofKind('step', stepRule))),
} as const;

const globs = { type: 'array', minItems: 1, items: { type: 'string' } } as const;

const filters = record(
  {
    since: { type: 'string' },
    until: { type: 'string' },
    hosts: globs,
    include: globs,
    exclude: globs,
    onlyDocuments: { type: 'boolean' },
    bots: { enum: ['only', 'none'] },
  },
  ['since', 'until', 'hosts', 'include', 'exclude', 'onlyDocuments', 'bots'],
);

const options = record({ ...RECORDED, filters }, [...RECORDED_LATER, 'filters']);

const audit = record({
  sample: count,
  different: count,
  dead: count,
  redirecting: count,
  unjudged: counts,
  bound: share,
  failures: { type: 'array', maxItems: 5, items: judgedPair },
  urls: count,
  forms: count,
  longer: count,
  unsettled: count,
  narrowed: count,
  retired: count,
});

const validation = record(
  {
    source: { enum: ['live', 'warc', 'log'] },
    stop: { enum: ['sequential', 'fixed'] },
    N: count,
    epsilon: share,
    minSamples: count,
    seed: count,
    audit,
  },
  ['audit'],
);

const input = record({
  name: { type: 'string' },
  format: { type: 'string' },
  lines: count,
  records: count,
  dropped: counts,
  rejected: counts,
  truncated: { type: 'boolean' },
});

export const rulesFileSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'dustbuster rules file, version 1',
  ...record(
    {
      format: { const: 'dustbuster-rules' },
      version: { const: 1 },
      generator: { type: 'string' },
      created: { type: 'string' },
      options,
      inputs: { type: 'array', items: input },
      urls: count,
      sites: record({ mined: count, skipped: count }),
      urlForm: { enum: ['absolute', 'path', 'mixed'] },
      normalization: { enum: ['safe', 'none'] },
      publicSuffixes: {
        type: 'array',
        items: { type: 'string' },
        description:
          'lines of the public suffix list that lie above, at or below the sites of the rules, where they have dots',
      },
      validation,
      night,
      rules: { type: 'array', items: rule },
    },
    ['created', 'publicSuffixes', 'validation', 'night'],
  ),
} as const;
