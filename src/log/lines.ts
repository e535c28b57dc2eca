// Splits chunks into batches of whole lines, wherever the chunks were cut.
//
// A batch is an arena and offsets: line i is bytes[start[i], end[i]), without its `\n` or `\r\n`. Lines within one
// chunk are not copied; a line that is cut between chunks is assembled in its own buffer. Of a line that is too long
// only the first MAX_LINE_BYTES + 1 bytes are kept, enough to show that it is.
//
// The next batch overwrites all columns, and the buffer of a cut line.
import { NEWLINE, QUOTE, RETURN } from '../base/ascii.js';

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

/** The end of a line without its line end, limited to the bytes that are kept. Its newline is at `end`. */
export function endOfLine(bytes: Buffer, start: number, end: number): number {
  const bare = end > start && bytes[end - 1] === RETURN ? end - 1 : end;
  return Math.min(bare, start + MAX_LINE_BYTES + 1);
}

/** Its only state between chunks is the beginning of a cut line. */
class LineSplitter {
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
    // One byte more than needed to show that a line is too long, for the `\r` at its end.
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

// In CSV a quoted field may span several lines. The lines of a record are joined to one line of a batch.
//
// A quote opens only at the start of a field, and closes only before a delimiter or the end of the line. A quote
// anywhere else is a plain character (csv-parse with relax_quotes does the same). An open quote that never closes would
// swallow the rest of the input: after MAX_RECORD_BYTES it counts as damage, the line that opened it becomes a record
// by itself, and reading continues with the next line.

const MAX_RECORD_BYTES = 1 << 16;

const LINE_END = Buffer.from('\n');

interface Line {
  readonly bytes: Buffer;
  readonly number: number;
}

export async function* joinQuoted(batches: AsyncIterable<LineBatch>, delimiter: number): AsyncGenerator<LineBatch> {
  const joiner = new QuotedJoiner(delimiter);
  for await (const batch of batches) yield* joiner.join(batch);
  yield* joiner.finish();
}

class QuotedJoiner {
  readonly #delimiter: number;
  readonly #out = createLineBatch();
  /** The lines of a record whose quote is still open. */
  #open: Line[] = [];
  #openBytes = 0;

  constructor(delimiter: number) {
    this.#delimiter = delimiter;
  }

  *join(batch: LineBatch): Generator<LineBatch> {
    let from = 0;
    let quote = -1;
    for (let line = 0; line < batch.lines; line++) {
      const start = batch.start[line]!;
      const end = batch.end[line]!;
      const wasOpen = this.#open.length > 0;
      if (!wasOpen) {
        // Most lines have no quote; one search for the next quote shows that for many lines.
        if (quote < start) quote = nextQuote(batch.bytes, start);
        if (quote >= end) continue;
      }
      const isOpen = endsInQuotes(batch.bytes, start, end, this.#delimiter, wasOpen);
      if (!wasOpen && !isOpen) continue;
      yield* this.#copy(batch, from, line);
      from = line + 1;
      this.#open.push({ bytes: Buffer.from(batch.bytes.subarray(start, end)), number: batch.number[line]! });
      this.#openBytes += end - start + 1;
      if (!isOpen) yield this.#record(this.#takeOpen());
      else if (this.#openBytes > MAX_RECORD_BYTES) yield* this.#giveUp();
    }
    yield* this.#copy(batch, from, batch.lines);
  }

  *finish(): Generator<LineBatch> {
    while (this.#open.length > 0) yield* this.#giveUp();
  }

  /** Yields the first open line by itself, then the others as if read after it. */
  *#giveUp(): Generator<LineBatch> {
    const lines = this.#takeOpen();
    yield this.#record(lines.slice(0, 1));
    for (const line of lines.slice(1)) {
      const wasOpen = this.#open.length > 0;
      const isOpen = endsInQuotes(line.bytes, 0, line.bytes.length, this.#delimiter, wasOpen);
      this.#open.push(line);
      this.#openBytes += line.bytes.length + 1;
      if (!isOpen) yield this.#record(this.#takeOpen());
    }
  }

  #takeOpen(): Line[] {
    const lines = this.#open;
    this.#open = [];
    this.#openBytes = 0;
    return lines;
  }

  #record(lines: readonly Line[]): LineBatch {
    const parts = lines.flatMap((line, index) => (index === 0 ? [line.bytes] : [LINE_END, line.bytes]));
    const out = this.#out;
    out.bytes = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
    out.start[0] = 0;
    out.end[0] = out.bytes.length;
    out.number[0] = lines[0]!.number;
    out.lines = 1;
    return out;
  }

  /** Lines [from, to) of the batch, unchanged. */
  *#copy(batch: LineBatch, from: number, to: number): Generator<LineBatch> {
    if (from === to) return;
    const out = this.#out;
    out.bytes = batch.bytes;
    out.start.set(batch.start.subarray(from, to));
    out.end.set(batch.end.subarray(from, to));
    out.number.set(batch.number.subarray(from, to));
    out.lines = to - from;
    yield out;
  }
}

/** Offset of the first quote at or after `start`, or one past all lines. */
function nextQuote(bytes: Buffer, start: number): number {
  const at = bytes.indexOf(QUOTE, start);
  return at < 0 ? bytes.length : at;
}

/** True if a quoted field is open at the end of the line; `open`: one was open at its start. */
function endsInQuotes(bytes: Buffer, start: number, end: number, delimiter: number, open: boolean): boolean {
  let quoted = open;
  let fieldStart = !open;
  for (let at = start; at < end; at++) {
    const byte = bytes[at];
    if (quoted) {
      if (byte !== QUOTE) continue;
      if (bytes[at + 1] === QUOTE && at + 1 < end) at++;
      else quoted = false;
    } else if (byte === delimiter) fieldStart = true;
    else {
      quoted = fieldStart && byte === QUOTE;
      fieldStart = false;
    }
  }
  return quoted;
}
