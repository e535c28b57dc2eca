// Reads a plain file in parts, each in the thread that parses it. A part has the lines that begin in it:
//
//   parts    |..\n.....\n..|....\n..|..........|..\n...
//   lines    |==============|---    |          |           the last line of the first part ends in the second part,
//                       ====|   ====|==========|==         that of the second in the fourth; the third has none
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { NEWLINE } from '../base/ascii.js';
import { systemCode } from '../base/error.js';
import { systemName } from '../base/file-name.js';
import { alloc, giveBack, u8At } from '../base/heap.js';
import { MAX_LINE_BYTES } from './lines.js';
import type { TextRange } from './range.js';
import { packingOf } from './unpack.js';
import { UTF16_SIGN, utf16Of } from './utf16.js';

export interface FilePart {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

export interface PlainFile {
  readonly path: string;
  readonly size: number;
  /** Where the text begins: after the byte order mark, if there is one. */
  readonly start: number;
  /** The first bytes of the text. */
  readonly head: Buffer;
}

export const PART_BYTES = 1 << 20;
const STEP_BYTES = 1 << 16;

/** A file that can be read in parts; null if it is not a plain file, or cannot be read. */
export function plainFile(path: string, headBytes: number): PlainFile | null {
  try {
    const found = statSync(systemName(path));
    if (!found.isFile()) return null;
    const first = readRange(path, 0, headBytes + UTF16_SIGN);
    if (packingOf(first) !== null || utf16Of(first) !== null) return null;
    const start = first[0] === 0xef && first[1] === 0xbb && first[2] === 0xbf ? 3 : 0;
    return { path, size: found.size, start, head: first.subarray(start, start + headBytes) };
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return null; // read as a stream, it will report what is wrong
  }
}

export function* filePartsOf({ path, size, start }: PlainFile, partBytes = PART_BYTES): Generator<FilePart> {
  for (let at = start; at < size; at += partBytes) yield { path, start: at, end: Math.min(size, at + partBytes) };
}

/** Up to `bytes` bytes from `start` on. */
export function readRange(path: string, start: number, bytes: number): Buffer {
  const fd = openSync(systemName(path), 'r');
  try {
    const buffer = Buffer.alloc(bytes);
    return buffer.subarray(0, readSync(fd, buffer, 0, bytes, start));
  } finally {
    closeSync(fd);
  }
}

/** Reads parts into a buffer that it reuses. */
export class PartReader {
  readonly #memory: 'heap' | 'own';
  /** The byte before the part, the part, and the end of its last line. */
  #bytes: Buffer = Buffer.alloc(0);

  constructor(memory: 'heap' | 'own') {
    this.#memory = memory;
  }

  /**
   * The lines that begin in the part. The first line of the file begins at `textStart`. If the last line does not end
   * with a newline, one is appended.
   */
  read({ path, start, end }: FilePart, textStart: number): Buffer {
    const bytes = this.#reserve(1 + end - start + MAX_LINE_BYTES + 2 + 1);
    const before = start > textStart ? 1 : 0;
    const fd = openSync(systemName(path), 'r');
    try {
      let used = readFully(fd, bytes, 0, before + end - start, start - before);
      const from = before === 0 ? 0 : bytes.subarray(0, used).indexOf(NEWLINE) + 1;
      if (before === 1 && from === 0) return bytes.subarray(0, 0);
      // A longer line is too long anyway, which the bytes read so far show.
      const most = used + MAX_LINE_BYTES + 2;
      while (from < used && bytes[used - 1] !== NEWLINE && used < most) {
        const got = readFully(fd, bytes, used, Math.min(STEP_BYTES, most - used), start - before + used);
        if (got === 0) break;
        const newline = bytes.subarray(used, used + got).indexOf(NEWLINE);
        used += newline < 0 ? got : newline + 1;
      }
      bytes[used] = NEWLINE;
      return bytes.subarray(from, used);
    } finally {
      closeSync(fd);
    }
  }

  /** Holds whole lines that were read already. */
  hold(text: Uint8Array): Buffer {
    const bytes = this.#reserve(text.length + 1);
    bytes.set(text);
    bytes[text.length] = NEWLINE;
    return bytes.subarray(0, text.length);
  }

  /** Frees its memory. */
  close(): void {
    if (this.#memory === 'heap' && this.#bytes.length > 0) giveBack(this.#bytes);
    this.#bytes = Buffer.alloc(0);
  }

  #reserve(needed: number): Buffer {
    if (needed <= this.#bytes.length) return this.#bytes;
    this.close();
    if (this.#memory === 'own') return (this.#bytes = Buffer.allocUnsafeSlow(needed));
    const { buffer, byteOffset } = u8At(alloc(needed + SLACK), needed);
    return (this.#bytes = Buffer.from(buffer, byteOffset, needed));
  }
}

/** Reads of sixteen bytes may go this far past the end. */
const SLACK = 16;

/** Returns fewer bytes than requested only at the end of the file. */
export function readFully(fd: number, bytes: Buffer, at: number, length: number, position: number): number {
  let done = 0;
  while (done < length) {
    const got = readSync(fd, bytes, at + done, length - done, position + done);
    if (got === 0) break;
    done += got;
  }
  return done;
}

// Ranges of a file have their lines by the same rule, however long these are: each line is in exactly one of several
// adjacent ranges.

const CHUNK_BYTES = 1 << 18;

/** The first line of the file begins at `textStart`. A chunk is valid until the second one after it is read. */
export function* linesBetween(path: string, { start, end }: TextRange, textStart: number): Generator<Uint8Array> {
  const fd = openSync(systemName(path), 'r');
  try {
    const rooms = [Buffer.allocUnsafeSlow(CHUNK_BYTES), Buffer.allocUnsafeSlow(CHUNK_BYTES)];
    let at = start > textStart ? start - 1 : start;
    let isSkipping = start > textStart;
    for (let turn = 0; isSkipping ? at < end : true; turn++) {
      const room = rooms[turn % rooms.length]!;
      const chunk = room.subarray(0, readFully(fd, room, 0, CHUNK_BYTES, at));
      if (chunk.length === 0) return;
      let from = 0;
      if (isSkipping) {
        from = chunk.indexOf(NEWLINE) + 1;
        isSkipping = from === 0;
        if (isSkipping) from = chunk.length;
        else if (at + from >= end) return;
      }
      // The last line ends with the newline at `end - 1`, or with the first newline after it.
      const last = at + chunk.length < end ? -1 : chunk.indexOf(NEWLINE, Math.max(from, end - 1 - at));
      const to = last < 0 ? chunk.length : last + 1;
      if (to > from) yield chunk.subarray(from, to);
      if (last >= 0) return;
      at += chunk.length;
    }
  } finally {
    closeSync(fd);
  }
}
