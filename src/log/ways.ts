// Which lines of an input does the kernel read, which JavaScript, and why? Counted only for `--debug`.
import { sameRange } from '../base/bytes.js';
import type { Fields, LineFormat } from './format/format.js';
import { type LineWays, METHOD, type RecordBatch, type Refusal, type SlowLine } from './record.js';

/** So many lines of an input are in `firsts`. */
export const MOST_FIRSTS = 20;

export function newWays(): LineWays {
  return { kernel: 0, slow: {}, firsts: [] };
}

export function noteSlow({ slow, firsts }: LineWays, { line, reason }: SlowLine, isInLine: boolean): void {
  slow[reason] = (slow[reason] ?? 0) + 1;
  if (isInLine && firsts.length < MOST_FIRSTS) firsts.push({ line, reason });
}

/** Adds the ways of the next part of an input, which has `before` lines before it. */
export function addWays(ways: LineWays, more: LineWays, before: number): void {
  ways.kernel += more.kernel;
  for (const [reason, lines] of Object.entries(more.slow)) ways.slow[reason] = (ways.slow[reason] ?? 0) + lines;
  const firsts = more.firsts.map(({ line, reason }) => ({ line: before + line, reason }));
  ways.firsts.push(...firsts.slice(0, MOST_FIRSTS - ways.firsts.length));
}

interface Reader {
  readonly format: LineFormat | null;
  readonly isFiltered: boolean;
  readonly wantsVisitors: boolean;
  /** True if the whole text is in the heap, where the kernel could read it. */
  readonly isInHeap: boolean;
  readonly hasKernel: boolean;
}

/** Why JavaScript reads every line; null if the kernel reads plain lines. */
export function reasonOfInput({ format, isFiltered, wantsVisitors, isInHeap, hasKernel }: Reader): string | null {
  if (format === null) return 'unknown format';
  if (format.plain === undefined) return `format ${format.name}`;
  if (format.plain === null) return `layout of ${format.name}`;
  if (wantsVisitors && format.readMore === undefined) return `visitors in ${format.name}`;
  if (isFiltered) return 'options that select records';
  if (!isInHeap) return 'read as a stream';
  return hasKernel ? null : '--base not in normal form';
}

/** Why a line is not plain. If it was kept, `fields` are its own, and its URL is the last one of the batch. */
export function reasonOfLine(refusal: Refusal | null, fields: Fields, batch: RecordBatch): string {
  if (refusal !== null) return `${refusal.kind} as ${refusal.cause}`;
  if (fields.method !== METHOD.get && fields.method !== METHOD.unknown) return 'not a GET';
  return isAsWritten(fields, batch) ? 'unusual syntax' : 'URL not in normal form';
}

/** True if the last URL of the batch ends with that of the line. */
function isAsWritten({ url }: Fields, { bytes, urlEnd, rows }: RecordBatch): boolean {
  const length = url.end - url.start;
  const start = urlEnd[rows - 1]! - length;
  return start >= 0 && sameRange(bytes, start, url.bytes, url.start, length);
}
