// A sealed run: sorted rows that are written once and never changed. Corruption is always detected: every block has a
// digest that is checked before a byte of the block is used, and the trailer has a digest of those digests.
//
//   header    | magic, version | number of the run u32 |
//   block     | up to BLOCK bytes of rows | truncated SHA-256 of rows, run and block number |      again and again
//   trailer   | rows f64 | bytes of rows f64 | SHA-256 of the blocks' digests |
//
// The rows are those of `spill`, end to end; a row may continue in the next block. The index of the folder has the seal
// of each run, so a foreign file of the same name is detected too.
import { createHash } from 'node:crypto';
import { closeSync, fstatSync, fsyncSync, readSync, rmSync, writeSync } from 'node:fs';
import { printable } from './bytes.js';
import { systemCode, UserError } from './error.js';
import { systemName } from './file-name.js';
import { storageError } from './kept-folder.js';
import type { SortedRun } from './merge.js';
import { createAnew, openPlain } from './plain-file.js';
import type { Row } from './row.js';

const MAGIC = Buffer.from('dustbuster-run\n\x01', 'latin1');
const HEADER = MAGIC.length + 4;
const BLOCK = 65_520;
const DIGEST = 16;
const TRAILER = 48;

/** The facts about a sealed run. */
export interface RunSeal {
  /** Its number among the runs of its folder. */
  readonly number: number;
  readonly rows: number;
  /** Bytes of all rows, and of the longest key. */
  readonly bytes: number;
  readonly longestKey: number;
  /** SHA-256 of the digests of its blocks, in hex. */
  readonly sha256: string;
}

/** Bytes on disk of a run with this many bytes of rows. */
export function runFileBytes(bytes: number): number {
  return HEADER + bytes + Math.ceil(bytes / BLOCK) * DIGEST + TRAILER;
}

function headerOf(number: number): Buffer {
  const header = Buffer.alloc(HEADER);
  MAGIC.copy(header);
  header.writeUInt32LE(number, MAGIC.length);
  return header;
}

function trailerOf({ rows, bytes, sha256 }: RunSeal): Buffer {
  const trailer = Buffer.alloc(TRAILER);
  trailer.writeDoubleLE(rows, 0);
  trailer.writeDoubleLE(bytes, 8);
  trailer.write(sha256, 16, 'hex');
  return trailer;
}

function digestOf(rows: Uint8Array, run: number, block: number): Buffer {
  return createHash('sha256').update(rows).update(`\n${run} ${block}`).digest().subarray(0, DIGEST);
}

/** Write rows in key order, then `seal`. `discard` leaves nothing behind. */
export class RunWriter {
  readonly #path: string;
  readonly #number: number;
  readonly #fd: number;
  readonly #block = Buffer.alloc(BLOCK + DIGEST);
  readonly #seal = createHash('sha256');
  #used = 0;
  #blocks = 0;
  #rows = 0;
  #bytes = 0;
  #longestKey = 0;
  #isOpen = true;

  /** Throws a UserError if the file cannot be created. The other methods throw one if it cannot be written. */
  constructor(path: string, number: number) {
    this.#path = path;
    this.#number = number;
    try {
      this.#fd = createAnew(path, 0o600);
    } catch (error) {
      throw storageError(error, path);
    }
    this.#append(headerOf(number));
  }

  /** Adds the key and the payload of a row, after their lengths. */
  add({ bytes, keyStart, keyEnd, end }: Row): void {
    this.#rows++;
    this.#longestKey = Math.max(this.#longestKey, keyEnd - keyStart);
    this.#put(lengths(keyEnd - keyStart, end - keyStart), 0, 8);
    this.#put(bytes, keyStart, end);
  }

