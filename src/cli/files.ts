// Which files must differ, which files are ignored for their owner, and what does an unreadable file mean to the user?
import { fstatSync, realpathSync, statSync } from 'node:fs';
import { lstat, readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { printable } from '../base/bytes.js';
import type { Effects } from '../base/effects.js';
import { systemCode, UserError } from '../base/error.js';
import { systemName } from '../base/file-name.js';

/**
 * Returns why a file in the working folder is ignored, or undefined. Git ignores a repository that somebody else owns
 * for the same reason: otherwise whoever can write to a folder could decide how the program runs for everybody who
 * works there.
 */
export async function distrust(path: string): Promise<string | undefined> {
  const found = await lstat(systemName(path)).catch((error: unknown) => {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  });
  if (found === undefined) return undefined;
  if (!found.isFile()) return 'it is not a regular file';
  const user = process.getuid?.();
  if (user !== undefined && found.uid !== user) return 'it belongs to another user';
  return user !== undefined && (found.mode & 0o002) !== 0 ? 'everybody may write to it' : undefined;
}

/** Throws a UserError if the result would overwrite the rules it is made from. */
export function refuseReplacing(rules: string, output: string, effects: Pick<Effects, 'cwd' | 'stdin'>): void {
  if (output === '-' || !isInput(rules, resolve(effects.cwd, output), effects)) return;
  throw new UserError(
    `${printable(output)} is the rules file; expected another file for the result, or it would be lost`,
  );
}

/** True if `name`, or standard input if it is `-`, is the file at `path`. */
export function isInput(name: string, path: string, { cwd, stdin }: Pick<Effects, 'cwd' | 'stdin'>): boolean {
  return name === '-' ? isStream(stdin, path) : isSameFile(resolve(cwd, name), path);
}

/** True if the stream reads the file at `path`, as with `< FILE`. */
function isStream(stream: Effects['stdin'], path: string): boolean {
  if (!('fd' in stream) || typeof stream.fd !== 'number') return false;
  try {
    const [found, other] = [fstatSync(stream.fd, { bigint: true }), statSync(systemName(path), { bigint: true })];
    return found.isFile() && found.dev === other.dev && found.ino === other.ino;
  } catch {
    return false; // closed, or not there yet
  }
}

function isSameFile(one: string, other: string): boolean {
  try {
    const [a, b] = [one, other].map((path) => realpathSync.native(systemName(path), 'buffer'));
    return a!.equals(b!);
  } catch {
    return false; // not there yet
  }
}

/**
 * Throws a UserError if two options read standard input, which can be read only once. `named`: options and their files.
 */
export function refuseTwice(...named: readonly (readonly [option: string, names: readonly string[]])[]): void {
  const asking = named.filter(([, names]) => names.includes('-')).map(([option]) => option);
  if (asking.length < 2) return;
  throw new UserError(`${asking.join(' and ')} are both standard input; expected a file for one of them`);
}

const causes: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'permission is denied',
  EISDIR: 'it is a folder, a file was expected',
  ENOTDIR: 'a part of its path is no folder',
};

/** The error of a failed read as the user should see it. A bug is returned unchanged. */
export function unreadable(error: unknown, name: string, advice: string): unknown {
  const code = systemCode(error);
  if (code === undefined) return error;
  return new UserError(`cannot read ${printable(name)}: ${causes[code] ?? code}. ${advice}.`, { cause: error });
}

interface Size {
  /** In bytes. */
  readonly most: number;
  /** What to do if the file cannot be read. */
  readonly remedy: string;
  /** What is said of a larger file, after its name. */
  readonly excess: string;
}

/** The bytes of an input that is no log. Throws a UserError for one that cannot be read, or is too large. */
export async function readAtMost(
  name: string,
  { most, remedy, excess }: Size,
  { cwd, access }: Pick<Effects, 'cwd' | 'access'>,
): Promise<Buffer> {
  const path = resolve(cwd, name);
  access?.note(path);
  try {
    const { size } = await stat(systemName(path));
    if (size <= most) return await readFile(systemName(path));
  } catch (error) {
    throw unreadable(error, name, remedy);
  }
  throw new UserError(`${printable(name)} ${excess}`);
}
