// Is a value a rules file? Nothing here needs Node: browsers check their input as the commands do.
import { UserError } from '../base/error.js';
import { compileSchema, type Check, type Mismatch } from './conform.js';
import { checkMeaning } from './meaning.js';
import type { Rule, RulesFile } from './rule.js';
import { rulesFile } from './schema.js';

export const advice = 'Expected a rules file of version 1, as `dustbuster mine` writes it';

let checkSchema: Check | undefined;

/**
 * Returns the rules file, without ids, which `idOf` computes. Messages call the file `name`. Throws {@link UserError}
 * with the place of the error, and what was got and expected there.
 */
export function checkRules(value: unknown, name: string): RulesFile {
  checkSchema ??= compileSchema(rulesFile);
  const mismatch = checkSchema(value);
  if (mismatch !== undefined) throw new UserError(describeMismatch(value, name, mismatch));
  const file = value as RulesFile;
  checkMeaning(file, name);
  if (!file.rules.some((rule) => rule.id)) return file;
  return { ...file, rules: file.rules.map(({ id: _id, ...rule }) => rule) };
}

function describeMismatch(value: unknown, name: string, { pointer, fault }: Mismatch): string {
  const file = typeof value === 'object' && value !== null ? (value as Partial<RulesFile>) : undefined;
  if (file?.format !== 'dustbuster-rules')
    return `${name} is no rules file: /format is not "dustbuster-rules". ${advice}.`;
  if (file.version !== 1) {
    const got = JSON.stringify(file.version) ?? 'none';
    return `${name}: unknown version ${got} at /version. This program reads version 1; update it, or mine again.`;
  }
  const place = pointer === '' ? 'the top level' : pointer;
  return `${name}: at ${place}${rankAt(file, pointer)}: ${fault}. Mend the file there, or write it again.`;
}

/** ` (rule of rank 7)` if a JSON pointer leads into a rule that has a rank. */
function rankAt(file: Partial<RulesFile>, pointer: string): string {
  const index = /^\/rules\/(\d+)/.exec(pointer)?.[1];
  if (index === undefined) return '';
  const rank = (file.rules?.[Number(index)] as Partial<Rule> | null | undefined)?.rank;
  return typeof rank === 'number' ? ` (rule of rank ${rank})` : ` (rule number ${Number(index) + 1} in the file)`;
}
