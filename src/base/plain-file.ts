// What may be opened under a name that the program chose itself: a default, a draft, a lock, a part of a state?
//
// Only a plain file. Whoever made the folder (of an archive, a clone, a share) may have put a link there, which leads
// to a file of the user's, or a pipe at which to wait for ever. The kind is looked at before the file is opened, as
// opening a device may do something, and asked of the open file again, as it may have been another one by then. What is
// written is always a new file, so that nothing that is there is ever written into. A name that the user gave leads
// wherever it leads.
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, unlinkSync, type Stats } from 'node:fs';
import { printable } from './bytes.js';
import { systemCode, unlessRefused, UserError } from './error.js';

/** Zero where the system has no such thing, as on Windows. */
const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants as Partial<Record<string, number>>;
const ADVICE = 'Remove it, or put the file itself in its place';

/** Throws a UserError where anything but a plain file stands under the name; nothing at all may. */
export function refuseOdd(path: string, name = path, advice = ADVICE): void {
  // What else is wrong with the path is told by who uses it.
  const found = unlessRefused(() => lstatSync(path, { throwIfNoEntry: false }));
  if (found !== undefined && !found.isFile()) throw notPlain(found, name, advice);
}

/** Throws a UserError for a folder that is a link, or no folder; it may be missing. */
export function refuseOddFolder(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isDirectory()) return;
  const message = `${printable(path)} is ${kindOf(found)}; expected a folder of its own`;
  throw new UserError(`${message}. Remove it, or put the folder itself in its place.`);
}

/**
 * Opens a plain file, to read it unless `access` says more. Throws a UserError for anything else, and what the system
 * says.
 */
export function openPlain(path: string, access = constants.O_RDONLY, mode = 0o666): number {
  refuseOdd(path);
  const fd = openSync(path, access | O_NOFOLLOW | O_NONBLOCK, mode);
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

/** A new file under this name, open for writing; what stood there is removed, and a link is not followed. */
export function createAnew(path: string, mode = 0o666): number {
  try {
    unlinkSync(path);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
  return openSync(path, 'wx', mode);
}

function notPlain(found: Stats, name: string, advice: string): UserError {
  return new UserError(
    `${printable(name)} is ${kindOf(found)}; expected a plain file, as nobody has named it. ${advice}`,
  );
}

function kindOf(found: Stats): string {
  if (found.isSymbolicLink()) return 'a symbolic link';
  if (found.isFIFO()) return 'a named pipe';
  if (found.isSocket()) return 'a socket';
  if (found.isDirectory()) return 'a folder';
  return found.isFile() ? 'a file' : 'a device';
}
