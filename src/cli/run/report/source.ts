// Does `report` get rules, or a log to mine first? A rules file says in its first lines that it is one.
import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Effects } from '../../../base/effects.js';
import { systemCode, UserError } from '../../../base/error.js';
import { DEFAULT_RULES_FILE } from '../../context.js';

/** What the report is about. */
export type Source =
  | { readonly kind: 'rules'; readonly name: string; readonly log: readonly string[] | undefined }
  /** Logs whose rules are to be mined. */
  | { readonly kind: 'log'; readonly log: readonly string[] };

/** Throws a UserError for arguments that contradict each other. */
export async function sourceOf(
  names: readonly string[],
  log: readonly string[] | undefined,
  effects: Pick<Effects, 'cwd'>,
): Promise<Source> {
  const [name = DEFAULT_RULES_FILE, ...others] = names;
  if (log !== undefined && others.length > 0) {
    throw new UserError(`got --log and ${names.length} arguments; expected one with it, the rules file`);
  }
  if (log !== undefined || names.length === 0) return { kind: 'rules', name, log };
  const rules = [];
  for (const one of names) if (await saysRules(one, effects)) rules.push(one);
  if (rules.length === 0) return { kind: 'log', log: names };
  if (others.length === 0) return { kind: 'rules', name, log };
  throw new UserError(
    `${rules[0]!} is a rules file; expected the logs behind --log: dustbuster report RULES --log LOG`,
  );
}

const FIRST_BYTES = 4096;

/** Standard input has rules: logs come by --log. A file that is missing is what its name says. */
async function saysRules(name: string, { cwd }: Pick<Effects, 'cwd'>): Promise<boolean> {
  if (name === '-') return true;
  try {
    const file = await open(resolve(cwd, name), 'r');
    try {
      if (!(await file.stat()).isFile()) return false;
      const { buffer, bytesRead } = await file.read(Buffer.alloc(FIRST_BYTES), 0, FIRST_BYTES, 0);
      return /^\s*\{\s*"format":\s*"dustbuster-rules"/.test(buffer.toString('latin1', 0, bytesRead));
    } finally {
      await file.close();
    }
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return name.endsWith('.json');
  }
}
