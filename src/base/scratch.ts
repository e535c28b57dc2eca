// Scratch files that cannot be left behind: the name is removed as soon as the file is open, so that the space goes
// back with the process, however it ends.
import { closeSync, ftruncateSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { systemCode, UserError } from './error.js';

export class ScratchFile {
  readonly #folder: string;
  readonly #fd: number;
  #length = 0;

  constructor(folder: string) {
    this.#folder = folder;
    const path = join(folder, `.dustbuster-${process.pid}-${randomBytes(6).toString('hex')}`);
    try {
      this.#fd = openSync(path, 'wx+', 0o600);
      unlinkSync(path);
    } catch (error) {
      throw scratchError(error, folder);
    }
  }

  /** Bytes written so far. */
  get length(): number {
    return this.#length;
  }

  append(bytes: Uint8Array): void {
    try {
      for (let done = 0; done < bytes.length;) done += writeSync(this.#fd, bytes, done, bytes.length - done);
    } catch (error) {
      throw scratchError(error, this.#folder);
    }
    this.#length += bytes.length;
  }

  /** Fills `target` from `position` on; returns the number of bytes read, less than asked only at the end. */
  read(target: Uint8Array, position: number): number {
    let done = 0;
    while (done < target.length) {
      const got = readSync(this.#fd, target, done, target.length - done, position + done);
      if (got === 0) break;
      done += got;
    }
    return done;
  }

  close(): void {
    ftruncateSync(this.#fd, 0);
    closeSync(this.#fd);
  }
}

function scratchError(error: unknown, folder: string): unknown {
  const code = systemCode(error);
  if (code === undefined) return error;
  const why = code === 'ENOSPC' ? 'no space left' : code;
  return new UserError(
    `cannot write a scratch file in ${folder} (${why}): expected a folder with room for sorted runs; ` +
      'name another with --tmpdir, or raise --memory',
  );
}
