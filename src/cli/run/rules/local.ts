// Finds and applies local rules: the pins and vetoes of `rules.local.json` beside the rules file, or of `--local FILE`.
import { lstatSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { printable } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import { systemCode, UserError } from '../../../base/error.js';
import { systemName } from '../../../base/file-name.js';
import { lockFolder } from '../../../base/lock.js';
import { writeFileWhole } from '../../../base/output.js';
import { writeLocalRules } from '../../../rule/decide.js';
import { type LocalEntry, type LocalRules, readLocalRules } from '../../../rule/local.js';
import { applyLocalRules } from '../../../rule/marks.js';
import type { NightRules } from '../../../rule/rule.js';
import { ruleMention } from '../../../rule/words/sentence.js';
import { distrust, refuseReplacing, unreadable } from '../../files.js';
import { localFileBeside, type LocalFlags } from '../../flags/rules.js';
import { guardingOutput } from '../../terminal/signals.js';

/** `refused` if the user wants no local rules; `absent` if there is no file. */
export type FoundLocal =
  | { readonly kind: 'file'; readonly rules: LocalRules; readonly path: string }
  | { readonly kind: 'refused' }
  | { readonly kind: 'absent' };

/**
 * The local rules of the rules file `rulesPath`. A standard stream has none. Throws a UserError for an invalid file.
 */
export async function findLocalRules(rulesPath: string, flags: LocalFlags, effects: Effects): Promise<FoundLocal> {
  const { local } = flags;
  if (local === false) return { kind: 'refused' };
  if (local === undefined && rulesPath === '-') return { kind: 'absent' };
  const name = local ?? localFileBeside(rulesPath);
  const path = resolve(effects.cwd, name);
  if (path === resolve(effects.cwd, rulesPath)) {
    throw new UserError(`${printable(rulesPath)} is the file of local rules; expected another file for the rules`);
  }
  // The owner of a folder with this name does not matter: reading it fails with a reason.
  const isJudged = local === undefined && !isFolder(path);
  const reason = isJudged ? await distrust(path) : undefined;
  if (reason !== undefined) {
    effects.stderr.write(
      `dustbuster: ${printable(name)} is ignored: ${reason}. --local ${printable(name)} reads it, --no-local silences this.\n`,
    );
    return { kind: 'absent' };
  }
  try {
    return { kind: 'file', rules: readLocalRules(await readFile(systemName(path)), printable(name)), path };
  } catch (error) {
    const code = systemCode(error);
    if (local === undefined && (code === 'ENOENT' || code === 'ENOTDIR')) return { kind: 'absent' };
    throw unreadable(error, name, 'Name another with --local, or say --no-local');
  }
}

/**
 * Applies the local rules to `file`, and reports problems on standard error. If there is no local file, marks in `file`
 * that came from one stay, as `file` may be a copy.
 */
export function markRules<F extends NightRules>(file: F, local: FoundLocal, effects: Effects, isQuiet = false): F {
  if (local.kind === 'absent') return file;
  const { file: marked, idleVetoes, conflicts } = applyLocalRules(file, local.kind === 'file' ? local.rules : null);
  if (local.kind === 'file' && !isQuiet) {
    const name = local.rules.name;
    for (const veto of idleVetoes) {
      effects.stderr.write(`dustbuster: ${name}: the veto ${printable(veto)} matches no rule\n`);
    }
    for (const rule of conflicts) {
      effects.stderr.write(`dustbuster: ${ruleMention(rule)} is both pinned and vetoed; the veto wins\n`);
    }
  }
  return marked;
}

function isFolder(path: string): boolean {
  try {
    return lstatSync(systemName(path)).isDirectory();
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return false; // missing, which is reported when it is read
  }
}

// The following functions are for the commands that add decisions.

/** The local file of the rules file `name`, or the file that the user named. */
export function decisionsFile(name: string, local: string | undefined, effects: Effects): string {
  if (name === '-' && local === undefined) {
    throw new UserError('rules from standard input have no folder for decisions; name the file for them with --local');
  }
  const file = local ?? localFileBeside(name);
  refuseReplacing(name, file, effects);
  return file;
}

/** The decisions so far; undefined if there is no file yet. Throws a UserError if other users may write to the file. */
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

/** Runs `work` while no other process can add decisions, as the file is read and then written as a whole. */
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

/** Writes the decisions and returns the new content of the file. */
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
