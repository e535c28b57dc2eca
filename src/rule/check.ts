// Is a value a rules file? Nothing here needs Node, so that browsers check what they are given as the commands do; these say
// more of what is wrong (`file.ts`).
import { UserError } from '../base/error.js';
import { compileSchema, mismatchAt } from './conform.js';
import { checkMeaning } from './meaning.js';
import type { Rule, RulesFile } from './rule.js';
import { rulesFileSchema } from './schema.js';

/** A JSON pointer to the first place where a value is not as the schema says, and what is wrong there. */
export interface Mismatch {
  readonly pointer: string;
  readonly fault: string;
}

export const advice = 'Expected a rules file of version 1, as `dustbuster mine` writes it';

/** The value, which `name` is for in messages. Throws {@link UserError} with the place that is wrong. */
export function checkRules(
  value: unknown,
  name: string,
  describe: (value: unknown) => Mismatch = describePlace,
): RulesFile {
  if (!isRulesFile(value)) throw new UserError(describeMismatch(value, name, describe));
  checkMeaning(value, name);
  return value;
}

let isAsTheSchemaSays: ((value: unknown) => boolean) | undefined;

function isRulesFile(value: unknown): value is RulesFile {
  isAsTheSchemaSays ??= compileSchema(rulesFileSchema);
  return isAsTheSchemaSays(value);
}

function describePlace(value: unknown): Mismatch {
  return { pointer: mismatchAt(value, rulesFileSchema), fault: 'this is not what a rules file of version 1 has there' };
}

function describeMismatch(value: unknown, name: string, describe: (value: unknown) => Mismatch): string {
  const file = typeof value === 'object' && value !== null ? (value as Partial<RulesFile>) : undefined;
  if (file?.format !== 'dustbuster-rules')
    return `${name} is no rules file: /format is not "dustbuster-rules". ${advice}.`;
  if (file.version !== 1) {
    const got = JSON.stringify(file.version) ?? 'none';
    return `${name}: unknown version ${got} at /version. This program reads version 1; update it, or mine again.`;
  }
  const { pointer, fault } = describe(value);
  const place = pointer === '' ? 'the top level' : pointer;
  return `${name}: at ${place}${rankAt(file, pointer)}: ${fault}. Mend the file there, or write it again.`;
}

/** ` (rule of rank 7)` where a JSON pointer leads into a rule that has a rank. */
function rankAt(file: Partial<RulesFile>, pointer: string): string {
  const index = /^\/rules\/(\d+)/.exec(pointer)?.[1];
  if (index === undefined) return '';
  const rank = (file.rules?.[Number(index)] as Partial<Rule> | null | undefined)?.rank;
  return typeof rank === 'number' ? ` (rule of rank ${rank})` : ` (rule number ${Number(index) + 1} in the file)`;
}