  /** The file is complete and on disk when this returns. */
  seal(): RunSeal {
    if (this.#used > 0) this.#flush();
    const sha256 = this.#seal.digest('hex');
    const [number, rows, bytes, longestKey] = [this.#number, this.#rows, this.#bytes, this.#longestKey];
    const seal = { number, rows, bytes, longestKey, sha256 };
    this.#append(trailerOf(seal));
    try {
      fsyncSync(this.#fd);
      this.#isOpen = false;
      closeSync(this.#fd);
    } catch (error) {
      throw storageError(error, this.#path);
    }
    return seal;
  }

  discard(): void {
    if (this.#isOpen) closeSync(this.#fd);
    rmSync(systemName(this.#path), { force: true });
  }

  #put(bytes: Uint8Array, start: number, end: number): void {
    for (let at = start; at < end;) {
      const fits = Math.min(end - at, BLOCK - this.#used);
      if (fits < 64) for (let k = 0; k < fits; k++) this.#block[this.#used + k] = bytes[at + k]!;
      else this.#block.set(bytes.subarray(at, at + fits), this.#used);
      at += fits;
      this.#used += fits;
      if (this.#used === BLOCK) this.#flush();
    }
  }

  #flush(): void {
    const used = this.#used;
    const digest = digestOf(this.#block.subarray(0, used), this.#number, this.#blocks++);
    digest.copy(this.#block, used);
    this.#seal.update(digest);
    this.#append(this.#block.subarray(0, used + DIGEST));
    this.#bytes += used;
    this.#used = 0;
  }

  #append(bytes: Uint8Array): void {
    try {
      for (let done = 0; done < bytes.length;) done += writeSync(this.#fd, bytes, done);
    } catch (error) {
      throw storageError(error, this.#path);
    }
  }
}

const numbers = new Uint8Array(8);
const numbersView = new DataView(numbers.buffer);

function lengths(key: number, row: number): Uint8Array {
  numbersView.setUint32(0, key, true);
  numbersView.setUint32(4, row, true);
  return numbers;
}

/** The seal in a run that no index names; undefined if there is no such file, or if it is no run. */
export function sealIn(path: string): RunSeal | undefined {
  const bytes = new Uint8Array(HEADER + TRAILER);
  try {
    const fd = openPlain(path);
    try {
      const { size } = fstatSync(fd);
      if (size < bytes.length) return undefined;
      readSync(fd, bytes, 0, HEADER, 0);
      readSync(fd, bytes, HEADER, TRAILER, size - TRAILER);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
  const [header, trailer] = [Buffer.from(bytes.subarray(0, HEADER)), Buffer.from(bytes.subarray(HEADER))];
  if (!header.subarray(0, MAGIC.length).equals(MAGIC)) return undefined;
  return {
    number: header.readUInt32LE(MAGIC.length),
    rows: trailer.readDoubleLE(0),
    bytes: trailer.readDoubleLE(8),
    longestKey: 0,
    sha256: trailer.toString('hex', 16, 48),
  };
}

/** An open sealed run. It stays readable after its name is removed. */
export class RunFile {
  readonly #path: string;
  readonly #seal: RunSeal;
  readonly #fd: number;
  readonly #block = Buffer.alloc(BLOCK + DIGEST);
  #number = -1;

  /** Throws a UserError if the file is missing, cannot be read, or does not match the seal. */
  constructor(path: string, seal: RunSeal) {
    this.#path = path;
    this.#seal = seal;
    try {
      this.#fd = openPlain(path);
    } catch (error) {
      throw storageError(error, path);
    }
    const size = runFileBytes(seal.bytes);
    const trailer = Buffer.alloc(TRAILER);
    const header = Buffer.alloc(HEADER);
    this.#fetch(header, 0);
    this.#fetch(trailer, size - TRAILER);
    const isWhole = fstatSync(this.#fd).size === size;
    if (isWhole && header.equals(headerOf(seal.number)) && trailer.equals(trailerOf(seal))) return;
    this.close();
    throw this.#damage(isWhole ? 'it is not the file that was written' : 'it is not as long as it was');
  }

  /** All its rows, for a merge with others. */
  get rows(): SortedRun {
    return { file: this, start: 0, end: this.#seal.bytes };
  }

  /**
   * Fills `target` with bytes of rows from `position` on; returns how many, fewer only at the end. Throws a UserError
   * if the file is damaged.
   */
  read(target: Uint8Array, position: number): number {
    const end = Math.min(position + target.length, this.#seal.bytes);
    for (let at = position; at < end;) {
      const number = Math.floor(at / BLOCK);
      const from = at - number * BLOCK;
      const to = Math.min(BLOCK, end - number * BLOCK);
      target.set(this.#blockAt(number).subarray(from, to), at - position);
      at += to - from;
    }
    return Math.max(0, end - position);
  }

  close(): void {
    closeSync(this.#fd);
  }

  #blockAt(number: number): Buffer {
    if (number === this.#number) return this.#block;
    const length = Math.min(BLOCK, this.#seal.bytes - number * BLOCK);
    this.#number = -1;
    this.#fetch(this.#block.subarray(0, length + DIGEST), HEADER + number * (BLOCK + DIGEST));
    const digest = digestOf(this.#block.subarray(0, length), this.#seal.number, number);
    if (!digest.equals(this.#block.subarray(length, length + DIGEST))) throw this.#damage('its bytes have changed');
    this.#number = number;
    return this.#block;
  }

  #fetch(target: Buffer, position: number): void {
    try {
      for (let done = 0; done < target.length;) {
        const got = readSync(this.#fd, target, done, target.length - done, Math.max(0, position + done));
        if (got === 0) return void target.fill(0, done);
        done += got;
      }
    } catch (error) {
      throw storageError(error, this.#path);
    }
  }

  #damage(what: string): UserError {
    const message = `${printable(this.#path)} is damaged: ${what}. A sorted run as it was sealed was expected`;
    return new UserError(`${message}. Put it back from a backup, or begin a new state in another folder.`);
  }
}
