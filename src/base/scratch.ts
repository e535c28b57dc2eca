// Scratch files that cannot be left behind: they have no name, or are unlinked as soon as they are open. So the space
// is freed with the process, however it ends.
import { randomBytes } from 'node:crypto';
import { closeSync, constants, ftruncateSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { formatSize } from './amounts.js';
import { systemCode, unlessRefused, UserError } from './error.js';
import { systemName } from './file-name.js';

/** Bytes of scratch files: now, at the peak, and written in total. */
export interface ScratchUse {
  readonly now: number;
  readonly peak: number;
  readonly written: number;
}

// Summed over all files of this thread, as they share a disk.
const use = { now: 0, peak: 0, written: 0 };

export function scratchUse(): ScratchUse {
  return { ...use };
}

/** Returns the counts and resets them: for a thread that reports to another thread. */
export function takeScratchUse(): ScratchUse {
  const taken = { ...use };
  use.peak = use.now;
  use.written = 0;
  return taken;
}

/** Adds the counts of another thread. Peaks are added, so the sum is an upper bound. */
export function addScratchUse({ peak, written }: ScratchUse): void {
  use.peak += peak;
  use.written += written;
}

/** Closes the files of code that failed midway: a long-running program must not keep them open. */
const abandoned = new FinalizationRegistry<number>(closeSync);

export class ScratchFile {
  readonly #folder: string;
  readonly #fd: number;
  readonly #lent: LentFile;
  #length = 0;

  constructor(folder: string) {
    this.#folder = folder;
    try {
      this.#fd = openNameless(folder) ?? openUnlinked(folder);
    } catch (error) {
      throw scratchError(error, folder, 0);
    }
    this.#lent = { fd: this.#fd, folder };
    abandoned.register(this, this.#fd, this);
  }

  /** Bytes written so far. */
  get length(): number {
    return this.#length;
  }

  append(bytes: Uint8Array): void {
    try {
      for (let done = 0; done < bytes.length;) done += writeSync(this.#fd, bytes, done, bytes.length - done);
    } catch (error) {
      throw scratchError(error, this.#folder, bytes.length);
    }
    this.#length += bytes.length;
    use.written += bytes.length;
    use.now += bytes.length;
    use.peak = Math.max(use.peak, use.now);
  }

  /** Writes at a position, possibly beyond the end: the gap is zeros. Not for files that are appended to. */
  write(bytes: Uint8Array, position: number): void {
    try {
      for (let done = 0; done < bytes.length;) {
        done += writeSync(this.#fd, bytes, done, bytes.length - done, position + done);
      }
    } catch (error) {
      throw scratchError(error, this.#folder, bytes.length);
    }
    const grown = Math.max(0, position + bytes.length - this.#length);
    this.#length += grown;
    use.written += bytes.length;
    use.now += grown;
    use.peak = Math.max(use.peak, use.now);
  }

  /** Fills `target` from `position` on; returns the number of bytes read, fewer than asked for only at the end. */
  read(target: Uint8Array, position: number): number {
    return readLent(this.#lent, target, position);
  }

  /** For another thread, which may read until this file is closed. */
  lend(): LentFile {
    return this.#lent;
  }

  close(): void {
    abandoned.unregister(this);
    // At the latest, closing the file frees its space.
    unlessRefused(() => ftruncateSync(this.#fd, 0));
    closeSync(this.#fd);
    use.now -= this.#length;
    this.#length = 0;
  }
}

/** A scratch file of another thread, as plain data. */
export interface LentFile {
  readonly fd: number;
  readonly folder: string;
}

/** {@link ScratchFile.read}, in any thread. */
export function readLent({ fd, folder }: LentFile, target: Uint8Array, position: number): number {
  let done = 0;
  try {
    while (done < target.length) {
      const got = readSync(fd, target, done, target.length - done, position + done);
      if (got === 0) break;
      done += got;
    }
  } catch (error) {
    throw scratchError(error, folder, 0);
  }
  return done;
}

/** Linux's O_TMPFILE, which Node does not export. */
const NAMELESS = 0o20000000 | constants.O_DIRECTORY | constants.O_RDWR | constants.O_EXCL;

/** A file that never has a name; undefined if the file system does not support that. */
function openNameless(folder: string): number | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    return openSync(systemName(folder), NAMELESS, 0o600);
  } catch {
    return undefined; // a file with a name will do, or will say what is wrong
  }
}

function openUnlinked(folder: string): number {
  const path = join(folder, `.dustbuster-${process.pid}-${randomBytes(6).toString('hex')}`);
  const fd = openSync(systemName(path), 'wx+', 0o600);
  unlinkSync(systemName(path));
  return fd;
}

const RAISE = 'name another with --tmpdir, or raise --memory';

/** Why a system call failed, and what to do about it. */
const causes: Readonly<Record<string, readonly [why: string, remedy: string]>> = {
  ENOSPC: ['no space is left', `Make room, ${RAISE}`],
  EDQUOT: ['the disk quota is used up', `Make room, ${RAISE}`],
  EFBIG: ['a file may not be so large here', `Raise the limit (ulimit -f), ${RAISE}`],
  EMFILE: ['too many files are open', 'Raise the limit (ulimit -n) or --memory'],
  ENFILE: ['too many files are open in the system', 'Close some, or raise --memory'],
  ENOENT: ['there is no such folder', 'Make it, or name another with --tmpdir'],
  ENOTDIR: ['this is no folder', 'Name one with --tmpdir'],
  EACCES: ['permission is denied', 'Name a folder that you may write to with --tmpdir'],
  EPERM: ['permission is denied', 'Name a folder that you may write to with --tmpdir'],
  EROFS: ['the file system is read-only', 'Name a folder elsewhere with --tmpdir'],
  EIO: ['the device reports an error', 'Check it, or name a folder elsewhere with --tmpdir'],
};

function scratchError(error: unknown, folder: string, bytes: number): unknown {
  const code = systemCode(error);
  if (code === undefined) return error;
  const [why, remedy] = causes[code] ?? ['the system refuses', RAISE];
  const held =
    bytes === 0 ? '' : `; ${formatSize(bytes)} more were needed, besides ${formatSize(use.now)} that are there`;
  const message = `cannot use a scratch file in ${folder}: ${why} (${code})${held}. A folder with room for sorted runs was expected`;
  return new UserError(`${message}. ${remedy}.`, { cause: error });
}
