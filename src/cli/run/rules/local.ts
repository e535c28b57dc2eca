// Finds and applies local rules: the pins and vetoes of `rules.local.json` beside the rules file, or of `--local FILE`.
import { lstatSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { printable } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import { systemCode, UserError } from '../../../base/error.js';
import { systemName } from '../../../base/file-name.js';
import { readLocalRules, type LocalRules } from '../../../rule/local.js';
import { applyLocalRules } from '../../../rule/marks.js';
import type { NightRules } from '../../../rule/rule.js';
import { ruleMention } from '../../../rule/words/sentence.js';
import { localFileBeside, type LocalFlags } from '../../flags/local.js';
import { distrust, unreadable } from '../../files.js';

/** Local rules as they were found: none if the user wants none, or if there is no file. */
export type FoundLocal =
  | { readonly kind: 'file'; readonly rules: LocalRules; readonly path: string }
  | { readonly kind: 'refused' }
  | { readonly kind: 'absent' };

/**
 * Those that belong to the rules file `rulesPath`; a standard stream has none beside it. Throws a UserError for an
 * invalid file.
 */
export async function findLocalRules(rulesPath: string, flags: LocalFlags, effects: Effects): Promise<FoundLocal> {
  const { local } = flags;
  if (local === false) return { kind: 'refused' };
  if (local === undefined && rulesPath === '-') return { kind: 'absent' };
  const name = local ?? localFileBeside(rulesPath);
  const path = resolve(effects.cwd, name);
  if (path === resolve(effects.cwd, rulesPath)) {
    throw new UserError(`${printable(rulesPath)} is where local rules are; expected another file for the rules`);
  }
  // A folder of this name is not judged: reading it will fail with a reason.
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
 * `file` with the marks of the local rules; problems with these are reported on standard error. Without a file of local
 * rules, the marks in `file` that came from one stay: it may be a copy.
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
