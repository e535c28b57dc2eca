// Who may read a result? Nobody who may not read all that it was made from: a log that only its owner and a group may
// read would else be open to everybody as a report. A file that is replaced keeps its mode, which somebody has chosen.
import { fchmodSync, fstatSync, statSync, type Stats } from 'node:fs';
import { unlessRefused } from './error.js';

interface Access {
  readonly mode: number;
  readonly gid: number;
}

/** What a run has read. */
export class ReadAccess {
  readonly #read: Access[] = [];

  /** A file that is read; what is no file, such as a pipe, says nothing. */
  note(path: string): void {
    this.#keep(unlessRefused(() => statSync(path)));
  }

  /** The same for an open file, such as standard input. */
  noteOpen(fd: number): void {
    this.#keep(unlessRefused(() => fstatSync(fd)));
  }

  /** Takes the permissions from a new file that what was read does not give. */
  limit(fd: number): void {
    const own = fstatSync(fd);
    const before = own.mode & 0o777;
    let mode = before;
    for (const read of this.#read) mode &= read.gid === own.gid ? read.mode : ofOtherGroup(read.mode);
    if (mode !== before) fchmodSync(fd, mode | 0o600);
  }

  /** Different ones are few, however many files there are. */
  #keep(found: Stats | undefined): void {
    if (found?.isFile() !== true) return;
    const { mode, gid } = found;
    if (!this.#read.some((one) => one.mode === mode && one.gid === gid)) this.#read.push({ mode, gid });
  }
}

/** Members of another group may do what everybody may. */
function ofOtherGroup(mode: number): number {
  return (mode & 0o707) | ((mode & 0o007) << 3);
}
