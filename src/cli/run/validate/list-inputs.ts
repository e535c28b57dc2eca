// What are the logs called today that rules were mined from? logrotate renames them every night:
//
//   mined                 today
//   access.log            access.log.1      a new access.log is begun, all others are numbered one higher
//   access.log.1          access.log.2.gz
//   access.log-20261120   access.log-20261120.gz      a date stays, until the log is deleted
//
// A file that has the mined name today, if that is bare or numbered, is another log; the mined one was renamed.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { agreeing, many } from '../../../base/amounts.js';
import { decodeText, printable } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import { unlessRefused, UserError } from '../../../base/error.js';
import { systemName } from '../../../base/file-name.js';
import { groupBy } from '../../../base/group-by.js';
import { releaseLocks } from '../../../base/lock.js';
import { findInputs } from '../../../log/inputs.js';
import type { Limits } from '../../../mine/mine.js';
import type { RulesFile } from '../../../rule/rule.js';
import { StateFolder } from '../../../state/folder.js';
import type { SiteReader } from '../../../table/merged-sites.js';
import { onSignal } from '../../terminal/signals.js';
import type { AskedBefore } from './run.js';

interface MinedInputsOptions {
  /** The option that would name another list, for messages. */
  readonly option: string;
  readonly isQuiet: boolean;
}

/**
 * The logs that the rules were mined from, under their names of today, together with other logs of the same rotation.
 */
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
  const byStem = groupBy(names, (name) => resolve(effects.cwd, stemOf(name)));
  const families = [...byStem.values()].map((mined) => familyOf(mined, effects.cwd));
  const left = families.flatMap((family) => family.logs);
  if (left.length === 0) {
    const got = `the rules were mined from ${printable(names[0]!)}, which cannot be read from this folder`;
    throw new UserError(`${got}; go to where it can, or ${instead}`);
  }
  await findInputs(left, effects);
  if (!isQuiet) for (const line of saidOf(families, option)) effects.stderr.write(`dustbuster: ${line}\n`);
  return left;
}

/** All logs with the same stem. */
interface Family {
  /** The name as mined, such as `logs/access.log`. */
  readonly stem: string;
  readonly mined: readonly string[];
  /** How many of the mined names exist today. */
  readonly found: number;
  /** The logs to read. */
  readonly logs: readonly string[];
  /** True if `logs` has names that the user did not give. */
  readonly isWider: boolean;
}

function familyOf(mined: readonly string[], cwd: string): Family {
  const stem = stemOf(mined[0]!);
  const found = mined.flatMap((name) => nowNamed(name, cwd) ?? []);
  const own = { stem, mined, found: found.length, logs: found, isWider: false };
  if (found.length > 0 && !mined.some(isRenamed)) return own;
  const rotated = rotatedOf(stem, cwd);
  const known = new Set(mined.map(unpacked));
  // A folder, or another input that is not a file, has no rotated names.
  const isWider = rotated.some((name) => !known.has(unpacked(name)));
  return isWider ? { ...own, logs: rotated, isWider } : own;
}

/** Extensions of compressed logs. */
const PACKED = /\.(?:gz|zst|bz2|xz)$/;
const PACKINGS = ['.gz', '.zst', '.bz2', '.xz'];

function unpacked(name: string): string {
  return name.replace(PACKED, '');
}

/** The log itself, or the same log compressed or unpacked; undefined if it is gone. */
function nowNamed(name: string, cwd: string): string | undefined {
  const bare = unpacked(name);
  return [name, bare, ...PACKINGS.map((packing) => bare + packing)].find((one) =>
    existsSync(systemName(resolve(cwd, one))),
  );
}

/**
 * What rotation appends: the stem `access.log` becomes `access.log.1`, `access.log-20261121.gz`,
 * `access.log.2026-11-21_04`.
 */
const ROTATED = /(?:[-._]\d[-\d_.T]*)?(?:\.(?:gz|zst|bz2|xz))?$/;

function stemOf(name: string): string {
  return name.replace(ROTATED, '');
}

/**
 * True for names that another log gets at the next rotation: `access.log`, `access.log.1`. A date stays with its log.
 */
function isRenamed(name: string): boolean {
  return /^(?:\.\d{1,3})?$/.test(unpacked(name).slice(stemOf(name).length));
}

