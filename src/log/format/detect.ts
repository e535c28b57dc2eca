// Detects the format of a log. The first lines vote, so a broken or foreign line among them does no harm. For a table
// its header, which comes once and first, is enough.
import { createCdx, createCdxj, createHeritrix, isCdxjLine, isCdxLine, isHeritrixLine } from './captures.js';
import type { ColumnNames } from './column.js';
import { createElb, isAlbLine, isElbLine } from './elb.js';
import { createEnvoy, isEnvoyLine } from './envoy.js';
import { clearFields, createFields, type FormatName, type LineFormat, NO_WANTS } from './format.js';
import { createHaproxy, isHaproxyLine } from './haproxy.js';
import { CADDY, isCaddy, isLogpush, isTraefik, LOGPUSH, TRAEFIK } from './json-servers.js';
import { createJsonLines, jsonObject } from './jsonl.js';
import { classifyNcsa, createNcsa } from './ncsa.js';
import { createS3, isS3Line } from './s3.js';
import { createSquid, isSquidLine } from './squid.js';
import { createTable, isTableHeader } from './table.js';
import { createSitemap, createUrlList, isSitemap, isUrlLine } from './url-lists.js';
import { createW3c, createW3cJudge } from './w3c.js';
import { createDocker, createDockerText, createWrapped, isDocker } from './wrapped.js';

/** Detection looks only at the first bytes of an input, however they arrive. */
export const HEAD_BYTES = 1 << 17;
const VOTERS = 50;

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
    case 'docker':
      return createDocker(inside ?? createDockerText(wants), wants);
    case 'envoy':
      return createEnvoy();
    case 'haproxy':
      return createHaproxy();
    case 'squid':
      return createSquid();
    case 'cdx':
      return createCdx();
    case 'cdxj':
      return createCdxj();
    case 'sitemap':
      return createSitemap();
    default:
      return name satisfies never;
  }
}

/** The format of most of the first lines; null if no line matches any format. */
export function detectFormat(head: Buffer, columns?: ColumnNames): FormatName | null {
  if (isSitemap(head)) return 'sitemap';
  const lines = firstLines(head);
  const first = lines[0]?.toString('latin1');
  if (first === undefined) return null;
  if (isTableHeader(first, 'tsv', columns)) return 'tsv';
  if (isTableHeader(first, 'csv', columns)) return 'csv';
  const votes = new Map<FormatName, number>();
  const isW3c = createW3cJudge();
  for (const line of lines) {
    const name = classify(line, isW3c);
    if (name !== null) votes.set(name, (votes.get(name) ?? 0) + 1);
  }
  let winner: FormatName | null = null;
  for (const [name, count] of votes) if (winner === null || count > votes.get(winner)!) winner = name;
  return winner;
}

/** The first lines that are not blank. */
export function firstLines(head: Buffer): Buffer[] {
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
];

/** The same for objects of JSON. Other objects are JSON lines. */
const OBJECTS: readonly (readonly [FormatName, (line: Readonly<Record<string, unknown>>) => boolean])[] = [
  ['caddy', isCaddy],
  ['traefik', isTraefik],
  ['logpush', isLogpush],
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
