// In CSV a quoted field may span several lines. This joins the lines of a record, so that each record is one line of a
// batch.
//
// A quote opens only at the start of a field, and closes only before a delimiter or the end of the line; one anywhere
// else is a character (as csv-parse reads it with relax_quotes). A quote that is opened and never closed would swallow
// the rest of the input: after MAX_RECORD_BYTES it counts as damage, the line that opened it becomes a record by
// itself, and reading continues with the next line.
import { QUOTE } from '../base/ascii.js';
import { createLineBatch, type LineBatch } from './lines.js';

const MAX_RECORD_BYTES = 1 << 16;

const NEWLINE = Buffer.from('\n');

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
  /** Lines of a record whose quote is open. */
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
        // Most lines have no quote, which is seen without looking at each byte.
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

  /** The first open line by itself, and the others as if read after it. */
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
    const parts = lines.flatMap((line, index) => (index === 0 ? [line.bytes] : [NEWLINE, line.bytes]));
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

/** True if a quoted field is open at the end of the line, given whether one was open at its start. */
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
