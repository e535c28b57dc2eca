// What a log format is: a function from the bytes of a line to fields. The fields are one struct, written over for every
// line, and hold ranges of bytes instead of strings, so that reading a line allocates nothing.
import { isDigit } from '../../base/bytes.js';
import type { Condition } from '../condition.js';
import type { LineBatch } from '../lines.js';
import { METHOD } from '../record.js';

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
  'haproxy',
  'squid',
  'cdx',
  'cdxj',
  'sitemap',
] as const;

export type FormatName = (typeof FORMAT_NAMES)[number];

/** `custom` is the one that `--log-format` describes. */
export type AnyFormat = FormatName | 'custom';

/** Fields that cost time to find, and are left empty unless they are wanted. */
export interface Wants {
  readonly time: boolean;
  readonly agent: boolean;
}

export const NO_WANTS: Wants = { time: false, agent: false };

/** A range of some buffer: of the line itself, or of a scratch buffer where the text had to be decoded. */
export interface Span {
  bytes: Uint8Array;
  start: number;
  end: number;
}

export interface Fields {
  /** One of METHOD. */
  method: number;
  /** -1 not known, 0 a fetch that brought no answer. */
  status: number;
  /** -1 not known. */
  size: number;
  /** Request target or URL, as it came. */
  readonly url: Span;
  /** `host` or `host:port`; empty or `-` where the line has none. */
  readonly host: Span;
  readonly sketch: Span;
  /** When the request came, as the line writes it; empty where it does not say. */
  readonly time: Span;
  /** The user agent, as the line writes it; empty where it does not say. */
  readonly agent: Span;
}

/** Cells beyond are none of the kernel's. */
export const PLAIN_CELLS = 64;

/** What a cell of a table can be that the kernel reads. */
export type PlainColumn = 'url' | 'size' | 'status' | 'method' | 'sketch';

/** Lines that the kernel can read, if they are plain: of tables of so many cells at most, between tabs, or requests without a host. */
export type PlainLines =
  | {
      readonly kind: 'table';
      readonly mostCells: number;
      readonly columns: readonly { readonly column: PlainColumn; readonly cell: number }[];
    }
  | { readonly kind: 'ncsa' };

export interface LineFormat {
  readonly name: AnyFormat;
  /**
   * What lines before one say of it: the first names the columns, or any says how those after it are to be read. Absent where
   * each line says all by itself.
   */
  readonly earlierLines?: 'header' | 'any';
  /** The byte between fields, of a format whose quoted fields may run over several lines. */
  readonly quotedBy?: number;
  /** The lines of a format that is not made of lines. What breaks off is said in `condition`. */
  linesOf?(chunks: AsyncIterable<Buffer>, condition: Condition): AsyncIterable<LineBatch>;
  /** Null until a header has told. Absent where the kernel reads no lines of the format. */
  readonly plain?: PlainLines | null;
  /** Fills the cleared `fields`, or says why it cannot. `HEADER` is no failure: the line names the columns. Never throws
   *  because of a line. */
  parse(bytes: Buffer, start: number, end: number, fields: Fields): string | null;
}

export const HEADER = 'header';
export const NOT_IN_FORMAT = 'not-in-format';
/** What the line names is a list of URLs, and no page: dropped, not rejected. */
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
    url: emptySpan(),
    host: emptySpan(),
    sketch: emptySpan(),
    time: emptySpan(),
    agent: emptySpan(),
  };
}

export function clearFields(fields: Fields): void {
  fields.method = METHOD.unknown;
  fields.status = -1;
  fields.size = -1;
  fields.url.start = fields.url.end = 0;
  fields.host.start = fields.host.end = 0;
  fields.sketch.start = fields.sketch.end = 0;
  fields.time.start = fields.time.end = 0;
  fields.agent.start = fields.agent.end = 0;
}

export function setSpan(span: Span, bytes: Uint8Array, start: number, end: number): void {
  span.bytes = bytes;
  span.start = start;
  span.end = end;
}

/** True for an empty range and for `-`, by which logs say "none". */
export function isMissing(span: Span): boolean {
  const length = span.end - span.start;
  return length === 0 || (length === 1 && span.bytes[span.start] === 0x2d);
}

/** The number that the digits `bytes[start, end)` are; -1 if there are none, something else, or too many. */
export function readDigits(bytes: Uint8Array, start: number, end: number): number {
  if (start >= end || end - start > 15) return -1;
  let value = 0;
  for (let at = start; at < end; at++) {
    if (!isDigit(bytes[at])) return -1;
    value = value * 10 + bytes[at]! - 0x30;
  }
  return value;
}
