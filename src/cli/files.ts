// Which files may not be the same, and what is said where one cannot be read.
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { printable } from '../base/bytes.js';
import type { Effects } from '../base/effects.js';
import { systemCode, UserError } from '../base/error.js';

/** Throws a UserError where the result would take the place of the rules that it is made by. */
export function refuseReplacing(rules: string, output: string, { cwd }: Pick<Effects, 'cwd'>): void {
  if (rules === '-' || output === '-' || !isSameFile(resolve(cwd, rules), resolve(cwd, output))) return;
  throw new UserError(
    `${printable(output)} is the rules file; expected another file for the result, or it would be lost`,
  );
}

export function isSameFile(one: string, other: string): boolean {
  try {
    return realpathSync(one) === realpathSync(other);
  } catch {
    return false; // not there yet
  }
}

/** Standard input can be read once. `named`: what is asked to be read, with the option that names it. */
export function refuseTwice(...named: readonly (readonly [option: string, names: readonly string[]])[]): void {
  const asking = named.filter(([, names]) => names.includes('-')).map(([option]) => option);
  if (asking.length < 2) return;
  throw new UserError(`${asking.join(' and ')} are both standard input; expected a file for one of them`);
}

const causes: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'permission is denied',
  EISDIR: 'it is a folder, a file was expected',
  ENOTDIR: 'a part of its path is no folder',
};

/** What a failed reading means to the user; a bug stays what it is. */
export function unreadable(error: unknown, name: string, advice: string): unknown {
  const code = systemCode(error);
  if (code === undefined) return error;
  return new UserError(`cannot read ${printable(name)}: ${causes[code] ?? code}. ${advice}.`, { cause: error });
}
