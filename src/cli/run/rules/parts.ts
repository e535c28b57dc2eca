// Rules files of all parts of the sites, as `mine --parts` writes them into a folder: which they are, and all of them as
// one file. `canonize` reads one after the other instead (cli/run/canonize/parts), whatever their size.
import { statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { formatSize } from '../../../base/amounts.js';
import { printable } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import { UserError } from '../../../base/error.js';
import { systemName } from '../../../base/file-name.js';
import { differenceOf, joinClasses } from '../../../mine/part.js';
import { wholeSet } from '../../../rule/part-files.js';
import type { RulesFile } from '../../../rule/rule.js';
import { unreadable } from '../../files.js';
import { loadFile } from './load-file.js';

/** Of rules in memory, as text: some 2 GB. */
const MOST_BYTES = 512 << 20;

/** The names of the files of all parts in the folder `name`, in order. Throws a UserError if one is missing. */
export async function partsIn(name: string, effects: Effects): Promise<readonly string[]> {
  const names = await readdir(systemName(resolve(effects.cwd, name))).catch((error: unknown) => {
    throw unreadable(error, name, 'Name a rules file, or a folder that mine --parts wrote');
  });
  const found = wholeSet(names, printable(name));
  if (found !== undefined) return found.map((one) => join(name, one));
  throw new UserError(
    `${printable(name)} is a folder without rules; expected a rules file, or a folder of mine --parts`,
  );
}

/** All parts as one file. Throws a UserError if they are too large for that. */
export async function loadParts(name: string, effects: Effects): Promise<RulesFile> {
  const names = await partsIn(name, effects);
  const bytes = names.reduce((sum, one) => sum + statSync(systemName(resolve(effects.cwd, one))).size, 0);
  if (bytes > MOST_BYTES) {
    const got = `${printable(name)} has rules of ${formatSize(bytes)}, and at most ${formatSize(MOST_BYTES)} are held at once`;
    throw new UserError(`${got}; canonize takes the whole folder, for other commands name one of its files`);
  }
  const files: RulesFile[] = [];
  for (const one of names) files.push(await loadPart(one, files[0], effects));
  const rules = files.flatMap((file) => file.rules);
  const classes = joinClasses(rules.filter(({ hosts }) => hosts !== undefined));
  const all = [...classes, ...rules.filter(({ hosts }) => hosts === undefined)];
  const { part: _, ...head } = files[0]!;
  return { ...head, rules: all.map((rule, at) => ({ ...rule, rank: at + 1 })) };
}

/** A part of the run that wrote `first`. */
export async function loadPart(name: string, first: RulesFile | undefined, effects: Effects): Promise<RulesFile> {
  const file = await loadFile(name, effects);
  const other = first === undefined ? undefined : differenceOf(first, file);
  if (other === undefined) return file;
  throw new UserError(`${printable(name)} differs from the first part in ${other}; expected parts of one run`);
}

export async function refuseParts(name: string, effects: Effects): Promise<never> {
  const [first] = await partsIn(name, effects);
  throw new UserError(
    `${printable(name)} is a folder of the rules of all parts of the sites; expected one file, such as ${printable(first!)}`,
  );
}
