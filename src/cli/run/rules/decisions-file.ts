// The file that a user's decisions are kept in, for the commands that add some.
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { printable } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import { systemCode, UserError } from '../../../base/error.js';
import { systemName } from '../../../base/file-name.js';
import { lockFolder } from '../../../base/lock.js';
import { writeFileWhole } from '../../../base/output.js';
import { writeLocalRules } from '../../../rule/decide.js';
import { readLocalRules, type LocalEntry, type LocalRules } from '../../../rule/local.js';
import { localFileBeside } from '../../flags/local.js';
import { distrust, refuseReplacing, unreadable } from '../../files.js';
import { guardingOutput } from '../../terminal/signals.js';

/** The file that belongs to the rules file `name`, or the one that was named. */
export function decisionsFile(name: string, local: string | undefined, effects: Effects): string {
  if (name === '-' && local === undefined) {
    throw new UserError('rules from standard input have no folder for decisions; name the file for them with --local');
  }
  const file = local ?? localFileBeside(name);
  refuseReplacing(name, file, effects);
  return file;
}

/** Undefined if there is no such file yet. One that strangers may write is not added to. */
export async function readDecisions(
  name: string,
  isDefault: boolean,
  effects: Effects,
): Promise<LocalRules | undefined> {
  const path = resolve(effects.cwd, name);
  const reason = isDefault ? await distrust(path) : undefined;
  if (reason !== undefined) {
    throw new UserError(`${printable(name)} is not changed: ${reason}. --local ${printable(name)} changes it`);
  }
  try {
    return readLocalRules(await readFile(systemName(path)), printable(name));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw unreadable(error, name, 'Name another with --local');
  }
}

/** Nobody else adds to the decisions meanwhile: they are read, and written as a whole. */
export async function lockDecisions<T>(
  name: string,
  command: string,
  effects: Effects,
  work: () => Promise<T>,
): Promise<T> {
  const lock = await lockFolder(dirname(resolve(effects.cwd, name)), effects.now(), command);
  try {
    return await work();
  } finally {
    lock.release();
  }
}

/** Returns what the file now says. */
export async function writeDecisions(
  name: string,
  entries: readonly LocalEntry[],
  before: LocalRules | undefined,
  effects: Effects,
): Promise<LocalRules> {
  const text = writeLocalRules(entries, before?.note);
  await guardingOutput(() => writeFileWhole(name, [text], effects));
  return readLocalRules(Buffer.from(text), printable(name));
}
