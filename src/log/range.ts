// A part of the text of an input: what was added since it was last read, or everything but an unfinished last line.
import { chooseFormat, openFormat, type FormatOptions } from './format/choose.js';
import { NO_WANTS } from './format/format.js';
import { isParquet } from './parquet/magic.js';

/** Bytes [start, end) of the decompressed text, after its byte order mark; a line begins at `start`. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** True for an input that is one document, such as XML or Parquet, and not a sequence of lines. */
export function isDocument(head: Buffer, options: FormatOptions): boolean {
  if (isParquet(head)) return true;
  const shape = chooseFormat(head, options);
  return shape !== null && openFormat(shape, options, NO_WANTS).linesOf !== undefined;
}

/**
 * The bytes of the range. `whatIsBefore` decides whether the bytes before it are skipped or returned too. `onStart` is
 * called after everything before the range was read, and before its first byte is.
 */
export async function* inRange(
  chunks: AsyncIterable<Buffer>,
  { start, end }: TextRange,
  whatIsBefore: 'skipped' | 'given',
  onStart: () => void,
): AsyncGenerator<Buffer> {
  let position = 0;
  let hasStarted = false;
  for await (const chunk of chunks) {
    const from = Math.min(chunk.length, Math.max(0, start - position));
    const to = Math.min(chunk.length, end - position);
    position += chunk.length;
    if (from > 0 && whatIsBefore === 'given') yield chunk.subarray(0, from);
    if (from < to) {
      if (!hasStarted) onStart();
      hasStarted = true;
      yield chunk.subarray(from, to);
    }
    if (position >= end) break;
  }
  if (!hasStarted) onStart();
}
