// Detects the format of a log. The first lines vote, and a vote counts if the format then reads the line, so broken and
// foreign lines among them do no harm. For a table its header, which comes once and first, is enough, if the table then
// reads any line.
import { NEWLINE, NUMBER_SIGN } from '../../base/ascii.js';
import { addTo } from '../../base/group-by.js';
import { createCdx, createCdxj, createHeritrix, isCdxjLine, isCdxLine, isHeritrixLine } from './captures.js';
import type { ColumnNames } from './column.js';
import { createElb, isAlbLine, isElbLine } from './elb.js';
import { createEnvoy, isEnvoyLine } from './envoy.js';
import { clearFields, createFields, type FormatName, type LineFormat, NO_WANTS } from './format.js';
import { createFramework, isFrameworkLine } from './framework.js';
import { createHar, isHar } from './har.js';
import { createHaproxy, isHaproxyLine } from './haproxy.js';
import { AKAMAI, isAkamai, CADDY, isCaddy, isLogpush, isTraefik, LOGPUSH, TRAEFIK } from './json-servers.js';
import { createJsonLines, jsonObject } from './jsonl.js';
import { createLogfmt, isLogfmtLine } from './logfmt.js';
import { classifyNcsa, createNcsa } from './ncsa.js';
import { createS3, isS3Line } from './s3.js';
import { createSquid, isSquidLine } from './squid.js';
import { createTable, isTableHeader, isTitle, MOST_TITLES } from './table.js';
import { tryFormat } from './trial.js';
import { createSitemap, createUrlList, isSitemap, isUrlLine } from './url-lists.js';
import { createW3c, createW3cJudge } from './w3c.js';
import { createDocker, createDockerText, createWrapped, isDocker, textsInside } from './wrapped.js';

/** Detection looks only at the first bytes of an input, however they arrive. */
export const HEAD_BYTES = 1 << 17;
const VOTERS = 100;

/** `inside` reads lines that are texts inside of JSON. */
export function createFormat(
  name: FormatName,
  columns?: ColumnNames,
  wants = NO_WANTS,
  inside?: LineFormat,
): LineFormat {
  switch (name) {
    case 'common':
    case 'combined':
    case 'vhost':
    case 'lighttpd':
      return createNcsa(name, wants);
    case 'urls':
      return createUrlList();
    case 'csv':
    case 'tsv':
      return createTable(name, columns);
    case 'jsonl':
      return inside === undefined ? createJsonLines(columns) : createWrapped(inside, wants, columns);
    case 'heritrix':
      return createHeritrix();
    case 'w3c':
      return createW3c();
    case 'alb':
    case 'elb':
      return createElb(name);
    case 's3':
      return createS3();
    case 'caddy':
      return createJsonLines(columns, CADDY);
    case 'traefik':
      return createJsonLines(columns, TRAEFIK);
    case 'logpush':
      return createJsonLines(columns, LOGPUSH);
    case 'akamai':
      return createJsonLines(columns, AKAMAI);
    case 'docker':
      return createDocker(inside ?? createDockerText(wants), wants);
    case 'envoy':
      return createEnvoy();
    case 'haproxy':
      return createHaproxy();
    case 'squid':
      return createSquid();
    case 'logfmt':
      return createLogfmt(columns);
    case 'framework':
      return createFramework();
    case 'cdx':
      return createCdx();
    case 'cdxj':
      return createCdxj();
    case 'sitemap':
      return createSitemap();
    case 'har':
      return createHar();
    default:
      return name satisfies never;
  }
}

/**
 * The format that reads most of the first lines. If none reads a line, the one that most lines look like, so that
 * messages can say what is wrong with them; null if no line looks like any format.
 */
export function detectFormat(head: Buffer, columns?: ColumnNames): FormatName | null {
  return candidatesOf(head, columns)[0]?.name ?? null;
}

/** A format that the first lines may have. */
export interface Candidate {
  readonly name: FormatName;
  /** How many of the first lines look like it, and how many of those it reads. */
  readonly votes: number;
  readonly read: number;
}

