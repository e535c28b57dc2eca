// An append-only file of lines that a later run can find again.
//
// A line is appended with a single write, so two processes may append to the same file without mixing their lines. A
// line that was cut off (power, disk full) is one bad line among good ones: readers judge each line by itself. To drop
// superseded lines, a new file is written and renamed; a process that had the old file open continues with the new one.
//
// Only the owner may read the file, and the folders made for it, whatever the umask or the mode of an earlier file.
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { draftName, removeLeftDrafts } from './draft.js';
import { systemCode, unlessRefused, UserError } from './error.js';
import { systemName } from './file-name.js';
import { makeFolders } from './kept-folder.js';
import { createAnew, openPlain } from './plain-file.js';

/** Where a line is in the file, without its line end. */
export interface LinePlace {
  readonly start: number;
  readonly length: number;
}

const BLOCK = 1 << 20;
const LF = 10;
const GROWING = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT;
const OWN = 0o600;

export class LineStore {
  readonly #path: string;
  /** Longer lines are skipped. */
  readonly #maxLineBytes: number;
  #fd: number;

  /** Opens the file, creating it and its folders if they are missing. Throws `UserError`. */
  constructor(path: string, maxLineBytes: number) {
    this.#path = path;
    this.#maxLineBytes = maxLineBytes;
    this.#fd = attempt(path, () => {
      makeFolders(resolve(dirname(path)), 0o700);
      removeLeftDrafts(dirname(path));
      return openGrowing(path);
    });
  }

  /**
   * Calls `visit` for every non-empty line, in order, including a last one without line end. Returns the number of
   * lines skipped as too long.
   */
  eachLine(visit: (line: string, place: LinePlace) => void): number {
    return attempt(this.#path, () => this.#eachLine(visit));
  }

  #eachLine(visit: (line: string, place: LinePlace) => void): number {
    let tooLong = 0;
    // The beginning of a line whose end was not read yet, and its offset in the file.
    let rest: Uint8Array = new Uint8Array(0);
    let restStart = 0;
    let isSkipping = false;
    const take = (bytes: Buffer, start: number, end: number) => {
      const length = end - start;
      if (length > this.#maxLineBytes && !isSkipping) tooLong++;
      else if (length > 0 && !isSkipping)
        visit(bytes.toString('utf8', start, end), { start: restStart + start, length });
      isSkipping = false;
    };
    const block = Buffer.allocUnsafe(BLOCK);
    for (let position = 0; ;) {
      const got = readSync(this.#fd, block, 0, BLOCK, position);
      position += got;
      const bytes = Buffer.concat([rest, block.subarray(0, got)]);
      if (got === 0) {
        take(bytes, 0, bytes.length);
        return tooLong;
      }
      let start = 0;
      for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, start)) {
        take(bytes, start, end);
        start = end + 1;
      }
      rest = bytes.subarray(start);
      restStart += start;
      if (!isSkipping && rest.length <= this.#maxLineBytes) continue;
      if (!isSkipping) tooLong++;
      isSkipping = true;
      restStart += rest.length;
      rest = new Uint8Array(0);
    }
  }

  /** The line at a place that `eachLine` reported. */
  read(place: LinePlace): string {
    return this.#bytesOf(place).toString('utf8');
  }

  #bytesOf(place: LinePlace): Buffer {
    const bytes = Buffer.alloc(place.length);
    const got = attempt(this.#path, () => readSync(this.#fd, bytes, 0, place.length, place.start));
    return bytes.subarray(0, got);
  }

  /**
   * Appends a line, which must not contain a line end. If the file does not end with one, writes a line end first. The
   * file may end with a line that was cut off, or in the middle of another process's write; in the latter case the rest
   * of that write leaves an empty line.
   */
  append(line: string): void {
    attempt(this.#path, () => {
      let state = fstatSync(this.#fd);
      if (state.nlink === 0) {
        closeSync(this.#fd);
        this.#fd = openGrowing(this.#path);
        state = fstatSync(this.#fd);
      }
      const last = Buffer.alloc(1);
      const isWhole = state.size === 0 || (readSync(this.#fd, last, 0, 1, state.size - 1) === 1 && last[0] === LF);
      const bytes = Buffer.from(`${isWhole ? '' : '\n'}${line}\n`);
      writeWhole(this.#fd, bytes);
    });
  }

  /** Replaces the file by one that has only these lines; the places become invalid. */
  rewrite(places: readonly LinePlace[]): void {
    const draft = join(dirname(this.#path), draftName(0));
    attempt(this.#path, () => {
      try {
        const fd = createAnew(draft, OWN);
        for (const place of places) writeWhole(fd, Buffer.concat([this.#bytesOf(place), Buffer.of(LF)]));
        fsyncSync(fd);
        closeSync(fd);
        renameSync(systemName(draft), systemName(this.#path));
      } finally {
        rmSync(systemName(draft), { force: true });
      }
      closeSync(this.#fd);
      this.#fd = openGrowing(this.#path);
    });
  }

  close(): void {
    closeSync(this.#fd);
  }
}

/** Opens the file for appending. The file of another user keeps its mode. */
function openGrowing(path: string): number {
  const fd = openPlain(path, GROWING, OWN);
  unlessRefused(() => fchmodSync(fd, OWN));
  return fd;
}

/** Writes with one system call: a second one could write into the line of another process. */
function writeWhole(fd: number, bytes: Uint8Array): void {
  if (writeSync(fd, bytes) < bytes.length) throw Object.assign(new Error('not written whole'), { code: 'ENOSPC' });
}

function attempt<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined || error instanceof UserError) throw error;
    const why = code === 'ENOSPC' ? 'no space is left' : code;
    const message = `cannot use ${path} (${why}): a file was expected that can be read and written. `;
    throw new UserError(`${message}Name another folder that you may write to.`, { cause: error });
  }
}
