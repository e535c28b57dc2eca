// A log format is a function from the bytes of a line to fields. The fields are one struct, reused for every line, and
// hold ranges of bytes instead of strings, so reading a line allocates nothing.
import { DOT } from '../../base/ascii.js';
import { isDigit } from '../../base/bytes.js';
import type { LineBatch } from '../lines.js';
import { type Condition, METHOD, type Misfit } from '../record.js';
import type { PrefixName } from '../prefix/prefixes.js';
import type { ColumnReader } from './column.js';

export const FORMAT_NAMES = [
  'common',
  'combined',
  'vhost',
  'lighttpd',
  'urls',
  'csv',
  'tsv',
  'jsonl',
  'heritrix',
  'w3c',
  'alb',
  'elb',
  's3',
  'caddy',
  'traefik',
  'logpush',
  'akamai',
  'docker',
  'envoy',
  'haproxy',
  'squid',
  'logfmt',
  'framework',
  'cdx',
  'cdxj',
  'sitemap',
  'har',
] as const;

/** Names of products, for --format: what they write is in one of these formats. */
export const PRODUCTS = {
  apache: 'combined',
  nginx: 'combined',
  iis: 'w3c',
  cloudfront: 'w3c',
  azure: 'jsonl',
  fastly: 'jsonl',
  'google-cloud': 'jsonl',
  netlify: 'jsonl',
  vercel: 'jsonl',
  'screaming-frog': 'csv',
  'search-console': 'csv',
  sitebulb: 'csv',
} as const satisfies Readonly<Record<string, (typeof FORMAT_NAMES)[number]>>;

type Product = keyof typeof PRODUCTS;

/** The format that a name of `--format` means. */
export function formatNamed(name: FormatName | Product): FormatName {
  return Object.hasOwn(PRODUCTS, name) ? PRODUCTS[name as Product] : (name as FormatName);
}

export type FormatName = (typeof FORMAT_NAMES)[number];

/** `custom` is described by `--log-format`. A Parquet file is recognized only by its first bytes. */
export type AnyFormat = FormatName | 'custom' | 'parquet';

/** Fields that are expensive to find, and stay empty unless wanted. */
export interface Wants {
  readonly time: boolean;
  readonly agent: boolean;
  readonly duration: boolean;
  readonly client?: boolean;
  readonly referrer?: boolean;
  /** The status of lines that the kernel has read. */
  readonly answers?: boolean;
  /** What crawls say of their URLs, and when. */
  readonly facts?: boolean;
}

export const NO_WANTS: Wants = { time: false, agent: false, duration: false };

/** A range of a buffer: of the line itself, or of a scratch buffer if the text had to be decoded. */
export interface Span {
  bytes: Uint8Array;
  start: number;
  end: number;
}

export interface Fields {
  /** One of METHOD. */
  method: number;
  /** -1 if unknown, 0 for a fetch without an answer. */
  status: number;
  /** -1 if unknown. */
  size: number;
  /** How long the server took, in milliseconds (`duration`); -1 if unknown. */
  duration: number;
  /** Request target or URL, as in the line. */
  readonly url: Span;
  /** `host` or `host:port`; empty or `-` if the line has none. */
  readonly host: Span;
  readonly sketch: Span;
  /** The time of the request as in the line; empty if there is none. */
  readonly time: Span;
  /** The user agent as in the line; empty if there is none. */
  readonly agent: Span;
  /** The client's address as in the line, possibly with a port; empty if there is none. */
  readonly client: Span;
  /** The page that had the link, as in the line; empty if there is none. */
  readonly referrer: Span;
  /** The URL that the answer or the page gives as the page's own: a redirect's target, else a canonical link. */
  readonly named: Span;
  /** The languages of the page as in the line; empty if there are none. */
  readonly language: Span;
}

/** The kernel reads no cells beyond these. */
export const PLAIN_CELLS = 64;

/** Columns of a table that the kernel can read. */
export type PlainColumn = 'url' | 'size' | 'status' | 'method' | 'sketch' | 'query' | 'host' | 'scheme' | 'time';

/**
 * Lines that the kernel can read if they are plain: tables with at most `mostCells` cells, separated by tabs; W3C
 * tables with exactly so many; lists of URLs; requests without a host; lines of load balancers with so many words
 * before the time; JSON objects, in a capture index after a key and a time.
 */
export type PlainLines =
  | {
      readonly kind: 'table' | 'w3c';
      readonly mostCells: number;
      readonly columns: readonly { readonly column: PlainColumn; readonly cell: number }[];
    }
  | { readonly kind: 'ncsa' | 'urls' }
  | { readonly kind: 'elb'; readonly wordsBeforeTime: number }
  | { readonly kind: 'json' | 'cdxj'; readonly meaningOf: ColumnReader };

/** The line bytes[start, end). The quotes around its request are at `open` and `close`. */
export interface PlainLine {
  readonly bytes: Buffer;
  readonly start: number;
  readonly open: number;
  readonly close: number;
  readonly end: number;
}

