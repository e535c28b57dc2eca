// Reads the rules file of a command, with the pins and vetoes of its local rules if the command applies rules.
import { statSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Effects } from '../../../base/effects.js';
import { unlessRefused } from '../../../base/error.js';
import { systemName } from '../../../base/file-name.js';
import { holdingBack } from '../../../rule/held-back.js';
import type { RulesFile } from '../../../rule/rule.js';
import { localFileBeside, type LocalFlags } from '../../flags/rules.js';
import { loadFile } from './load-file.js';

interface LoadOptions {
  /** Whether a folder with the files of all parts of the sites may be named. */
  readonly takesParts?: boolean;
}

/** `-` is standard input. Throws a UserError for a file that cannot be read or is not a rules file. */
export async function loadRules(
  name: string,
  effects: Effects,
  { takesParts = false }: LoadOptions = {},
): Promise<RulesFile> {
  if (name !== '-' && isFolder(resolve(effects.cwd, name))) {
    const { loadParts, refuseParts } = await import('./parts.js');
    return takesParts ? loadParts(name, effects) : refuseParts(name, effects);
  }
  return loadFile(name, effects);
}

/**
 * The rules file with its local rules. Their code is loaded only if there are some: most runs are short and have none.
 */
export async function loadMarkedRules(name: string, flags: LocalFlags, effects: Effects): Promise<RulesFile> {
  const file = await loadRules(name, effects, { takesParts: true });
  const isFree =
    flags.local === undefined && (name === '-' || !(await isThere(resolve(effects.cwd, localFileBeside(name)))));
  if (isFree) return file;
  const { findLocalRules, markRules } = await import('./local.js');
  return holdingBack(markRules(file, await findLocalRules(name, flags, effects), effects));
}

/** True for a folder, which may have a file for each part of the sites. */
export function isFolder(path: string): boolean {
  return unlessRefused(() => statSync(systemName(path), { throwIfNoEntry: false }))?.isDirectory() === true;
}

function isThere(path: string): Promise<boolean> {
  return access(systemName(path)).then(
    () => true,
    () => false,
  );
}
