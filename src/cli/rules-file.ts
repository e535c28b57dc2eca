// Reads the rules file that a command was given.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { printable } from '../base/bytes.js';
import type { Effects } from '../base/effects.js';
import { systemCode, UserError } from '../base/error.js';
import { readRules } from '../rule/file.js';
import type { RulesFile } from '../rule/rule.js';

/** Throws a UserError for a file that cannot be read or is no rules file. */
export async function loadRules(name: string, effects: Effects): Promise<RulesFile> {
  const bytes = await readFile(resolve(effects.cwd, name)).catch((error: unknown) => {
    throw unreadable(error, name, 'Write one with `dustbuster mine`, or name another file');
  });
  return readRules(bytes, printable(name));
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
