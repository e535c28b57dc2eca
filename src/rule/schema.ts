// What a rules file looks like, as a JSON Schema (draft 2020-12): read by ajv on every reading, and shown to users and
// to other programs as it is. It knows every field; what is not here is refused, so that a slip of the pen is found.
// A byte that is no UTF-8 stands in a string as the lone surrogate U+DC80 … U+DCFF, written as an escape (`\udc80`).

const count = { type: 'integer', minimum: 0 } as const;
const counts = { type: 'object', additionalProperties: count } as const;

function record<P extends Readonly<Record<string, unknown>>>(properties: P, optional: readonly string[] = []) {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', required, additionalProperties: false, properties } as const;
}

const substringRule = record({
  rank: { type: 'integer', minimum: 1 },
  site: { type: 'string', description: "domain or host; '' for a log without hosts; '*' for every URL" },
  kind: { const: 'substring' },
  from: { type: 'string' },
  to: { type: 'string' },
  anchor: { enum: ['none', 'start', 'end', 'both'] },
  status: { enum: ['likely', 'valid', 'invalid'] },
  support: record({ low: count, high: count }),
  against: count,
  confidence: { type: 'number', minimum: 0, maximum: 1 },
  examples: {
    type: 'array',
    maxItems: 3,
    items: { type: 'array', items: { type: 'string' }, minItems: 2, maxItems: 2 },
  },
});

const options = record({
  S: count,
  T_low: count,
  T_high: count,
  MRD: { type: 'number', minimum: 0 },
  MAD: { type: 'number', minimum: 0 },
  MW: count,
  MS: count,
  rank: { enum: ['confidence', 'support'] },
  similarity: { type: 'boolean' },
  site: { enum: ['domain', 'host', 'all'] },
  minSiteUrls: count,
  scheme: { enum: ['http', 'https'] },
  base: { type: ['string', 'null'] },
  maxUrlLength: count,
});

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
      rules: { type: 'array', items: substringRule },
    },
    ['created'],
  ),
} as const;
