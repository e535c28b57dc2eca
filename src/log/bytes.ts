// The decompressed bytes of an input, in UTF-8. Compression and UTF-16 are detected from the first bytes, not from the
// name.
//
// If an input breaks off, or its compressed data are damaged, the bytes before that are kept. The reason is in
// `condition`, as it is a state of the input and not a failure of the run.
import { stat } from 'node:fs/promises';
import { systemCode, UserError } from '../base/error.js';
import { systemName } from '../base/file-name.js';
import type { TextRange } from './range.js';
import type { Condition } from './record.js';
import { MAGIC_BYTES, packingOf, unpack } from './unpack.js';
import { fromUtf16, UTF16_SIGN, utf16Of } from './utf16.js';

export type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

export interface Input {
  readonly name: string;
  open(): Chunks;
  /** The path of a file, so that another thread can open it. */
  readonly path?: string;
  /** The part of its text to read; all of it by default. */
  readonly range?: TextRange;
  /** Set for a file that was found in a folder, and was not named by the user. */
  readonly inFolder?: true;
}

/** First two bytes of gzip, bzip2 and zstd (./unpack); 5?2a begins a frame that zstd skips. */
const PACKED: ReadonlySet<number> = new Set([0x1f8b, 0x425a, 0x28b5]);
/** First bytes of xz and of byte order marks. */
const OTHERS: ReadonlySet<number> = new Set([0xfd, 0xef, 0xfe, 0xff]);

/**
 * Do the first bytes show already that this is a text, neither packed nor in UTF-16? Then nobody waits for more of them:
 * a program may have written one short line, and wait for its answer.
 */
function isText(head: Buffer): boolean {
  const [a = 0, b = 0] = head;
  const isPacked = PACKED.has((a << 8) | b) || (a >> 4 === 5 && b === 0x2a);
  return a !== 0 && b !== 0 && !OTHERS.has(a) && !isPacked;
}

const UTF8_MARK = Buffer.of(0xef, 0xbb, 0xbf);

/** Never throws for a defect of the input itself. Drops a byte order mark at the start. */
export async function* readBytes(input: Input, condition: Condition): AsyncGenerator<Buffer> {
  try {
    const [head, chunks] = await peek(asBuffers(input.open()), MAGIC_BYTES, isText);
    const packing = packingOf(head);
    const again = (await isRegularFile(input.path)) ? () => asBuffers(input.open()) : null;
    yield* asUtf8(packing === null ? chunks : unpack(packing, chunks, condition, again));
  } catch (error) {
    condition.reason = unreadable(error);
  }
}

/** The input, with `onTaken` called for all bytes read from it, compressed or not. */
export function measured(input: Input, onTaken: (bytes: number) => void): Input {
  async function* open(): AsyncGenerator<Uint8Array> {
    for await (const chunk of input.open()) {
      onTaken(chunk.length);
      yield chunk;
    }
  }
  return { ...input, open };
}

/** Why an input could not be read, for its condition. Rethrows bugs, and errors that are not the input's fault. */
export function unreadable(error: unknown): string {
  const code = systemCode(error);
  if (code === undefined) throw error;
  if (code === 'EMFILE' || code === 'ENFILE') {
    const message = `an input could not be opened: too many files are open (${code}); expected room for a few more`;
    throw new UserError(`${message}. Raise the limit (ulimit -n), or read with --threads 1`, { cause: error });
  }
  return `cannot be read (${code})`;
}

/** A pipe may have a path too, but can be read only once. */
async function isRegularFile(path: string | undefined): Promise<boolean> {
  return path !== undefined && (await stat(systemName(path))).isFile();
}

/**
 * Returns the first `bytes` bytes (or all, if there are fewer, or those that are enough), and the whole input as if
 * nothing had been read. An error during the read is thrown from there, after the bytes before it.
 */
export async function peek(
  chunks: AsyncIterable<Buffer>,
  bytes: number,
  isEnough: (head: Buffer) => boolean = () => false,
): Promise<[Buffer, AsyncIterable<Buffer>]> {
  const iterator = chunks[Symbol.asyncIterator]();
  const taken: Buffer[] = [];
  let failure: { readonly error: unknown } | null = null;
  try {
    for (let length = 0; length < bytes;) {
      const next = await iterator.next();
      if (next.done === true) break;
      taken.push(next.value);
      length += next.value.length;
      if (length < bytes && isEnough(Buffer.concat(taken))) break;
    }
  } catch (error) {
    failure = { error };
  }
  return [Buffer.concat(taken).subarray(0, bytes), resume(taken, failure, iterator)];
}

async function* resume(
  taken: Buffer[],
  failure: { readonly error: unknown } | null,
  iterator: AsyncIterator<Buffer>,
): AsyncGenerator<Buffer> {
  try {
    for (let chunk = taken.shift(); chunk !== undefined; chunk = taken.shift()) yield chunk;
    if (failure !== null) throw failure.error;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
  } finally {
    await iterator.return?.();
  }
}

async function* asBuffers(chunks: Chunks): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}

async function* asUtf8(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const [head, all] = await peek(chunks, UTF16_SIGN, isText);
  const encoding = utf16Of(head);
  if (encoding !== null) return yield* fromUtf16(all, encoding);
  let skip = head.subarray(0, UTF8_MARK.length).equals(UTF8_MARK) ? UTF8_MARK.length : 0;
  for await (const chunk of all) {
    const from = Math.min(skip, chunk.length);
    skip -= from;
    yield from === 0 ? chunk : chunk.subarray(from);
  }
}
