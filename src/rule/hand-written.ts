// Files that people may have edited are held to a schema: where one is wrong, what was got and what was expected there. For the
// rules file and for local rules alike.
import { createRequire } from 'node:module';
import type { ErrorObject } from 'ajv/dist/2020.js';
import type { Mismatch } from './check.js';
import type { Schema } from './conform.js';
import { brief } from './json.js';

/**
 * The first place where `value` is not as the schema says: a JSON pointer, and what was got and expected. `require` loads ajv
 * here and now, so that reading stays synchronous and only a file that is wrong pays for it.
 */
export function findMismatch(value: unknown, schema: Schema): Mismatch {
  const load = createRequire(import.meta.url);
  const { Ajv2020 } = load('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  const check = new Ajv2020({ allowUnionTypes: true, verbose: true }).compile(schema);
  if (check(value)) throw new Error('schema: ajv allows what conform.ts does not');
  const error = check.errors![0]!;
  return { pointer: error.instancePath, fault: expectation(error) };
}

function expectation(error: ErrorObject): string {
  const params = error.params as Readonly<Record<string, unknown>>;
  switch (error.keyword) {
    case 'required':
      return `the field "${String(params['missingProperty'])}" is missing`;
    case 'additionalProperties':
      return `the field "${String(params['additionalProperty'])}" is unknown to version 1`;
    case 'enum':
      return `got ${brief(error.data)}, expected one of ${(params['allowedValues'] as unknown[]).join(', ')}`;
    case 'const':
      return `got ${brief(error.data)}, expected ${JSON.stringify(params['allowedValue'])}`;
    default:
      return `got ${brief(error.data)}, which ${error.message ?? 'is not as expected'}`;
  }
}