/** The formats that the first lines may have, the most likely one first. */
export function candidatesOf(head: Buffer, columns?: ColumnNames): readonly Candidate[] {
  if (isSitemap(head)) return [{ name: 'sitemap', votes: 1, read: 1 }];
  if (isHar(head)) return [{ name: 'har', votes: 1, read: 1 }];
  const lines = firstLines(head);
  const table = tableOf(lines, columns);
  const others = Array.from(votersOf(lines), ([name, voters]) => {
    const { read } = tryFormat(createFormat(name, columns), voters);
    return { name, votes: voters.length, read: Math.max(read, readInside(name, voters, columns)) };
  }).sort((a, b) => b.read - a.read || b.votes - a.votes);
  if (table === null) return others;
  return table.isRead || (others[0]?.read ?? 0) === 0 ? [table, ...others] : [...others, table];
}

/** How many of these lines have a text inside of JSON that a format reads. */
function readInside(name: FormatName, lines: readonly Buffer[], columns?: ColumnNames): number {
  if (name !== 'jsonl' && name !== 'docker') return 0;
  const texts = textsInside(lines, name, columns).flatMap((text) => [text, Buffer.of(NEWLINE)]);
  return texts.length === 0 ? 0 : (candidatesOf(Buffer.concat(texts))[0]?.read ?? 0);
}

/** The lines that look like each format. */
function votersOf(lines: readonly Buffer[]): Map<FormatName, Buffer[]> {
  const voters = new Map<FormatName, Buffer[]>();
  const isW3c = createW3cJudge();
  for (const line of lines) {
    const name = classify(line, isW3c);
    if (name === null) continue;
    addTo(voters, name, line);
  }
  return voters;
}

/** The table whose header is the first line, or follows lines of a title. */
function tableOf(lines: readonly Buffer[], columns?: ColumnNames): (Candidate & { readonly isRead: boolean }) | null {
  for (const [at, line] of lines.slice(0, MOST_TITLES + 1).entries()) {
    const text = line.toString('latin1');
    const name = (['tsv', 'csv'] as const).find((one) => isTableHeader(text, one, columns));
    if (name !== undefined) {
      const { read, failed, partial } = tryFormat(createFormat(name, columns), lines.slice(at));
      return { name, votes: lines.length - at, read, isRead: read > 0 || partial > 0 || failed === 0 };
    }
    if (!isTitle(text)) return null;
  }
  return null;
}

/** Lines without text are none, and comments come on top of those that vote. */
export function firstLines(head: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  let voters = 0;
  for (let at = 0; at < head.length && voters < VOTERS;) {
    const newline = head.indexOf(0x0a, at);
    const end = newline < 0 ? head.length : newline;
    const line = head.subarray(at, head[end - 1] === 0x0d && end > at ? end - 1 : end);
    if (line.some((byte) => byte > 0x20)) {
      lines.push(line);
      if (line[0] !== NUMBER_SIGN) voters++;
    }
    at = end + 1;
  }
  return lines;
}

/** Formats that a single line identifies, in order: the first match wins. */
const SIGNS: readonly (readonly [FormatName, (line: string) => boolean])[] = [
  ['alb', isAlbLine],
  ['elb', isElbLine],
  ['s3', isS3Line],
  ['envoy', isEnvoyLine],
  ['haproxy', isHaproxyLine],
  ['squid', isSquidLine],
  ['cdxj', isCdxjLine],
  ['cdx', isCdxLine],
  ['heritrix', isHeritrixLine],
  ['urls', isUrlLine],
  ['logfmt', isLogfmtLine],
  ['framework', isFrameworkLine],
];

/** The same for objects of JSON. Other objects are JSON lines. */
const OBJECTS: readonly (readonly [FormatName, (line: Readonly<Record<string, unknown>>) => boolean])[] = [
  ['caddy', isCaddy],
  ['traefik', isTraefik],
  ['logpush', isLogpush],
  ['akamai', isAkamai],
  ['docker', isDocker],
];

function classify(line: Buffer, isW3c: (line: Buffer) => boolean): FormatName | null {
  const fields = createFields();
  clearFields(fields);
  const ncsa = classifyNcsa(line, 0, line.length, fields);
  if (ncsa !== null) return ncsa;
  const text = line.toString('latin1');
  const object = jsonObject(text);
  if (object !== null) return OBJECTS.find(([, knows]) => knows(object))?.[0] ?? 'jsonl';
  if (isW3c(line)) return 'w3c';
  return SIGNS.find(([, knows]) => knows(text))?.[0] ?? null;
}
