// Chunks -> batches of whole lines, wherever the chunks were cut.
//
// A batch is an arena and offsets: line i is bytes[start[i], end[i]), without its `\n` or `\r\n`. Lines within one
// chunk are not copied; one that is cut between chunks is assembled in a buffer of its own. Only the first
// MAX_LINE_BYTES + 1 bytes of a longer line are kept, enough to see that it is too long.
//
// All columns, and the buffer of a line that was cut, are overwritten when the next batch is requested.
import { NEWLINE, RETURN } from '../base/ascii.js';

export const MAX_LINE_BYTES = 1 << 20;
export const BATCH_LINES = 8192;

export interface LineBatch {
  bytes: Buffer;
  lines: number;
  readonly start: Int32Array;
  readonly end: Int32Array;
  /** Number of the line in its input, from 1. */
  readonly number: Float64Array;
}

export function createLineBatch(): LineBatch {
  return {
    bytes: Buffer.alloc(0),
    lines: 0,
    start: new Int32Array(BATCH_LINES),
    end: new Int32Array(BATCH_LINES),
    number: new Float64Array(BATCH_LINES),
  };
}

export async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<LineBatch> {
  const splitter = new LineSplitter();
  for await (const chunk of chunks) yield* splitter.split(chunk);
  yield* splitter.finish();
}

/** The end of a line whose newline is at `end`, limited to the bytes that are kept. */
export function endOfLine(bytes: Buffer, start: number, end: number): number {
  const bare = end > start && bytes[end - 1] === RETURN ? end - 1 : end;
  return Math.min(bare, start + MAX_LINE_BYTES + 1);
}

/** Its only state between chunks is the beginning of the line that was cut. */
export class LineSplitter {
  readonly #batch = createLineBatch();
  #number = 0;
  #begun = Buffer.alloc(0);
  #begunBytes = 0;

  *split(chunk: Buffer): Generator<LineBatch> {
    let at = 0;
    if (this.#begunBytes > 0) {
      const newline = chunk.indexOf(NEWLINE);
      this.#keep(chunk, 0, newline < 0 ? chunk.length : newline);
      if (newline < 0) return;
      yield this.#takeBegun();
      at = newline + 1;
    }
    while (at < chunk.length) {
      at = this.#fill(chunk, at);
      if (this.#batch.lines > 0) yield this.#batch;
      if (this.#batch.lines === BATCH_LINES) continue;
      this.#keep(chunk, at, chunk.length);
      return;
    }
  }

  /** The last line, if no newline followed it. */
  *finish(): Generator<LineBatch> {
    if (this.#begunBytes > 0) yield this.#takeBegun();
  }

  /** Adds whole lines from `at` on until the batch is full; returns the offset after the last. */
  #fill(chunk: Buffer, at: number): number {
    const batch = this.#batch;
    batch.bytes = chunk;
    batch.lines = 0;
    while (batch.lines < BATCH_LINES) {
      const newline = chunk.indexOf(NEWLINE, at);
      if (newline < 0) break;
      this.#add(at, newline);
      at = newline + 1;
    }
    return at;
  }

  #add(start: number, end: number): void {
    const batch = this.#batch;
    batch.start[batch.lines] = start;
    batch.end[batch.lines] = endOfLine(batch.bytes, start, end);
    batch.number[batch.lines++] = ++this.#number;
  }

  #keep(chunk: Buffer, start: number, end: number): void {
    // One byte more than shows that a line is too long, for the `\r` at its end.
    const length = Math.min(end - start, MAX_LINE_BYTES + 2 - this.#begunBytes);
    const needed = this.#begunBytes + length;
    if (needed > this.#begun.length) {
      const grown = Buffer.alloc(Math.max(needed, 2 * this.#begun.length));
      this.#begun.copy(grown, 0, 0, this.#begunBytes);
      this.#begun = grown;
    }
    chunk.copy(this.#begun, this.#begunBytes, start, start + length);
    this.#begunBytes = needed;
  }

  #takeBegun(): LineBatch {
    this.#batch.bytes = this.#begun;
    this.#batch.lines = 0;
    this.#add(0, this.#begunBytes);
    this.#begunBytes = 0;
    return this.#batch;
  }
}
