// Opens files whose names the program chose itself: a default, a draft, a lock, a part of a state.
//
// Only a regular file. Whoever made the folder (of an archive, a clone, a share) may have put a link there, to a file
// of the user, or a pipe that would block for ever. The type is checked before the file is opened, as opening a device
// may have effects, and again on the open file, which may have been replaced meanwhile. Writing always creates a new
// file, so that nothing existing is overwritten in place. A name that the user gave may lead anywhere.
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, unlinkSync, type Stats } from 'node:fs';
import { printable } from './bytes.js';
import { systemCode, unlessRefused, UserError } from './error.js';
import { systemName } from './file-name.js';

/** Zero on systems without it, such as Windows. */
const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants as Partial<Record<string, number>>;
const ADVICE = 'Remove it, or put the file itself in its place';

/** Returns what is at the path, or undefined if nothing is. Throws a UserError if it is not a regular file. */
export function refuseOdd(path: string, name = path, advice = ADVICE): Stats | undefined {
  // Opening the path reports its other faults.
  const found = unlessRefused(() => lstatSync(systemName(path), { throwIfNoEntry: false }));
  if (found !== undefined && !found.isFile()) throw notPlain(found, name, advice);
  return found;
}

/** Throws a UserError if the path is a link or not a folder. It may be missing. */
export function refuseOddFolder(path: string): void {
  const found = lstatSync(systemName(path), { throwIfNoEntry: false });
  if (found === undefined || found.isDirectory()) return;
  const message = `${printable(path)} is ${kindOf(found)}; expected a folder of its own`;
  throw new UserError(`${message}. Remove it, or put the folder itself in its place.`);
}

/** Opens a regular file, by default for reading. Throws a UserError for anything else, and system errors. */
export function openPlain(path: string, access = constants.O_RDONLY, mode = 0o666): number {
  refuseOdd(path);
  const fd = openSync(systemName(path), access | O_NOFOLLOW | O_NONBLOCK, mode);
  const found = fstatSync(fd);
  if (found.isFile()) return fd;
  closeSync(fd);
  throw notPlain(found, path, ADVICE);
}

export function readPlain(path: string): Buffer {
  const fd = openPlain(path);
  try {
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Creates a new file for writing, after removing what was there. Does not follow a link. */
export function createAnew(path: string, mode = 0o666): number {
  try {
    unlinkSync(systemName(path));
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
  return openSync(systemName(path), 'wx', mode);
}

function notPlain(found: Stats, name: string, advice: string): UserError {
  return new UserError(
    `${printable(name)} is ${kindOf(found)}; expected a plain file, as you did not name it. ${advice}`,
  );
}

function kindOf(found: Stats): string {
  if (found.isSymbolicLink()) return 'a symbolic link';
  if (found.isFIFO()) return 'a named pipe';
  if (found.isSocket()) return 'a socket';
  if (found.isDirectory()) return 'a folder';
  return found.isFile() ? 'a file' : 'a device';
}
