// `rehearse --veto`: what was taken out stays out, of later exports and of canonize too, until the veto is undone.
import { resolve } from 'node:path';
import { printable } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import { UserError } from '../../../base/error.js';
import { plain } from '../../../export/heading.js';
import { decided } from '../../../rule/decide.js';
import type { RehearseFlags } from '../../flags/rehearse.js';
import { decisionsFile, lockDecisions, readDecisions, writeDecisions } from '../rules/decisions-file.js';
import { endWords, type TakenOut } from './report.js';

/** The file for the vetoes, undefined without `--veto`. Throws a UserError if it cannot be added to. */
export async function vetoFile(name: string, flags: RehearseFlags, effects: Effects): Promise<string | undefined> {
  const { veto, local } = flags;
  if (veto !== true) return undefined;
  if (local === false) throw new UserError('--veto: got --no-local with it; expected a file for vetoes, or no veto');
  const file = decisionsFile(name, local, effects);
  if (resolve(effects.cwd, file) === resolve(effects.cwd, flags.output)) {
    throw new UserError(
      `--veto: ${printable(file)} is for the vetoes and for the export; expected another file for one`,
    );
  }
  await readDecisions(file, local === undefined, effects);
  return file;
}

export async function vetoAll(
  out: readonly TakenOut[],
  server: string,
  file: string,
  { local }: RehearseFlags,
  effects: Effects,
): Promise<void> {
  if (out.length === 0) return;
  await lockDecisions(file, 'dustbuster rehearse --veto', effects, async () => {
    const before = await readDecisions(file, local === undefined, effects);
    const entries = out.reduce(
      (all, one) => decided(all, one.rule, 'veto', `rehearse --to ${server}: ${plain(one.url)} ends ${endWords(one)}`),
      before?.entries ?? [],
    );
    await writeDecisions(file, entries, before, effects);
  });
}
