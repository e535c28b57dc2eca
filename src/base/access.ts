// Who may read a result, and who owns a file that replaces another file.
import { fchmodSync, fchownSync, fstatSync, type Stats, statSync } from 'node:fs';
import { systemCode, unlessRefused } from './error.js';

// A result is readable only by those who may read all of its inputs; otherwise a report would publish a private log.
// A replaced file keeps its mode, because somebody chose it.

interface Access {
  readonly mode: number;
  readonly gid: number;
}

/** The permissions of everything that a run has read. */
export class ReadAccess {
  readonly #read: Access[] = [];

  /** Notes a file that is read. Pipes and devices do not count. */
  note(path: string): void {
    this.#keep(unlessRefused(() => statSync(path)));
  }

  /** Notes an open file, such as standard input. */
  noteOpen(fd: number): void {
    this.#keep(unlessRefused(() => fstatSync(fd)));
  }

  /** Removes from a new file each permission that some input lacks. */
  limit(fd: number): void {
    const own = fstatSync(fd);
    const before = own.mode & 0o777;
    let mode = before;
    for (const read of this.#read) mode &= read.gid === own.gid ? read.mode : ofOtherGroup(read.mode);
    if (mode !== before) fchmodSync(fd, mode | 0o600);
  }

  /** Keeps distinct permissions only: there are few, however many files. */
  #keep(found: Stats | undefined): void {
    if (found?.isFile() !== true) return;
    const { mode, gid } = found;
    if (!this.#read.some((one) => one.mode === mode && one.gid === gid)) this.#read.push({ mode, gid });
  }
}

/** Members of another group get the permissions of everybody else. */
function ofOtherGroup(mode: number): number {
  return (mode & 0o707) | ((mode & 0o007) << 3);
}

// A replacement keeps the owner and the permissions of the original.

/** What `stat` found at the path before. */
export interface Before {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

/**
 * Sets owner and mode, whatever the umask. If the owner cannot be kept, as for somebody else's file, the new file is
 * ours. If the group changes, its members get no more than everybody had.
 */
export function makeLike(fd: number, { mode, uid, gid }: Before): void {
  const own = fstatSync(fd);
  const isKept = (own.uid === uid && own.gid === gid) || attempt(() => fchownSync(fd, uid, gid));
  const isGroupKept = isKept || own.gid === gid || attempt(() => fchownSync(fd, own.uid, gid));
  fchmodSync(fd, isGroupKept ? mode : (mode & 0o707) | (((mode & 0o007) << 3) & mode & 0o070));
}

/** False if the system does not allow it. */
function attempt(change: () => void): boolean {
  try {
    change();
    return true;
  } catch (error) {
    if (systemCode(error) === 'EPERM' || systemCode(error) === 'EINVAL') return false;
    throw error;
  }
}
