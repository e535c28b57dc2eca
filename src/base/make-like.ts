// A file that replaces another one belongs to whom that belonged to, and lets read it whom that let.
import { fchmodSync, fchownSync, fstatSync } from 'node:fs';
import { systemCode } from './error.js';

/** What `stat` says of the file that is replaced. */
export interface Before {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

/**
 * Sets owner and mode, whatever the umask. If the owner cannot be kept, as for somebody else's file, the new one is
 * ours; if the group changes, its members may do no more than everybody could.
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
