// A log of every format: the small fixtures, and short ones for other formats.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FormatName } from '../../../src/log/format/format.js';
import { FIXTURES } from '../../cli/process.js';

export const fixture = (name: string): string => readFileSync(join(FIXTURES, 'small', name), 'utf8');

/** The text for tests that cut everywhere: all header lines, and three other lines, including the truncated one. */
function briefOf(text: string): string {
  const lines = text.trimEnd().split('\n');
  const isHead = (line: string) => /^(#(Version|Fields)| CDX|!)/.test(line);
  const others = lines.filter((line) => !line.startsWith('#') && !isHead(line));
  if (others.length < 6) throw new Error(`got a sample of ${others.length} lines, expected 6 or more: ${lines[0]}`);
  const shortest = others.slice(5, 9).reduce((one, other) => (other.length < one.length ? other : one));
  const kept = new Set([others[0], shortest, others.at(-1)]);
  return lines.filter((line) => isHead(line) || kept.has(line)).join('\n') + '\n';
}

export interface Sample {
  readonly name: string;
  readonly format: FormatName;
  readonly text: string;
  readonly brief: string;
}

const FILES: readonly (readonly [string, FormatName])[] = [
  ['common.log', 'common'],
  ['combined.log', 'combined'],
  ['vhost.log', 'vhost'],
  ['lighttpd.log', 'lighttpd'],
  ['urls.txt', 'urls'],
  ['table.csv', 'csv'],
  ['table.tsv', 'tsv'],
  ['records.jsonl', 'jsonl'],
  ['crawl.log', 'heritrix'],
  ['iis.log', 'w3c'],
  ['cloudfront.log', 'w3c'],
  ['alb.log', 'alb'],
  ['elb.log', 'elb'],
  ['s3.log', 's3'],
  ['caddy.jsonl', 'caddy'],
  ['traefik.jsonl', 'traefik'],
  ['logpush.jsonl', 'logpush'],
  ['akamai.jsonl', 'akamai'],
  ['nginx.jsonl', 'jsonl'],
  ['docker.jsonl', 'docker'],
  ['envoy.log', 'envoy'],
  ['haproxy.log', 'haproxy'],
  ['squid.log', 'squid'],
  ['captures.cdx', 'cdx'],
  ['captures.cdxj', 'cdxj'],
  ['logfmt.log', 'logfmt'],
  ['framework.log', 'framework'],
];

export const SAMPLES: readonly Sample[] = FILES.map(([name, format]) => ({
  name,
  format,
  text: fixture(name),
  brief: briefOf(fixture(name)),
}));

/** Those of named servers and tools, without the general families. */
export const NAMED: readonly Sample[] = SAMPLES.slice(9);
