// What does a rules file look like? This JSON Schema (draft 2020-12) is the only definition: `conform` checks files by
// it, `file` writes fields in its order, and a test compares the interfaces in `rule` with it. It lists every field and
// refuses all others, so that a misspelt name is found. A byte that is not UTF-8 is the lone surrogate U+DC80 … U+DCFF
// in a string, written as an escape (`\udc80`).

import { count, RECORDED, RECORDED_LATER, yesOrNo } from './mine-options.js';
import { STEP_NAMES } from './step.js';

const counts = { type: 'object', additionalProperties: count } as const;

/** An object with these fields and no others. */
function record<const P extends object, const O extends keyof P & string = never>(
  properties: P,
  optional: readonly O[] = [],
) {
  type Name = keyof P & string;
  const isRequired = (name: Name): name is Exclude<Name, O> => !optional.includes(name as O);
  const required = (Object.keys(properties) as Name[]).filter(isRequired);
  return { type: 'object', required, additionalProperties: false, properties } as const;
}

/** An object with some of these fields and no others. */
function anyOf<const P extends Readonly<Record<string, unknown>>>(properties: P) {
  return record(properties, Object.keys(properties) as (keyof P & string)[]);
}

const text = { type: 'string' } as const;
const pair = { type: 'array', items: text, minItems: 2, maxItems: 2 } as const;
const judgedPair = { type: 'array', items: text, minItems: 3, maxItems: 3 } as const;
const share = { type: 'number', minimum: 0, maximum: 1 } as const;

const verdict = record(
  {
    source: { enum: ['live', 'warc', 'log', 'clusters'] },
    positive: count,
    negative: count,
    unjudged: counts,
    undecided: { enum: ['few-samples', 'no-decision', 'budget', 'interrupted'] },
    positives: { type: 'array', maxItems: 3, items: pair },
    negatives: { type: 'array', maxItems: 3, items: judgedPair },
  },
  ['undecided'],
);

const hits = record({ kept: count, given: count });
const mark = { enum: [true, false, 'local'] } as const;
/** A day in UTC, such as 2026-11-21. */
const night = text;

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
  /** A short name for what the rule says (`id`). */
  id: text,
  /** Domain or host; '' for a log without hosts; '*' for every URL. */
  site: text,
} as const;

const use = { enum: ['write', 'key'] } as const;

/** Fields that only rules of one kind have, and that say what the rule does. Local rules have the same fields. */
export const says = {
  substring: {
    from: text,
    to: text,
    anchor: { enum: ['none', 'start', 'end', 'both'] },
  },
  parameter: {
    name: { type: 'string', minLength: 1 },
    action: { enum: ['remove', 'set'] },
    value: { type: ['string', 'null'] },
    scope: { enum: ['site', 'prefix', 'path'] },
    path: text,
  },
  step: { step: { enum: STEP_NAMES }, text },
  pattern: { pattern: text, template: text, use },
} as const;

export const kinds = Object.keys(says) as readonly (keyof typeof says)[];

const textCondition = record({
  part: { enum: ['host', 'first', 'last', 'segment', 'extension', 'parameter', 'field', 'query', 'text'] },
  is: text,
});

const countCondition = record({ part: { enum: ['depth', 'fields'] }, is: count });

/** The part decides which of the two conditions this is. */
const condition = {
  type: 'object',
  required: ['part'],
  if: { properties: { part: { enum: ['depth', 'fields'] } } },
  // eslint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: countCondition,
  else: textCondition,
} as const;

const conditions = { type: 'array', minItems: 1, items: condition } as const;

/** Conditions of a rule, for rules files and local rules. */
export const whereItHolds = {
  /** The rule holds only for URLs that meet at least one of these … */
  only: conditions,
  /** … and never for URLs that meet any of these. */
  not: conditions,
} as const;

const limits = {
  use,
  /** How the site itself confirms that the image is the right URL. */
  word: { enum: ['redirect', 'canonical'] },
  ...whereItHolds,
} as const;

const status = { enum: ['likely', 'valid', 'invalid'] } as const;

const ofHosts = record({ of: count, holds: count, least: share, software: text }, ['software']);

/** Fields after the statement of a rule and its figures: the URLs and pages that are its evidence. */
export const shown = {
  examples: { type: 'array', maxItems: 3, items: pair },
  except: { type: 'array', items: text },
  verdict,
  otherWay: verdict,
  /** Hits of the log at the forms, and at the URLs that the rule changes. */
  likeliness: share,
  /** The site's forms send what the rule drops, or its controls show it. */
  control: { enum: ['form', 'state'] },
  hits,
  hosts: ofHosts,
  pin: mark,
  veto: mark,
  note: text,
  history,
} as const;