/** All logs of a stem that are not empty, the newest first. A log that is there twice, once compressed, counts once. */
function rotatedOf(stem: string, cwd: string): readonly string[] {
  const folder = stem.slice(0, stem.lastIndexOf('/') + 1);
  const logs = filesIn(resolve(cwd, folder))
    .filter((name) => folder + stemOf(name) === stem)
    .flatMap((name) => {
      const found = statSync(systemName(resolve(cwd, folder + name)), { throwIfNoEntry: false });
      return found?.isFile() === true && found.size > 0 ? [{ name: folder + name, ms: found.mtimeMs }] : [];
    })
    .sort((a, b) => b.ms - a.ms || (a.name < b.name ? -1 : 1))
    .map(({ name }) => name);
  const all = new Set(logs);
  return logs.filter((name) => name === unpacked(name) || !all.has(unpacked(name)));
}

function filesIn(folder: string): readonly string[] {
  return (unlessRefused(() => readdirSync(systemName(folder), 'buffer')) ?? []).map((name) => decodeText(name));
}

/** A message names this many logs. The counts list all of them, and a year of logs would make a long line. */
const MOST_NAMED = 8;

function saidOf(families: readonly Family[], option: string): readonly string[] {
  const wider = families.filter((family) => family.isWider);
  const others = families.filter((family) => !family.isWider);
  const gone = others.reduce((sum, { mined, found }) => sum + mined.length - found, 0);
  const all = families.reduce((sum, { mined }) => sum + mined.length, 0);
  const goneLine = `${gone} of the ${many(all, 'log')} that the rules were mined from ${agreeing(gone, 'is', 'are')} gone; the rest is read`;
  return [...wider.map((family) => rotatedLine(family, option)), ...(gone === 0 ? [] : [goneLine])];
}

function rotatedLine({ stem, mined, found, logs }: Family, option: string): string {
  const which = found === 0 && mined.length === 1 ? printable(mined[0]!) : printable(stem);
  const why = found === 0 ? `${which} is gone, as after a rotation` : `${which} is renamed by each rotation`;
  const named = logs.slice(0, MOST_NAMED).map((name) => printable(name));
  const rest = logs.length > named.length ? ` and ${logs.length - named.length} more` : '';
  return `${why}, so all that is there of it is read, the newest first: ${named.join(', ')}${rest}; ${option} names others`;
}

/** The options that name another list than the URLs of the state. */
interface ListNames {
  readonly test?: readonly string[];
  readonly state?: string;
  readonly since?: unknown;
  readonly until?: unknown;
  readonly partOfContents?: unknown;
  readonly quiet?: boolean;
}

/**
 * The folder of the state that has the list: the folder of `--state`, or else the one that the rules were mined with,
 * if it still exists. Undefined if logs or a list are read instead.
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

/** Reads all URLs of a state, under its lock. */
export function withState<T>(
  path: string,
  limits: Limits,
  effects: Effects,
  use: (sites: SiteReader) => Promise<T>,
): Promise<T> {
  return inState(path, effects, (folder) => use(folder.sites({ ...limits, stats: { runs: 0, bytes: 0 } })));
}

/** The questions of a state that the site refuted. Other processes may work with the state until they are kept. */
export async function askedOfState(path: string, night: string, effects: Effects): Promise<AskedBefore> {
  const refuted = await inState(path, effects, (folder) => folder.refutedQuestions(night));
  const keep = () =>
    inState(path, effects, (folder) => folder.keepRefuted(refuted)).catch((error: unknown) => {
      if (!(error instanceof UserError)) throw error;
      effects.stderr.write(
        `dustbuster: refuted questions could not be kept, and will be asked again: ${error.message}\n`,
      );
    });
  return { refuted, keep };
}

/** No other process can change the state meanwhile. */
async function inState<T>(path: string, effects: Effects, use: (folder: StateFolder) => T | Promise<T>): Promise<T> {
  const ignoreSignals = onSignal(releaseLocks);
  const command = 'dustbuster validate';
  const folder = await StateFolder.openMade(path, effects.now(), command).finally(ignoreSignals);
  try {
    return await use(folder);
  } finally {
    folder.close();
  }
}
