// The inputs that a program passes to `mine`: names as on the command line, or data in memory, which are read as if
// they were in a file.
//
//     'access.log', 'logs/*.gz', '-'     a file, a folder, a glob, standard input
//     { urls: […] }                      a URL list, one per line        format `urls`
//     { records: […] }                   one object per line             format `jsonl`
//     { bytes: stream }                  a log, compressed or not        detected, or `format`
import { encodeText } from '../base/bytes.js';
import { UserError } from '../base/error.js';
import type { Chunks, Input } from '../log/bytes.js';
import type { FormatOptions } from '../log/format/choose.js';

type Sequence<T> = Iterable<T> | AsyncIterable<T>;

/** One request of a log: a URL, and whatever else is known. */
export interface LogRecord {
  /** Absolute, or a path that begins with `/`. */
  readonly url: string;
  readonly status?: number;
  /** Bytes of the document. */
  readonly size?: number;
  /**
   * A digest of the document, or its shingles as Heritrix and dustbuster write them: pages with one digest are one
   * page.
   */
  readonly sketch?: string;
  readonly method?: string;
  /** For `since` and `until`: a date, milliseconds since 1970, or text as logs have it. */
  readonly time?: Date | number | string;
  /** Host of a `url` that begins with `/`. */
  readonly host?: string;
  /** User agent, for `bots`. */
  readonly agent?: string;
}

/** `name` is what the rules file calls the input. */
export type MineInput =
  | string
  | { readonly urls: Sequence<string | URL>; readonly name?: string }
  | { readonly records: Sequence<LogRecord>; readonly name?: string }
  | { readonly bytes: Sequence<Uint8Array>; readonly name?: string };

/** An input in a format of its own. */
export interface GivenInput {
  readonly input: Input;
  readonly format: FormatOptions | undefined;
}

/** All inputs but names. */
export function givenInput(given: Exclude<MineInput, string>): GivenInput {
  const isInput = typeof given === 'object' && given !== null;
  if (isInput && 'urls' in given) {
    const { urls, name = 'urls' } = given;
    return { input: { name, open: () => lines(urls, urlLine) }, format: { format: 'urls' } };
  }
  if (isInput && 'records' in given) {
    const { records, name = 'records' } = given;
    return { input: { name, open: () => lines(records, recordLine) }, format: { format: 'jsonl', columns: COLUMNS } };
  }
  if (isInput && 'bytes' in given) {
    const { bytes, name = 'bytes' } = given;
    return { input: { name, open: (): Chunks => bytes }, format: undefined };
  }
  throw new UserError('mine: got an input that is none, expected a name, or { urls }, { records } or { bytes }');
}

const COLUMNS = Object.fromEntries(
  ['url', 'status', 'size', 'sketch', 'method', 'time', 'host', 'agent'].map((name) => [name, name]),
);

/** A line end within a URL would split it in two. */
function urlLine(url: string | URL): string {
  return String(url).replace(/[\r\n]/g, (char) => (char === '\n' ? '%0A' : '%0D'));
}

function recordLine(record: LogRecord): string {
  return JSON.stringify(record);
}

const BATCH_CHARS = 1 << 16;

async function* lines<T>(values: Sequence<T>, lineOf: (value: T) => string): AsyncGenerator<Uint8Array> {
  let text = '';
  for await (const value of values) {
    text += `${lineOf(value)}\n`;
    if (text.length < BATCH_CHARS) continue;
    yield encodeText(text);
    text = '';
  }
  if (text !== '') yield encodeText(text);
}
