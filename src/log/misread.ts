// Which lines fell out because a field was misread? A line that is no evidence (a POST, a 404, the greeting of a scanner)
// is dropped as one meant to. Where the request or the host of most lines makes no sense, the format is the wrong one.
import { BACKSLASH, DASH } from '../base/ascii.js';
import { decodeText } from '../base/bytes.js';
import { type Fields, TITLE } from './format/format.js';
import type { Misread, Refusal } from './record.js';

/** The field that a cause is about. Other causes are about the line. */
export const FIELD_OF: Readonly<Record<string, string>> = {
  'no-request': 'request',
  'bad-host': 'host',
  'no-url': 'URL',
  'bad-method': 'method',
  'bad-status': 'status',
  'bad-size': 'size',
  'field-count': '#Fields',
  'no-url-field': '#Fields',
  'no-fields-line': '#Fields',
};

/** Rejected lines of these causes say nothing of fields. */
const OTHERS = new Set(['empty', 'line-too-long', 'url-too-long']);

export function mayBeMisread(kind: Refusal['kind'], cause: string, fields: Fields): boolean {
  if (kind === 'rejected') return !OTHERS.has(cause);
  return cause === TITLE || (cause === 'no-request' && isText(fields));
}

const LESS = 0x3c;

/**
 * True if a request field has text that is no request. Servers write `-` or `<BADREQ>` if they got none, and the bytes of
 * TLS as they are or escaped.
 */
function isText({ url: { bytes, start, end } }: Fields): boolean {
  const first = bytes[start];
  return end - start > 1 && first! > 0x20 && first !== DASH && first !== BACKSLASH && first !== LESS;
}

const SHOWN_BYTES = 400;

interface Line {
  readonly line: number;
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}

export function noteMisread(misread: Record<string, Misread>, cause: string, { line, bytes, start, end }: Line): void {
  const known = misread[cause];
  if (known !== undefined) known.lines++;
  else misread[cause] = { lines: 1, line, text: decodeText(bytes, start, Math.min(end, start + SHOWN_BYTES)) };
}

/** Adds the lines of the next part of an input, which has `before` lines before it. */
export function addMisread(all: Record<string, Misread>, more: Record<string, Misread>, before: number): void {
  for (const [cause, { lines, line, text }] of Object.entries(more)) {
    const known = all[cause];
    if (known !== undefined) known.lines += lines;
    else all[cause] = { lines, line: before + line, text };
  }
}
