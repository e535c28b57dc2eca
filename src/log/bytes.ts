// The bytes of an input, unpacked. Whether and how an input is packed is seen by its first bytes, not by its name.
//
// What could be read before an input broke off, or its compression turned out damaged, is kept; what went wrong is said
// in `condition`, as it is the state of the input and no failure of the run.
import { stat } from 'node:fs/promises';
import { systemCode, UserError } from '../base/error.js';
import type { Condition } from './condition.js';
import type { TextRange } from './range.js';
import { MAGIC_BYTES, packingOf, unpack } from './unpack.js';

export type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

export interface Input {
  readonly name: string;
  open(): Chunks;
  /** Where it lies, if it is a file: so that another thread can open it. */
  readonly path?: string;
  /** What is to be read of its text; all where it is not given. */
  readonly range?: TextRange;
}

const UTF8_MARK = Buffer.of(0xef, 0xbb, 0xbf);

/** Never throws for what is wrong with the input itself. A UTF-8 byte order mark at the start is taken off. */
export async function* readBytes(input: Input, condition: Condition): AsyncGenerator<Buffer> {
  try {
    const [head, chunks] = await peek(asBuffers(input.open()), MAGIC_BYTES);
    const packing = packingOf(head);
    const again = (await isRegularFile(input.path)) ? () => asBuffers(input.open()) : null;
    yield* withoutMark(packing === null ? chunks : unpack(packing, chunks, condition, again));
  } catch (error) {
    condition.reason = unreadable(error);
  }
}

/** The input; `onTaken` is told of all bytes that are taken of it, packed or not. */
export function measured(input: Input, onTaken: (bytes: number) => void): Input {
  async function* open(): AsyncGenerator<Uint8Array> {
    for await (const chunk of input.open()) {
      onTaken(chunk.length);
      yield chunk;
    }
  }
  return { ...input, open };
}

/** Why an input could not be read, as its state. A bug, and what is no fault of the input, is thrown. */
export function unreadable(error: unknown): string {
  const code = systemCode(error);
  if (code === undefined) throw error;
  if (code === 'EMFILE' || code === 'ENFILE') {
    const message = `an input could not be opened: too many files are open (${code}); expected room for a few more`;
    throw new UserError(`${message}. Raise the limit (ulimit -n), or read with --threads 1`, { cause: error });
  }
  return `cannot be read (${code})`;
}

/** A pipe may have a path too, and be read once only. */
async function isRegularFile(path: string | undefined): Promise<boolean> {
  return path !== undefined && (await stat(path)).isFile();
}

/**
 * The first `bytes` bytes (or all, if there are fewer), and the whole as if nothing had been taken: what fails meanwhile
 * fails there, behind what came before it.
 */
export async function peek(chunks: AsyncIterable<Buffer>, bytes: number): Promise<[Buffer, AsyncIterable<Buffer>]> {
  const iterator = chunks[Symbol.asyncIterator]();
  const taken: Buffer[] = [];
  let failure: { readonly error: unknown } | null = null;
  try {
    for (let length = 0; length < bytes;) {
      const next = await iterator.next();
      if (next.done === true) break;
      taken.push(next.value);
      length += next.value.length;
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

async function* withoutMark(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const [head, all] = await peek(chunks, UTF8_MARK.length);
  let skip = head.equals(UTF8_MARK) ? UTF8_MARK.length : 0;
  for await (const chunk of all) {
    const from = Math.min(skip, chunk.length);
    skip -= from;
    yield from === 0 ? chunk : chunk.subarray(from);
  }
}
