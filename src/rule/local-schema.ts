// What a file of local rules looks like, as a JSON Schema: shown to users as it is. What it cannot say (that a pin has to be a
// whole rule, that a veto has to name something) `local.ts` does.

import { ofSteps, whereItHolds } from './schema.js';

const text = { type: 'string' } as const;

export const localRulesSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'dustbuster local rules, version 1',
  type: 'object',
  required: ['format', 'version', 'rules'],
  additionalProperties: false,
  properties: {
    format: { const: 'dustbuster-local' },
    version: { const: 1 },
    note: text,
    rules: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        properties: {
          pin: { const: true },
          veto: { const: true },
          note: text,
          kind: { enum: ['substring', 'parameter', 'step'] },
          site: text,
          from: text,
          to: text,
          anchor: { enum: ['none', 'start', 'end', 'both'] },
          name: { type: 'string', minLength: 1 },
          action: { enum: ['remove', 'set'] },
          value: { type: ['string', 'null'] },
          scope: { enum: ['site', 'prefix', 'path'] },
          path: text,
          ...ofSteps,
          ...whereItHolds,
        },
      },
    },
  },
} as const;
