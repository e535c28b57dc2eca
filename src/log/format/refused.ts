// Which inputs are not logs at all? An archive of pages has URLs, but not one a line; other binary files have no lines.
import type { FormatOptions } from './choose.js';
import { detectFormat } from './detect.js';

/** One byte in so many is too many. */
const SHARE = 50;
const LOOKED_AT = 4096;

/** Why an input with this beginning is not read; null if it may be a log, or the user says that it is. */
export function refusalOfHead(head: Buffer, options: FormatOptions): string | null {
  if (options.format !== undefined || options.logFormat !== undefined) return null;
  const text = head.toString('latin1', 0, LOOKED_AT);
  if (/^WARC\/\d/.test(text))
    return 'is a WARC file, expected a log or a list of URLs; dustbuster sketch FILE -o pages.jsonl makes a list of its pages';
  if (text.startsWith('filedesc://'))
    return 'is an ARC file, which is not read; `warcio recompress` makes a WARC file of it, for dustbuster sketch';
  const looked = head.subarray(0, LOOKED_AT);
  const odd = looked.reduce((sum, byte) => sum + (isOdd(byte) ? 1 : 0), 0);
  const isBinary = odd * SHARE > looked.length && detectFormat(head, options.columns) === null;
  return isBinary ? 'is a binary file, not a log; name the lines of text in it, or its format with --format' : null;
}

/** No text has it. NUL may be a hole in a log that was truncated while it was written to. */
function isOdd(byte: number): boolean {
  return (byte >= 0x01 && byte <= 0x06) || (byte >= 0x0e && byte <= 0x1a);
}
