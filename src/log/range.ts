// A part of the text of an input: what came since it was read the last time, or all but a last line that has no end yet.
import { chooseFormat, openFormat, type FormatOptions } from './format/choose.js';
import { NO_WANTS } from './format/format.js';

/** Bytes [start, end) of the unpacked text, behind its byte order mark; a line begins at `start`. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** True for a text that is one thing, as XML is, and no lines that one by one say something. */
export function isDocument(head: Buffer, options: FormatOptions): boolean {
  const name = chooseFormat(head, options);
  return name !== null && openFormat(name, options, NO_WANTS).linesOf !== undefined;
}

/**
 * The bytes of the range. `whatIsBefore` is skipped, or given as well; `onStart` is called before the first byte of the range
 * is asked for, when all before it was taken.
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
