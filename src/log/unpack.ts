// Detects the compression of an input from its first bytes, whatever its name, and decompresses it.
//
//   gzip    1f 8b                node:zlib, in a thread of the system          (gunzip.ts)
//   bzip2   "BZh1".."BZh9"       seek-bzip, block by block                     (bunzip2.ts)
//   xz      fd "7zXZ" 00         xz-embedded in WebAssembly                    (unxz.ts)
//   zstd    28 b5 2f fd          node:zlib where it has zstd, for files       (unzstd-native.ts)
//                                libzstd in WebAssembly                        (unzstd.ts)
//           50..5f 2a 4d 18      a skippable frame, which may come first
//
// Only one layer of compression is undone. A decompressor is loaded when the first input needs it.
import { gunzip } from './gunzip.js';
import { BadPacking, type Packing, type Unpacker } from './packing.js';
import type { Condition } from './record.js';

/** So many bytes identify the compression. */
export const MAGIC_BYTES = 6;

const BZIP2_DIGITS = /^BZh[1-9]/;
const XZ_MAGIC = Buffer.from('fd377a585a00', 'hex');
const ZSTD_MAGIC = 0xfd2fb528;
const ZSTD_SKIPPED = 0x184d2a50;

/** Null for plain bytes. */
export function packingOf(head: Buffer): Packing | null {
  if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip';
  if (BZIP2_DIGITS.test(head.toString('latin1', 0, 4))) return 'bzip2';
  if (head.subarray(0, XZ_MAGIC.length).equals(XZ_MAGIC)) return 'xz';
  if (head.length < 4) return null;
  const magic = head.readUInt32LE(0);
  return magic === ZSTD_MAGIC || (magic & ~0xf) >>> 0 === ZSTD_SKIPPED ? 'zstd' : null;
}

/**
 * The text of all streams in `chunks`, one after another. If they break off or are damaged, yields the text before that
 * and sets `condition`. `again` opens the same bytes anew; null if that is impossible.
 */
export async function* unpack(
  packing: Packing,
  chunks: AsyncIterable<Buffer>,
  condition: Condition,
  again: (() => AsyncIterable<Buffer>) | null,
): AsyncGenerator<Buffer> {
  if (packing === 'gzip') return yield* gunzip(chunks, condition, again);
  if (packing === 'zstd' && again !== null) {
    const { hasNativeZstd, unzstdNatively } = await import('./unzstd-native.js');
    const rest = (given: number) => behind(unpackHere(packing, again(), condition), given);
    if (hasNativeZstd) return yield* unzstdNatively(chunks, rest);
  }
  yield* unpackHere(packing, chunks, condition);
}

/** `text` without its first `given` bytes. */
async function* behind(text: AsyncIterable<Buffer>, given: number): AsyncGenerator<Buffer> {
  let known = given;
  for await (const bytes of text) {
    const skipped = Math.min(known, bytes.length);
    known -= skipped;
    if (skipped < bytes.length) yield bytes.subarray(skipped);
  }
}

/** Decompresses in this thread. */
async function* unpackHere(
  packing: Exclude<Packing, 'gzip'>,
  chunks: AsyncIterable<Buffer>,
  condition: Condition,
): AsyncGenerator<Buffer> {
  let unpacker: Unpacker | undefined;
  try {
    unpacker = await load(packing);
    for await (const chunk of chunks) yield* unpacker.push(chunk);
    yield* unpacker.end();
  } catch (error) {
    if (isTrap(error)) condition.reason = `the ${packing} data broke its decoder (${error.message})`;
    else if (error instanceof BadPacking) condition.reason = error.message;
    else throw error;
  } finally {
    unpacker?.close();
  }
}

/** WebAssembly throws an error of this name at an invalid memory access. */
function isTrap(error: unknown): error is Error {
  return error instanceof Error && error.name === 'RuntimeError';
}

async function load(packing: Exclude<Packing, 'gzip'>): Promise<Unpacker> {
  switch (packing) {
    case 'bzip2':
      return (await import('./bunzip2.js')).createBunzip2();
    case 'xz':
      return (await import('./unxz.js')).createUnxz();
    case 'zstd':
      return (await import('./unzstd.js')).createUnzstd();
    default:
      return packing satisfies never;
  }
}
