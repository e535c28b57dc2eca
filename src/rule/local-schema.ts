// The JSON Schema of a file of local rules. `local.ts` checks what a schema cannot express: that a pin is a whole rule,
// and that a veto names something.

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
          ...says.pattern,
          ...whereItHolds,
        },
      },
    },
  },
} as const);
