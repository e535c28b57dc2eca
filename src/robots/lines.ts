// Which lines does a robots.txt have, and what does each say? Lines are read as Google's parser does: a colon may be
// missing, a key may have a common typing error (`dissallow`) or a suffix (`disallowed`), and only the first 16,663 bytes
// of a line count.
import { escapeOf } from '../url/escape.js';

/** Only so much of a robots.txt is read (RFC 9309, 2.5: at least 500 KiB). */
export const MAX_ROBOTS_BYTES = 500 * 1024;
/** Google's limit: eight times the longest URL of a browser. */
export const MAX_LINE_LENGTH = 8 * 2083 - 1;

/** Lines without spaces at their ends, in printable ASCII and tabs. */
export function linesOf(body: Uint8Array): string[] {
  const isCut = body.length >= MAX_ROBOTS_BYTES;
  const read = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, MAX_ROBOTS_BYTES)).toString('latin1');
  const text = (isCut ? withoutLastLine(read) : read).replace(/^\xef(?:\xbb\xbf?)?/, ''); // a byte order mark
  const ascii = text.replace(/[^\t\n\r -~]/g, (char) => escapeOf(char.charCodeAt(0)));
  return ascii.split(/\r\n|\n|\r/).map((line) => line.slice(0, MAX_LINE_LENGTH).trim());
}

/** Drops a line that was cut off: half a rule would have another meaning. */
function withoutLastLine(text: string): string {
  return text.slice(0, Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1);
}

export type Key = keyof typeof KEYS | 'other';

const KEYS = {
  agent: /^user[- ]?agent/,
  allow: /^allow/,
  disallow: /^(?:disallow|dissallow|dissalow|disalow|diasllow|disallaw)/,
  delay: /^crawl[- ]?delay/,
} as const;

/** What a line says. */
export interface Field {
  readonly key: Key;
  /** The key as written, in lower case; empty for a line that says nothing. */
  readonly name: string;
  readonly value: string;
}

export function fieldOf(line: string): Field {
  const comment = line.indexOf('#');
  const text = (comment < 0 ? line : line.slice(0, comment)).trim();
  const colon = text.indexOf(':');
  // A line without a colon is a key and a value only if it has two words.
  const words = colon < 0 ? text.split(/[\t ]+/, 3) : [text.slice(0, colon), text.slice(colon + 1)];
  if (words.length !== 2) return { key: 'other', name: '', value: '' };
  const name = words[0]!.trim().toLowerCase();
  const key = (Object.keys(KEYS) as (keyof typeof KEYS)[]).find((known) => KEYS[known].test(name));
  return { key: key ?? 'other', name, value: words[1]!.trim() };
}
