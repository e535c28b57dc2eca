// The URLs of a state as the list of a validation: logs rotate away by the day, and what is left of them is a part of the
// site. A state holds the URLs of all nights that it keeps, but not who asked for them; that is learned from the logs
// that are there.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { printable } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import { UserError } from '../../../base/error.js';
import { systemName } from '../../../base/file-name.js';
import { releaseLocks } from '../../../base/lock.js';
import type { Limits } from '../../../mine/mine.js';
import type { RulesFile } from '../../../rule/rule.js';
import { StateFolder } from '../../../state/folder.js';
import type { SiteReader } from '../../../table/merged-sites.js';
import { onSignal } from '../../terminal/signals.js';

/** What names other lines than those of the state. */
interface ListNames {
  readonly test?: readonly string[];
  readonly state?: string;
  readonly since?: unknown;
  readonly until?: unknown;
  readonly partOfContents?: unknown;
  readonly quiet?: boolean;
}

/**
 * The folder of the state whose URLs are the list: that of `--state`, or the one that the rules were mined with, if it is
 * still there. Undefined if logs or a list are read.
 */
export function stateOfList(flags: ListNames, file: Pick<RulesFile, 'state'>, effects: Effects): string | undefined {
  const { test, state } = flags;
  const ofLines = flags.since ?? flags.until ?? flags.partOfContents;
  if (state !== undefined) {
    if (test !== undefined) throw new UserError('--state and --test: got both, expected one list of URLs');
    if (ofLines !== undefined) {
      throw new UserError('--state: got it with an option that chooses lines of a log; expected it with --test FILE');
    }
    return resolve(effects.cwd, state);
  }
  if (test !== undefined || ofLines !== undefined || file.state === undefined) return undefined;
  const folder = resolve(effects.cwd, file.state);
  if (existsSync(systemName(join(folder, 'state.json')))) return folder;
  if (flags.quiet !== true) {
    const text = `the state ${printable(file.state)} is not to be found from this folder, so the logs are read`;
    effects.stderr.write(`dustbuster: ${text}; --state names it\n`);
  }
  return undefined;
}

/** Reads all URLs of a state; no other process can change it meanwhile. */
export async function withState<T>(
  path: string,
  limits: Limits,
  effects: Effects,
  use: (sites: SiteReader) => Promise<T>,
): Promise<T> {
  const ignoreSignals = onSignal(releaseLocks);
  const command = 'dustbuster validate';
  const folder = await StateFolder.openMade(path, effects.now(), command).finally(ignoreSignals);
  try {
    return await use(folder.sites({ ...limits, stats: { runs: 0, bytes: 0 } }));
  } finally {
    folder.close();
  }
}
