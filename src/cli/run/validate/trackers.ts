// Reads the lists of `--trackers`.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { printable } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import { systemName } from '../../../base/file-name.js';
import { unreadable } from '../../files.js';
import { allTrackers, parseTrackers, type TrackerList } from '../../../validate/ask/trackers.js';

/** Undefined without a list. Throws a UserError for one that cannot be read. */
export async function readTrackers(
  names: readonly string[] | undefined,
  { cwd }: Pick<Effects, 'cwd'>,
): Promise<TrackerList | undefined> {
  if (names === undefined || names.length === 0) return undefined;
  return allTrackers(
    await Promise.all(names.map(async (name) => parseTrackers(await textOf(name, cwd), printable(name)))),
  );
}

async function textOf(name: string, cwd: string): Promise<string> {
  try {
    return await readFile(systemName(resolve(cwd, name)), 'utf8');
  } catch (error) {
    throw unreadable(error, name, '--trackers expects a list of ClearURLs or AdGuard');
  }
}