/** All fields except the statement, the figures and the examples, which come first. */
const optional = ['id', ...Object.keys(limits), ...Object.keys(shown).slice(1)] as readonly (
  'id' | keyof typeof limits | Exclude<keyof typeof shown, 'examples'>
)[];

type Properties = Readonly<Record<string, unknown>>;

/** A rule of one kind: what it says, its support, and figures that no other kind has. */
function ruleOf<const K extends keyof typeof says, const S extends Properties, const F = unknown>(
  kind: K,
  support: S,
  figures?: F,
) {
  return record(
    {
      ...everyRule,
      kind: { const: kind },
      ...says[kind],
      ...limits,
      status,
      support: record(support),
      against: count,
      ...figures,
      confidence: share,
      ...shown,
    } as unknown as Fields<K, S, F>,
    optional,
  );
}

/** The type of a rule's fields. The compiler cannot infer it, as K, S and F are unknown inside the function. */
type Fields<K extends keyof typeof says, S extends Properties, F> = typeof everyRule & {
  readonly kind: { readonly const: K };
} & (typeof says)[K] &
  typeof limits & {
    readonly status: typeof status;
    readonly support: ReturnType<typeof record<S, never>>;
    readonly against: typeof count;
    readonly confidence: typeof share;
  } & F &
  typeof shown;

const substringRule = ruleOf('substring', { low: count, high: count });
const parameterRule = ruleOf('parameter', { groups: count, urls: count }, { chance: share });
const stepRule = ruleOf('step', { urls: count });
const patternRule = ruleOf('pattern', { clusters: count, urls: count });

/** `then` applies to rules of this kind, `others` to the rest. */
function ofKind<K extends string, T, O>(kind: K, then: T, others: O) {
  // eslint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  return { if: { properties: { kind: { const: kind } } }, then, else: others } as const;
}

/** The kind decides which schema applies, so that an error message is about this kind only. */
export const ruleSchema = {
  type: 'object',
  required: ['kind'],
  properties: { kind: { enum: kinds } },
  ...ofKind(
    'parameter',
    parameterRule,
    ofKind('substring', substringRule, ofKind('step', stepRule, ofKind('pattern', patternRule, {}))),
  ),
} as const;

const texts = { type: 'array', minItems: 1, items: text } as const;

const filters = anyOf({
  since: text,
  until: text,
  hosts: texts,
  include: texts,
  exclude: texts,
  onlyDocuments: yesOrNo,
  bots: { enum: ['only', 'none'] },
});

const prefer = anyOf({ host: text, scheme: RECORDED.scheme });

const options = record({ ...RECORDED, filters, prefer, write: texts, clusters: text }, [
  ...RECORDED_LATER,
  'filters',
  'prefer',
  'write',
  'clusters',
]);

const audit = record(
  {
    sample: count,
    probes: count,
    wanted: count,
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
  },
  ['probes', 'wanted'],
);

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
  name: text,
  format: text,
  lines: count,
  records: count,
  dropped: counts,
  rejected: counts,
  truncated: yesOrNo,
});

/** The contents of a rules file, for callers that do not need the schema's name. */
export const rulesFile = record(
  {
    format: { const: 'dustbuster-rules' },
    version: { const: 1 },
    generator: text,
    created: text,
    /** Near the top, where a file is looked into. */
    partial: text,
    options,
    inputs: { type: 'array', items: input },
    state: text,
    urls: count,
    sites: record({ mined: count, skipped: count }),
    urlForm: { enum: ['absolute', 'path', 'mixed'] },
    normalization: { enum: ['safe', 'none'] },
    part: text,
    /** Lines of the public suffix list above, at or below the sites of the rules, if they have dots. */
    publicSuffixes: {
      type: 'array',
      items: text,
    },
    validation,
    night,
    rules: { type: 'array', items: ruleSchema },
  },
  ['created', 'state', 'part', 'publicSuffixes', 'partial', 'validation', 'night'],
);

/** A schema with a title, for publication. */
export function titled<S extends object>(title: string, schema: S) {
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', title, ...schema } as const;
}

// Marked as pure, so that bundlers leave it out for browsers.
export const rulesFileSchema = /* @__PURE__ */ titled('dustbuster rules file, version 1', rulesFile);
