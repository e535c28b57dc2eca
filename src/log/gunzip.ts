// Decompresses gzip concurrently with reading: zlib works in a thread of the pool, one piece ahead.
//
// On an error, zlib loses what the same call had decoded. Calls that return up to 1 MiB are five times as fast as those
// of 16 KiB, and lose that much more. So if the input can be opened a second time, it is decoded again up to the piece
// that failed, and that piece byte by byte. If it cannot (a pipe), calls are small and the loss is accepted.
import { createGunzip } from 'node:zlib';
import { systemCode } from '../base/error.js';
import type { Condition } from './record.js';

const TRAILER_BYTES = 8;
const PIECE_BYTES = 1 << 16;
const LARGE_CALL = 1 << 20;
const SMALL_CALL = 1 << 14;

/**
 * Decompresses all members. Checksum and length, the last bytes, are passed separately: if only they are wrong, nothing
 * is lost. `again` opens the same bytes anew; null if that is impossible.
 */
export async function* gunzip(
  chunks: AsyncIterable<Buffer>,
  condition: Condition,
  again: (() => AsyncIterable<Buffer>) | null,
): AsyncGenerator<Buffer> {
  const engine = new Gunzip(again === null ? SMALL_CALL : LARGE_CALL);
  let given = 0;
  let intact = 0;
  try {
    let decoded: Buffer[] = [];
    for await (const piece of holdBack(chunks, TRAILER_BYTES)) {
      if (!engine.isOver) {
        const coming = engine.write(piece);
        for (const bytes of decoded) yield bytes;
        decoded = await coming;
        if (engine.reason === null) intact += piece.length;
        for (const bytes of decoded) given += bytes.length;
      }
      condition.reason = engine.reasonAfter(piece);
      if (condition.reason !== null) break;
    }
    for (const bytes of decoded) yield bytes;
    const wasOver = engine.isOver;
    for (const bytes of await engine.end()) yield bytes;
    condition.reason ??= engine.reason;
    if (wasOver && engine.reason !== null && again !== null) yield* decodeAgain(again(), intact, given);
  } finally {
    engine.close();
  }
}

/**
 * Decodes again what comes after the first `given` decoded bytes and before the damage. The damage is after `intact`
 * bytes of the compressed data.
 */
async function* decodeAgain(chunks: AsyncIterable<Buffer>, intact: number, given: number): AsyncGenerator<Buffer> {
  const engine = new Gunzip(LARGE_CALL);
  let known = given;
  try {
    for await (const piece of inPieces(chunks, intact)) {
      for (const bytes of await engine.write(piece)) {
        const skipped = Math.min(known, bytes.length);
        known -= skipped;
        if (skipped < bytes.length) yield bytes.subarray(skipped);
      }
      if (engine.isOver) return;
    }
  } finally {
    engine.close();
  }
}

/** Whole chunks up to `at`, then single bytes. */
async function* inPieces(chunks: AsyncIterable<Buffer>, at: number): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    const whole = Math.min(at, chunk.length);
    at -= whole;
    if (whole > 0) yield chunk.subarray(0, whole);
    for (let k = whole; k < chunk.length; k++) yield chunk.subarray(k, k + 1);
  }
}

/**
 * zlib's stream as calls that return what was decoded. zlib reports an error as an event, and does not call back then.
 */
class Gunzip {
  readonly #stream;
  #decoded: Buffer[] = [];
  #failure: Error | null = null;
  #fed = 0;
  #wake = (): void => {};
  /** True if no more can be decoded: after an error, or at zeros after the last member. */
  isOver = false;

  constructor(callBytes: number) {
    this.#stream = createGunzip({ chunkSize: callBytes });
    this.#stream.on('data', (data: Buffer) => this.#decoded.push(data));
    this.#stream.on('error', (error) => this.#stop(error));
    this.#stream.on('end', () => this.#stop(null));
  }

  write(piece: Buffer): Promise<Buffer[]> {
    this.#fed += piece.length;
    return this.#waitFor((done) => this.#stream.write(piece, done));
  }

  async end(): Promise<Buffer[]> {
    return this.isOver ? this.#decoded.splice(0) : this.#waitFor(() => this.#stream.end());
  }

  close(): void {
    this.#stream.destroy();
  }

  get reason(): string | null {
    return this.#failure === null ? null : explain(this.#failure);
  }

  /**
   * What is wrong after `piece` was written: an error, or data after the end. Zeros after the last member are padding.
   */
  reasonAfter(piece: Buffer): string | null {
    if (!this.isOver || this.#failure !== null) return this.reason;
    const unread = Math.min(piece.length, Math.max(0, this.#fed - this.#stream.bytesWritten));
    this.#fed = Infinity; // so that every later piece counts as unread
    const isPadding = piece.subarray(piece.length - unread).every((byte) => byte === 0);
    return isPadding ? null : 'what follows the gzip data was not read';
  }

  async #waitFor(begin: (done: () => void) => void): Promise<Buffer[]> {
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      begin(resolve);
    });
    return this.#decoded.splice(0);
  }

  #stop(failure: Error | null): void {
    this.#failure ??= failure;
    this.isOver = true;
    this.#wake();
  }
}

/** The same bytes in pieces, such that the last piece has exactly the last `bytes` bytes. */
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
