// Which format is a log in? The first lines vote, so that a broken or foreign line among them spoils nothing. A header of
// a table stands once and first, and says enough.
import { clearFields, createFields, type FormatName, type LineFormat } from './format.js';
import type { ColumnNames } from './column.js';
import { createHeritrix, isHeritrixLine } from './heritrix.js';
import { createJsonLines, isJsonLine } from './jsonl.js';
import { classifyNcsa, createNcsa } from './ncsa.js';
import { createSitemap, isSitemap } from './sitemap.js';
import { createTable, isTableHeader } from './table.js';
import { createUrlList, isUrlLine } from './urls.js';

/** Detection looks at the first bytes of an input only, however they come in. */
export const HEAD_BYTES = 1 << 17;
const VOTERS = 50;

export function createFormat(name: FormatName, columns?: ColumnNames): LineFormat {
  switch (name) {
    case 'common':
    case 'combined':
    case 'vhost':
    case 'lighttpd':
      return createNcsa(name);
    case 'urls':
      return createUrlList();
    case 'csv':
    case 'tsv':
      return createTable(name, columns);
    case 'jsonl':
      return createJsonLines(columns);
    case 'heritrix':
      return createHeritrix();
    case 'sitemap':
      return createSitemap();
    default:
      return name satisfies never;
  }
}

/** The format that most of the first lines are in; null if none of them is in any. */
export function detectFormat(head: Buffer, columns?: ColumnNames): FormatName | null {
  if (isSitemap(head)) return 'sitemap';
  const lines = firstLines(head);
  const first = lines[0]?.toString('latin1');
  if (first === undefined) return null;
  if (isTableHeader(first, 'tsv', columns)) return 'tsv';
  if (isTableHeader(first, 'csv', columns)) return 'csv';
  const votes = new Map<FormatName, number>();
  for (const line of lines) {
    const name = classify(line);
    if (name !== null) votes.set(name, (votes.get(name) ?? 0) + 1);
  }
  let winner: FormatName | null = null;
  for (const [name, count] of votes) if (winner === null || count > votes.get(winner)!) winner = name;
  return winner;
}

function firstLines(head: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let at = 0; at < head.length && lines.length < VOTERS;) {
    const newline = head.indexOf(0x0a, at);
    const end = newline < 0 ? head.length : newline;
    const line = head.subarray(at, head[end - 1] === 0x0d && end > at ? end - 1 : end);
    if (line.some((byte) => byte > 0x20)) lines.push(line);
    at = end + 1;
  }
  return lines;
}

function classify(line: Buffer): FormatName | null {
  const fields = createFields();
  clearFields(fields);
  const ncsa = classifyNcsa(line, 0, line.length, fields);
  if (ncsa !== null) return ncsa;
  const text = line.toString('latin1');
  if (isJsonLine(text)) return 'jsonl';
  if (isHeritrixLine(text)) return 'heritrix';
  return isUrlLine(text) ? 'urls' : null;
}
