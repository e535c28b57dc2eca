// Random access to the bytes of an archive: to the file itself or, if the file is one gzip member, to its decompressed
// text in a scratch file. The offset in these bytes identifies a record.
import { open, type FileHandle } from 'node:fs/promises';
import { systemName } from '../../base/file-name.js';
import { ScratchFile } from '../../base/scratch.js';

export interface RandomBytes {
  readonly length: number;
  /** `length` bytes from `position` on, or fewer at the end, in a new buffer. */
  read(position: number, length: number): Promise<Buffer>;
  close(): Promise<void>;
}

/** Throws the system's error if the file cannot be opened. */
export async function openBytes(path: string): Promise<RandomBytes> {
  const handle = await open(systemName(path));
  try {
    const { size } = await handle.stat();
    return { length: size, read: (position, length) => readAt(handle, position, length), close: () => handle.close() };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const target = Buffer.allocUnsafe(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await handle.read(target, done, length - done, position + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return target.subarray(0, done);
}

/** A scratch file that can still grow. */
export interface GrowingBytes extends RandomBytes {
  append(bytes: Uint8Array): void;
}

export function scratchBytes(tmpdir: string): GrowingBytes {
  const file = new ScratchFile(tmpdir);
  return {
    get length() {
      return file.length;
    },
    append: (bytes) => file.append(bytes),
    read: async (position, length) => {
      const target = Buffer.allocUnsafe(length);
      return target.subarray(0, file.read(target, position));
    },
    close: async () => file.close(),
  };
}

/** The same bytes, read in windows, each of which is kept until another is needed: for passes from front to back. */
export function inWindows(bytes: RandomBytes, windowBytes: number): RandomBytes {
  let start = 0;
  let window: Buffer = Buffer.alloc(0);
  return {
    get length() {
      return bytes.length;
    },
    read: async (position, length) => {
      if (position < start || position + length > start + window.length) {
        window = await bytes.read(position, Math.max(length, windowBytes));
        start = position;
      }
      return window.subarray(position - start, position - start + length);
    },
    close: () => bytes.close(),
  };
}

/** The next offset of `pattern` in [start, bytes.length), or -1. */
export async function findBytes(bytes: RandomBytes, pattern: Buffer, start: number): Promise<number> {
  const step = 1 << 18;
  for (let at = start; at < bytes.length; at += step) {
    const found = (await bytes.read(at, step + pattern.length - 1)).indexOf(pattern);
    if (found >= 0) return at + found;
  }
  return -1;
}
