// Where are the logs that rules were mined from by now? A log is renamed by the night: logrotate compresses it, numbers
// it, and deletes it in the end. What is left of them is as good a list to draw samples from.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { decodeText, printable } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import { unlessRefused, UserError } from '../../../base/error.js';
import { systemName } from '../../../base/file-name.js';
import { many } from '../../../base/plural.js';
import { findInputs } from '../../../log/inputs.js';
import type { RulesFile } from '../../../rule/rule.js';

interface MinedInputsOptions {
  /** The option that names another list. */
  readonly option: string;
  readonly isQuiet: boolean;
}

/** The logs that the rules were mined from, under their names of today: the paper's test list. */
export async function minedInputs(
  file: Pick<RulesFile, 'inputs'>,
  effects: Effects,
  { option, isQuiet }: MinedInputsOptions,
): Promise<readonly string[]> {
  const names = [...new Set(file.inputs.map((input) => input.name))];
  const instead = `name a list of URLs with ${option} FILE`;
  if (names.length === 0 || names.includes('-')) {
    throw new UserError(`the rules were mined from standard input, which cannot be read again; ${instead}`);
  }
  const found = names.flatMap((name) => nowNamed(name, effects.cwd) ?? []);
  const newest = found.length > 0 ? undefined : newestRotated(names, effects.cwd);
  const left = newest === undefined ? found : [newest];
  if (left.length === 0) {
    const got = `the rules were mined from ${printable(names[0]!)}, which cannot be read from this folder`;
    throw new UserError(`${got}; go to where it can, or ${instead}`);
  }
  await findInputs(left, effects);
  const said = newest === undefined ? goneLine(names.length, found.length) : replacedLine(names, newest);
  if (said !== '' && !isQuiet) effects.stderr.write(`dustbuster: ${said}\n`);
  return left;
}

/** What compressing appends to the name of a log. */
const PACKED = /\.(?:gz|zst|bz2|xz)$/;
const PACKINGS = ['.gz', '.zst', '.bz2', '.xz'];

/** The log itself, or the same one compressed or unpacked; undefined if it is gone. */
function nowNamed(name: string, cwd: string): string | undefined {
  const bare = name.replace(PACKED, '');
  return [name, bare, ...PACKINGS.map((packing) => bare + packing)].find((one) =>
    existsSync(systemName(resolve(cwd, one))),
  );
}

/** `access.log`, of `access.log.1`, `access.log-20261121.gz`, `access.log.2026-11-21_04`. */
const ROTATED = /(?:[-._]\d[-\d_.T]*)?(?:\.(?:gz|zst|bz2|xz))?$/;

function stemOf(name: string): string {
  return name.replace(ROTATED, '');
}

/** The log that was written to last of those that logrotate made, or will make, of the same one. */
function newestRotated(names: readonly string[], cwd: string): string | undefined {
  const stems = new Set(names.map(stemOf));
  const rotated = [...new Set(names.map((name) => dirname(name)))].flatMap((folder) =>
    filesIn(resolve(cwd, folder))
      .map((name) => (folder === '.' ? name : join(folder, name)))
      .filter((name) => stems.has(stemOf(name))),
  );
  const timed = rotated.flatMap((name) => {
    const found = statSync(systemName(resolve(cwd, name)), { throwIfNoEntry: false });
    return found?.isFile() === true && found.size > 0 ? [{ name, ms: found.mtimeMs }] : [];
  });
  return timed.sort((a, b) => b.ms - a.ms || (a.name < b.name ? 1 : -1))[0]?.name;
}

function filesIn(folder: string): readonly string[] {
  return (unlessRefused(() => readdirSync(systemName(folder), 'buffer')) ?? []).map((name) => decodeText(name));
}

function goneLine(all: number, left: number): string {
  if (all === left) return '';
  return `${all - left} of the ${many(all, 'log')} that the rules were mined from ${all - left === 1 ? 'is' : 'are'} gone; samples are drawn from the rest`;
}

function replacedLine(names: readonly string[], newest: string): string {
  const gone =
    names.length === 1 ? `${printable(names[0]!)} is gone` : `all ${names.length} logs of the rules are gone`;
  return `${gone}, as after a rotation: samples are drawn from ${printable(newest)}`;
}
