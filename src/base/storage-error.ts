// What does a failed system call mean to the user, for files that are kept from run to run?
import { dirname } from 'node:path';
import { printable } from './bytes.js';
import { systemCode, UserError } from './error.js';

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
