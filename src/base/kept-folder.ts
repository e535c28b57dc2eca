// A folder that is kept from run to run: creates, lists and cleans it, and explains failures to the user.
import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { decodeText, printable } from './bytes.js';
import { systemCode, unlessRefused, UserError } from './error.js';
import { systemName } from './file-name.js';

/** Zero on systems without them, such as Windows. */
const { O_NOFOLLOW = 0, O_DIRECTORY = 0 } = constants as Partial<Record<string, number>>;
const FOLDER = constants.O_RDONLY | O_NOFOLLOW | O_DIRECTORY;

/** Creates the folder and missing parents. Throws a UserError if it cannot. */
export function makeFolder(path: string): void {
  try {
    makeFolders(resolve(path));
  } catch (error) {
    throw storageError(error, path);
  }
}

/** Node's recursive mkdir never ends if the system says ENOENT although the parent exists, as in /proc. */
export function makeFolders(path: string, mode = 0o777): void {
  if (statSync(systemName(path), { throwIfNoEntry: false })?.isDirectory() === true) return;
  const parent = dirname(path);
  if (parent !== path) makeFolders(parent, mode);
  try {
    mkdirSync(systemName(path), { mode });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (systemCode(error) !== 'EEXIST' || !statSync(systemName(path)).isDirectory()) throw error;
  }
}

/** Makes a folder accessible to its owner only. Does not follow a link; if the system refuses, the mode stays. */
export function closeFolder(path: string): void {
  unlessRefused(() => {
    const fd = openSync(systemName(path), FOLDER);
    try {
      fchmodSync(fd, 0o700);
    } finally {
      closeSync(fd);
    }
  });
}

/** Makes our own folder, and our own files in it, readable by their owner only. Does not follow links. */
export function makePrivate(path: string): void {
  for (const place of [path, ...namesIn(path).map((name) => join(path, name))]) {
    unlessRefused(() => {
      const found = lstatSync(systemName(place), { throwIfNoEntry: false });
      if (found === undefined || found.uid !== process.geteuid?.() || (found.mode & 0o077) === 0) return;
      if (found.isDirectory() || found.isFile()) chmodSync(systemName(place), found.mode & 0o700);
    });
  }
}

/** The names in a folder, sorted; none if there is no such folder. Throws a UserError if it cannot be listed. */
export function namesIn(path: string): string[] {
  try {
    return readdirSync(systemName(path), 'buffer')
      .map((name) => decodeText(name))
      .sort();
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw storageError(error, path);
  }
}

/** Removes a file if it is there. */
export function removeFile(path: string): void {
  try {
    rmSync(systemName(path), { force: true });
  } catch (error) {
    throw storageError(error, path);
  }
}

/** Throws a UserError if it fails. */
export function renameFile(from: string, to: string): void {
  try {
    renameSync(systemName(from), systemName(to));
  } catch (error) {
    throw storageError(error, to);
  }
}

// Why a system call on such a folder failed, and what to do about it:

const causes: Readonly<Record<string, readonly [why: string, remedy: string]>> = {
  ENOSPC: ['no space is left on the device', 'Make room and run again: what was there before is still there'],
  EDQUOT: ['the disk quota is used up', 'Make room and run again: what was there before is still there'],
  EFBIG: ['a file may not be so large here', 'Raise the limit (ulimit -f): what was there before is still there'],
  EROFS: ['the file system is read-only', 'Name a folder elsewhere, or make it writable'],
  EACCES: ['permission is denied', 'Name a folder that you may read and write'],
  EPERM: ['permission is denied', 'Name a folder that you may read and write'],
  ENOENT: ['it is missing', 'Put it back from a backup, or begin anew in another folder'],
  ENOTDIR: ['a part of its path is no folder', 'Name a folder'],
  EISDIR: ['it is a folder, a file was expected', 'Take it away, or begin anew in another folder'],
  EIO: ['the device reports an error', 'Check it, or name a folder elsewhere'],
  EMFILE: ['too many files are open', 'Raise the limit (ulimit -n)'],
  ENFILE: ['too many files are open in the system', 'Close some'],
};

/** A UserError for a system error; any other error is a bug and stays what it is. */
export function storageError(error: unknown, path: string): unknown {
  const code = systemCode(error);
  if (code === undefined) return error;
  const [why, remedy] = causes[code] ?? ['the system refuses', `Look at ${dirname(path)}`];
  return new UserError(`cannot use ${printable(path)}: ${why} (${code}). ${remedy}.`, { cause: error });
}
