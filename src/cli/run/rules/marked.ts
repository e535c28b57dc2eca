// Reads the rules file of a command that applies rules, with the pins and vetoes of its local rules.
import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Effects } from '../../../base/effects.js';
import { systemName } from '../../../base/file-name.js';
import { holdingBack } from '../../../rule/held-back.js';
import type { RulesFile } from '../../../rule/rule.js';
import { localFileBeside, type LocalFlags } from '../../flags/local.js';
import { loadRules } from './load.js';

/** The code for local rules is loaded only if there are some: most runs are short, and have none. */
export async function loadMarkedRules(name: string, flags: LocalFlags, effects: Effects): Promise<RulesFile> {
  const file = await loadRules(name, effects);
  const isFree =
    flags.local === undefined && (name === '-' || !(await isThere(resolve(effects.cwd, localFileBeside(name)))));
  if (isFree) return file;
  const { findLocalRules, markRules } = await import('./local.js');
  return holdingBack(markRules(file, await findLocalRules(name, flags, effects), effects));
}

function isThere(path: string): Promise<boolean> {
  return access(systemName(path)).then(
    () => true,
    () => false,
  );
}
