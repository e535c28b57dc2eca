// What `dustbuster formats` runs: without an input it lists the formats, with inputs it says what became of their first
// lines. All of that is text of strangers: secrets are masked, and control characters written out.
import { many } from '../../base/amounts.js';
import { printable } from '../../base/bytes.js';
import type { Effects } from '../../base/effects.js';
import { createSink, pour } from '../../base/output.js';
import { type Input, peek, readBytes } from '../../log/bytes.js';
import { checkFormatOptions, type FormatOptions, refusalOfHead } from '../../log/format/choose.js';
import { HEAD_BYTES } from '../../log/format/detect.js';
import { explain, type ExplainedLine, type Explanation } from '../../log/format/explain.js';
import { type FormatName, PRODUCTS } from '../../log/format/format.js';
import type { Suggestion } from '../../log/format/suggest.js';
import { findInputs } from '../../log/inputs.js';
import { isParquet } from '../../log/parquet/magic.js';
import type { Condition } from '../../log/record.js';
import { masked, maskedLine } from '../../url/secret.js';
import type { FormatsFlags } from '../flags/formats.js';
import { formatOptions } from './input/reading.js';

/** What a line of each format looks like. */
const LOOKS: Readonly<Record<FormatName, string>> = {
  common: 'client ident user [time] "request" status size: NCSA common log',
  combined: 'common with "referrer" "agent": nginx, Apache',
  vhost: 'host:port, then combined: Apache vhost_combined',
  lighttpd: 'combined with the host second: lighttpd',
  urls: 'one URL per line',
  csv: 'a table with a header, separated by commas: crawlers, exports',
  tsv: 'a table with a header, separated by tabs',
  jsonl: 'one JSON object per line, fields by their usual names',
  heritrix: 'crawl.log of Heritrix',
  w3c: '#Fields: names, then lines of these: IIS, CloudFront',
  alb: 'AWS application load balancer',
  elb: 'AWS classic load balancer',
  s3: 'AWS S3 server access log',
  caddy: 'JSON lines of Caddy',
  traefik: 'JSON lines of Traefik',
  logpush: 'JSON lines of Cloudflare Logpush',
  akamai: "JSON lines of Akamai's DataStream 2",
  docker: "what Docker keeps of a container's output: a log line inside of JSON",
  envoy: 'Envoy, Istio',
  haproxy: 'HTTP log of HAProxy',
  squid: "Squid's native log",
  logfmt: 'names and values with an equals sign: Heroku, lograge, loggers of Go',
  framework: 'text with a request and its status: morgan, Gin, chi, Uvicorn',
  cdx: 'captures of a web archive',
  cdxj: 'captures of a web archive, with JSON',
  sitemap: 'XML of sitemaps.org',
  har: 'what the developer tools of browsers save of a session (HTTP archive)',
};

/** Returns the exit code: 3 if most of the first lines of an input are not read. */
export async function formats(names: readonly string[], flags: FormatsFlags, effects: Effects): Promise<number> {
  const options = formatOptions(flags);
  checkFormatOptions(options);
  if (names.length === 0) return listFormats(effects);
  let code = 0;
  const pages: string[] = [];
  for (const input of await findInputs(names, effects)) {
    const { text, isRead } = await explained(input, options);
    pages.push(text);
    if (!isRead) code = 3;
  }
  await pour([pages.join('\n')], createSink(effects.stdout));
  return code;
}

async function listFormats({ stdout }: Effects): Promise<number> {
  const width = Math.max(...Object.keys(LOOKS).map((name) => name.length));
  const lines = Object.entries(LOOKS).map(([name, look]) => `${name.padEnd(width)}  ${look}\n`);
  const products = Object.entries(PRODUCTS).map(([name, format]) => `${name} (${format})`);
  await pour(
    [
      ...lines,
      `\nBy product: ${products.join(', ')}.\n`,
      'dustbuster formats FILE says in which of them a file is, and what became of its lines.\n',
    ],
    createSink(stdout),
  );
  return 0;
}

async function explained(
  input: Input,
  options: FormatOptions,
): Promise<{ readonly text: string; readonly isRead: boolean }> {
  const name = printable(input.name);
  const condition: Condition = { reason: null };
  const [head, chunks] = await peek(readBytes(input, condition), HEAD_BYTES);
  for await (const _ of chunks) break; // closes the input
  if (isParquet(head)) return { text: `${name}: parquet, whose columns have the names of CSV\n`, isRead: true };
  const refusal = head.length === 0 ? (condition.reason ?? 'is empty') : refusalOfHead(head, options);
  if (refusal !== null) return { text: `${name}: ${refusal}\n`, isRead: false };
  const found = explain(head, options);
  return { text: describe(name, found), isRead: 2 * found.read >= found.lines };
}

function describe(name: string, { format, lines, read, shown, others, suggestion }: Explanation): string {
  const what = format ?? 'in no known format';
  const counts = lines === 0 ? '' : `: reads ${read} of ${lines === 1 ? '' : 'the first '}${many(lines, 'line')}`;
  return [
    `${name}: ${what}${counts}`,
    ...shown.flatMap(lineOf),
    ...othersOf(others),
    ...adviceOf(suggestion, lines - read),
    '',
  ].join('\n');
}

function lineOf({ number, fate, text, fields, url }: ExplainedLine): readonly string[] {
  const rows = fields.map(
    ([name, value]) => `    ${name.padEnd(8)}  ${clipped(name === 'url' ? masked(value) : maskedLine(value))}`,
  );
  return [
    `  line ${number}: ${fate}`,
    `    ${clipped(maskedLine(text))}`,
    ...rows,
    ...(url === '' ? [] : [`    → ${clipped(masked(url))}`]),
  ];
}

const WIDEST = 200;

function clipped(text: string): string {
  const chars = Array.from(printable(text.slice(0, 8 * WIDEST)));
  return chars.length <= WIDEST ? chars.join('') : `${chars.slice(0, WIDEST).join('')}…`;
}

function othersOf(others: Explanation['others']): readonly string[] {
  if (others.length === 0) return ['  No other format reads a line.'];
  return [
    '  Other formats:',
    ...others.map(
      ({ name, votes, read }) =>
        `    ${name.padEnd(8)}  ${many(votes, 'line')} ${votes === 1 ? 'looks' : 'look'} like it, it reads ${read}`,
    ),
  ];
}

function adviceOf(suggestion: Suggestion | null, unread: number): readonly string[] {
  if (suggestion === null) return [];
  const { option, value, read } = suggestion;
  return [
    `  To read ${read} of the ${many(unread, 'line')} that ${unread === 1 ? 'is' : 'are'} not read:`,
    `    ${option} '${printable(value)}'`,
  ];
}
