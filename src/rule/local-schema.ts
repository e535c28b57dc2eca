// What does a file of local rules look like? A JSON Schema. What it cannot say (that a pin has to be a whole rule, that a veto
// has to name something) `local.ts` does.

import { kinds, says, titled, whereItHolds } from './schema.js';

const text = { type: 'string' } as const;

export const localRulesSchema = titled('dustbuster local rules, version 1', {
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
          kind: { enum: kinds },
          site: text,
          ...says.substring,
          ...says.parameter,
          ...says.step,
          ...whereItHolds,
        },
      },
    },
  },
} as const);