export interface LineFormat {
  readonly name: AnyFormat;
  /**
   * 'header': the first line names the columns. 'any': any line may change how the following are read. Absent if each
   * line stands alone.
   */
  readonly earlierLines?: 'header' | 'any';
  /** The field separator of a format whose quoted fields may run over several lines. */
  readonly quotedBy?: number;
  /**
   * Turns the input into lines. Only for formats that are not line-based. If the input breaks off, `condition` has the
   * reason.
   */
  linesOf?(chunks: AsyncIterable<Buffer>, condition: Condition): AsyncIterable<LineBatch>;
  /** What stands before each line, and is no part of it. */
  readonly prefixes?: readonly PrefixName[];
  /** Null until a header was read. Absent if the kernel reads no lines of this format. */
  readonly plain?: PlainLines | null | undefined;
  /**
   * Fills the cleared `fields`, or returns why it cannot. `HEADER` is no failure: the line names the columns. Never
   * throws because of a line.
   */
  parse(bytes: Buffer, start: number, end: number, fields: Fields): string | null;
  /**
   * Reads further wanted fields of a line that the kernel has read. Only defined for formats whose fast path skips
   * fields that a caller can ask for.
   */
  readMore?(line: PlainLine, fields: Fields): void;
  /** Where a line that `parse` refused stops matching. Only for formats that the user described. */
  misfitOf?(bytes: Buffer, start: number, end: number): Omit<Misfit, 'line'>;
}

export const HEADER = 'header';
export const NOT_IN_FORMAT = 'not-in-format';
export const BROKEN_QUOTES = 'broken-quotes';
/** The cause for a line above the header of a table: it is dropped, not rejected. */
export const TITLE = 'title';
/** The cause for a URL of a list of URLs, which is no page: the line is dropped, not rejected. */
export const SITEMAP_INDEX = 'sitemap-index';

const nothing = new Uint8Array(0);

function emptySpan(): Span {
  return { bytes: nothing, start: 0, end: 0 };
}

export function createFields(): Fields {
  return {
    method: METHOD.unknown,
    status: -1,
    size: -1,
    duration: -1,
    url: emptySpan(),
    host: emptySpan(),
    sketch: emptySpan(),
    time: emptySpan(),
    agent: emptySpan(),
    client: emptySpan(),
    referrer: emptySpan(),
    named: emptySpan(),
    language: emptySpan(),
  };
}

export function clearFields(fields: Fields): void {
  fields.method = METHOD.unknown;
  fields.status = -1;
  fields.size = -1;
  fields.duration = -1;
  fields.url.start = fields.url.end = 0;
  fields.host.start = fields.host.end = 0;
  fields.sketch.start = fields.sketch.end = 0;
  fields.time.start = fields.time.end = 0;
  fields.agent.start = fields.agent.end = 0;
  fields.client.start = fields.client.end = 0;
  fields.referrer.start = fields.referrer.end = 0;
  fields.named.start = fields.named.end = 0;
  fields.language.start = fields.language.end = 0;
}

export function setSpan(span: Span, bytes: Uint8Array, start: number, end: number): void {
  span.bytes = bytes;
  span.start = start;
  span.end = end;
}

/** True for an empty range and for `-`, which logs write for "none". */
export function isMissing(span: Span): boolean {
  const length = span.end - span.start;
  return length === 0 || (length === 1 && span.bytes[span.start] === 0x2d);
}

/** The number in the digits `bytes[start, end)`; -1 if there are none, other characters, or too many digits. */
export function readDigits(bytes: Uint8Array, start: number, end: number): number {
  if (start >= end || end - start > 15) return -1;
  let value = 0;
  for (let at = start; at < end; at++) {
    if (!isDigit(bytes[at])) return -1;
    value = value * 10 + bytes[at]! - 0x30;
  }
  return value;
}

// How long the server took is logged in several units, with or without decimals. A record has milliseconds:
//
//   nginx $request_time  0.005      seconds            Apache %D  5123   microseconds, %T  0  seconds
//   CloudFront, Caddy    0.005      seconds            Traefik    5123000   nanoseconds
//   Google Cloud         0.005s     as they say        IIS, HAProxy, Envoy, Squid, S3   5   milliseconds

/** Milliseconds in a unit. */
export const UNIT = { s: 1000, ms: 1, us: 1e-3, ns: 1e-6 } as const;

/**
 * Milliseconds, from the number bytes[start, end) in units of `unitMs`, or with its own unit; -1 if that is no number
 * or a negative one.
 */
export function readDuration(bytes: Uint8Array, start: number, end: number, unitMs: number): number {
  let stop = end;
  if (end - start > 2 && bytes[end - 1] === LETTER_S) {
    stop -= bytes[end - 2] === LETTER_M ? 2 : 1;
    unitMs = end - stop === 2 ? UNIT.ms : UNIT.s;
  }
  let value = 0;
  let digits = 0;
  let decimals = 1;
  let hasPoint = false;
  for (let at = start; at < stop; at++) {
    if (bytes[at] === DOT && !hasPoint) hasPoint = true;
    else if (!isDigit(bytes[at]) || ++digits > MOST_DIGITS) return -1;
    else {
      value = value * 10 + bytes[at]! - 0x30;
      if (hasPoint) decimals *= 10;
    }
  }
  return digits === 0 ? -1 : (value / decimals) * unitMs;
}

const LETTER_S = 0x73;
const LETTER_M = 0x6d;
/** The most digits that a number always represents exactly. */
const MOST_DIGITS = 15;
