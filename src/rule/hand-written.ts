// Files that people may have edited: JSON, held to a schema, and where it is wrong the place and what was expected there.
// For the rules file and for local rules alike.
import { createRequire } from 'node:module';
import type { ErrorObject } from 'ajv/dist/2020.js';
import { UserError } from '../base/error.js';
import type { Schema } from './conform.js';
import { lineAndColumn, syntaxErrorAt } from './json.js';

/** What to do about a file: that is empty or no text, that is no such file, that is cut off. Sentences without a full stop. */
export interface Remedies {
  readonly none: string;
  readonly foreign: string;
  readonly again: string;
}

/** The JSON in `bytes`; `name` is what messages call the file. Throws {@link UserError} with line and column. */
export function parseJson(bytes: Uint8Array, name: string, remedies: Remedies): unknown {
  if (bytes.length === 0) throw new UserError(`${name} is empty. ${remedies.none}.`);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UserError(`${name} is not UTF-8 text. ${remedies.foreign}.`);
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new UserError(describeSyntax(text, name, remedies));
  }
}

function describeSyntax(text: string, name: string, { foreign, again }: Remedies): string {
  const at = syntaxErrorAt(text);
  const place = `${name}:${lineAndColumn(text, at)}`;
  if (at >= text.length) return `${place}: the JSON ends too soon; the file is cut off. ${again}.`;
  const char = String.fromCodePoint(text.codePointAt(at)!);
  const got = JSON.stringify(char);
  if (at === 0 || !'{['.includes(text.trimStart()[0]!)) return `${place}: not JSON, got ${got}. ${foreign}.`;
  const comment = char === '/' || char === '#' ? ' JSON has no comments: write them as "note".' : '';
  return `${place}: damaged JSON, got ${got} where it cannot stand.${comment} Mend the file at that place, or write it again.`;
}

/**
 * The first place where `value` is not as the schema says: a JSON pointer, and what was got and expected. `require` loads ajv
 * here and now, so that reading stays synchronous and only a file that is wrong pays for it.
 */
export function findMismatch(value: unknown, schema: Schema): { readonly pointer: string; readonly fault: string } {
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

/** A value in at most 60 characters. */
export function brief(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
