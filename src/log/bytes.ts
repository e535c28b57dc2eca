// The bytes of an input, unpacked. Whether an input is compressed is seen by its first bytes, not by its name.
//
// What could be read before an input broke off, or its compression turned out damaged, is kept; what went wrong is said
// in `condition`, as it is the state of the input and no failure of the run.
import { createGunzip } from 'node:zlib';
import { systemCode } from '../base/error.js';

export type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

export interface Input {
  readonly name: string;
  open(): Chunks;
  /** Where it lies, if it is a file: so that another thread can open it. */
  readonly path?: string;
}

export interface Condition {
  /** Why the input could not be read to its end, or null. */
  reason: string | null;
}

const GZIP_TRAILER_BYTES = 8;
const PIECE_BYTES = 1 << 14;
const UTF8_MARK = Buffer.of(0xef, 0xbb, 0xbf);

/** Never throws for what is wrong with the input itself. A UTF-8 byte order mark at the start is taken off. */
export async function* readBytes(input: Input, condition: Condition): AsyncGenerator<Buffer> {
  try {
    const [head, chunks] = await peek(asBuffers(input.open()), 2);
    const isGzip = head[0] === 0x1f && head[1] === 0x8b;
    yield* withoutMark(isGzip ? gunzip(chunks, condition) : chunks);
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    condition.reason = `cannot be read (${code})`;
  }
}

/** The first `bytes` bytes (or all, if there are fewer), and the whole as if nothing had been taken. */
export async function peek(chunks: AsyncIterable<Buffer>, bytes: number): Promise<[Buffer, AsyncIterable<Buffer>]> {
  const iterator = chunks[Symbol.asyncIterator]();
  const taken: Buffer[] = [];
  for (let length = 0; length < bytes;) {
    const next = await iterator.next();
    if (next.done === true) break;
    taken.push(next.value);
    length += next.value.length;
  }
  return [Buffer.concat(taken).subarray(0, bytes), resume(taken, iterator)];
}

async function* resume(taken: Buffer[], iterator: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    for (let chunk = taken.shift(); chunk !== undefined; chunk = taken.shift()) yield chunk;
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

/**
 * Unpacks all members. An error of zlib takes with it what the same call had decoded, so the last bytes, where check sum
 * and length are, go in a call of their own: a file whose check sum alone is wrong loses nothing, one with damage in the
 * middle at most 16 KiB of what was before it.
 */
async function* gunzip(chunks: AsyncIterable<Buffer>, condition: Condition): AsyncGenerator<Buffer> {
  const engine = new Gunzip();
  try {
    for await (const piece of holdBack(chunks, GZIP_TRAILER_BYTES)) {
      if (!engine.isOver) yield await engine.write(piece);
      condition.reason = engine.reasonAfter(piece);
      if (condition.reason !== null) break;
    }
    yield await engine.end();
    condition.reason ??= engine.reason;
  } finally {
    engine.close();
  }
}

/** zlib's stream as calls that give back what was decoded. Its errors come as events, after which no callback comes. */
class Gunzip {
  readonly #stream = createGunzip();
  #decoded: Buffer[] = [];
  #failure: Error | null = null;
  #fed = 0;
  #wake = (): void => {};
  /** True if nothing more is to be had: an error, or zeros follow the last member. */
  isOver = false;

  constructor() {
    this.#stream.on('data', (data: Buffer) => this.#decoded.push(data));
    this.#stream.on('error', (error) => this.#stop(error));
    this.#stream.on('end', () => this.#stop(null));
  }

  write(piece: Buffer): Promise<Buffer> {
    this.#fed += piece.length;
    return this.#waitFor((done) => this.#stream.write(piece, done));
  }

  async end(): Promise<Buffer> {
    return this.isOver ? Buffer.concat(this.#decoded.splice(0)) : this.#waitFor(() => this.#stream.end());
  }

  close(): void {
    this.#stream.destroy();
  }

  get reason(): string | null {
    return this.#failure === null ? null : explain(this.#failure);
  }

  /** What is wrong once `piece` was written, or came when all was over. Zeros behind the last member are padding. */
  reasonAfter(piece: Buffer): string | null {
    if (!this.isOver || this.#failure !== null) return this.reason;
    const unread = Math.min(piece.length, Math.max(0, this.#fed - this.#stream.bytesWritten));
    this.#fed = Infinity; // so that every piece after this one is unread as a whole
    const isPadding = piece.subarray(piece.length - unread).every((byte) => byte === 0);
    return isPadding ? null : 'what follows the gzip data was not read';
  }

  async #waitFor(begin: (done: () => void) => void): Promise<Buffer> {
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      begin(resolve);
    });
    return Buffer.concat(this.#decoded.splice(0));
  }

  #stop(failure: Error | null): void {
    this.#failure ??= failure;
    this.isOver = true;
    this.#wake();
  }
}

/** The same bytes in pieces, the last of which is the last `bytes` bytes. */
async function* holdBack(chunks: AsyncIterable<Buffer>, bytes: number): AsyncGenerator<Buffer> {
  let held = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const all = Buffer.concat([held, chunk]);
    const free = Math.max(0, all.length - bytes);
    for (let at = 0; at < free; at += PIECE_BYTES) yield all.subarray(at, Math.min(free, at + PIECE_BYTES));
    held = all.subarray(free);
  }
  yield held;
}

function explain(error: Error): string {
  const code = systemCode(error);
  if (code === undefined) throw error;
  return code === 'Z_BUF_ERROR' ? 'the gzip data ends too early' : `the gzip data is damaged (${error.message})`;
}
