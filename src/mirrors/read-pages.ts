// Reads the pages of a list of `dustbuster sketch --links --chunks`: lines of JSON; other lines are counted. Or reads
// the tables of the paper: page and fingerprints; source and destination.
import { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { decodeText, encodeText } from '../base/bytes.js';
import { MAX_LINE_BYTES, readLines } from '../log/lines.js';
import { webUrl } from '../pages/canonical-link.js';
import { isRedirect } from '../pages/headers.js';
import { isHttp, parseUrl } from '../url/parse.js';
import type { Intake } from './intake.js';

export interface ReadCounts {
  lines: number;
  pages: number;
  redirects: number;
  /** Records of other answers, such as 404. */
  others: number;
  /** The number of pages with links, and with chunks. */
  linked: number;
  chunked: number;
  readonly rejected: Record<string, number>;
}

export function emptyReadCounts(): ReadCounts {
  return { lines: 0, pages: 0, redirects: 0, others: 0, linked: 0, chunked: 0, rejected: {} };
}

export interface PageReading {
  readonly intake: Intake;
  readonly counts: ReadCounts;
  /** Gets the URL of an answer that is no page: a redirect, 404. */
  readonly onOther?: (url: string) => void;
}

const PRINT = /^[0-9a-f]{1,16}$/i;

/** Adds the pages of one list. */
export async function readPages(
  chunks: AsyncIterable<Buffer>,
  reading: PageReading,
  tick: (lines: number) => void,
): Promise<void> {
  const { counts } = reading;
  const reject = (reason: string) => (counts.rejected[reason] = (counts.rejected[reason] ?? 0) + 1);
  for await (const { bytes, lines, start, end } of readLines(chunks)) {
    for (let line = 0; line < lines; line++) {
      const length = end[line]! - start[line]!;
      if (length === 0) continue;
      counts.lines++;
      const reason = length > MAX_LINE_BYTES ? 'too long' : take(decodeText(bytes, start[line], end[line]), reading);
      if (reason !== undefined) reject(reason);
    }
    tick(lines);
  }
}

/** Takes a line; returns why it is no page, or undefined. */
function take(line: string, { intake, counts, onOther }: PageReading): string | undefined {
  const record = recordOf(line);
  if (record === undefined) return 'no JSON object';
  const { url, status, redirect, digest, links, chunks } = record;
  const own = typeof url === 'string' ? ownUrl(url) : undefined;
  if (own === undefined) return 'no http URL';
  if (typeof redirect === 'string' && (typeof status !== 'number' || isRedirect(status))) {
    const target = webUrl(redirect, own);
    if (target === undefined) return 'no http URL';
    intake.addRedirect(own, target);
    counts.redirects++;
    onOther?.(own);
    return undefined;
  }
  if (typeof status === 'number' && (status < 200 || status > 299)) {
    counts.others++;
    onOther?.(own);
    return undefined;
  }
  if (!isList(links)) return 'links are no list of texts';
  if (!isList(chunks) || chunks?.some((print) => !PRINT.test(print))) return 'chunks are no fingerprints';
  counts.pages++;
  if (links !== undefined) counts.linked++;
  if (chunks !== undefined) counts.chunked++;
  intake.add({ url: own, chunks, digest: typeof digest === 'string' ? digest : undefined, links: links ?? [] });
  return undefined;
}

/** Absolute, http(s), in safe normal form, without fragment; undefined for anything else. */
function ownUrl(url: string): string | undefined {
  return isHttp(parseUrl(encodeText(url))) ? webUrl(url, url) : undefined;
}

function recordOf(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function isList(value: unknown): value is readonly string[] | undefined {
  return value === undefined || (Array.isArray(value) && value.every((one) => typeof one === 'string'));
}

/** Adds the pages of a table: page, fingerprints of its chunks. The first row may be a header. */
export async function readPageTable(chunks: AsyncIterable<Buffer>, { intake, counts }: PageReading): Promise<void> {
  await readTable(chunks, counts, ([name = '', prints = '']) => {
    const url = ownUrl(name);
    if (url === undefined) return 'no http URL';
    const own = prints.split(/[\s,;]+/).filter((print) => print !== '');
    if (own.some((print) => !PRINT.test(print))) return 'chunks are no fingerprints';
    counts.pages++;
    if (own.length > 0) counts.chunked++;
    intake.add({ url, chunks: own, links: [] });
    return undefined;
  });
}

/** Adds the links of a table: source, destination. */
export async function readLinkTable(chunks: AsyncIterable<Buffer>, { intake, counts }: PageReading): Promise<void> {
  await readTable(chunks, counts, ([source = '', destination = '']) => {
    const [from, to] = [ownUrl(source), ownUrl(destination)];
    if (from === undefined || to === undefined) return 'no http URL';
    counts.linked++;
    intake.addLink(from, to);
    return undefined;
  });
}

/** `take` returns why a row cannot be taken. If the first row cannot, it is a header. */
async function readTable(
  chunks: AsyncIterable<Buffer>,
  counts: ReadCounts,
  take: (row: readonly string[]) => string | undefined,
): Promise<void> {
  const rows = Readable.from(chunks).pipe(
    parse({ relaxColumnCount: true, relaxQuotes: true, skipEmptyLines: true, skipRecordsWithError: true, bom: true }),
  );
  let isFirst = true;
  for await (const row of rows as AsyncIterable<string[]>) {
    const reason = take(row);
    if (!isFirst || reason === undefined) {
      counts.lines++;
      if (reason !== undefined) counts.rejected[reason] = (counts.rejected[reason] ?? 0) + 1;
    }
    isFirst = false;
  }
}
