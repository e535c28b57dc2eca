// What became of the first lines of an input, field by field, and why is it not in another format? For `dustbuster formats`.
import { decodeText } from '../../base/bytes.js';
import { FIELD_OF } from '../misread.js';
import { METHOD, refusalOf } from '../record.js';
import { chooseFormat, type FormatOptions, openFormat } from './choose.js';
import { type Candidate, candidatesOf, createFormat, HEAD_BYTES } from './detect.js';
import { type AnyFormat, type Fields, FORMAT_NAMES, type FormatName, HEADER, type Span, TITLE } from './format.js';
import { nameOfShape } from './shape.js';
import { type Suggestion, suggestionFor } from './suggest.js';
import { FormatTrial, tryFormat } from './trial.js';

export interface ExplainedLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
  /** Such as `a record`, or why it is none. */
  readonly fate: string;
  readonly isRead: boolean;
  /** What the format found, by the names of fields. */
  readonly fields: readonly (readonly [name: string, text: string])[];
  /** The URL, if there is one. */
  readonly url: string;
}

export interface Explanation {
  /** As in the counts of a run; null if the lines are in no known format. */
  readonly format: string | null;
  /** Lines that were looked at, without those that are blank or name columns, and how many of them were read. */
  readonly lines: number;
  readonly read: number;
  /** The first lines, and the first one of each fate. */
  readonly shown: readonly ExplainedLine[];
  /** Other formats that some of the lines look like, or that would read some. */
  readonly others: readonly Candidate[];
  /** What would read more lines than the format does; null if nothing is known. */
  readonly suggestion: Suggestion | null;
}

const MOST_LINES = 200;
const FIRST_SHOWN = 2;
const MOST_SHOWN = 8;
const EVERYTHING = { time: true, agent: true, duration: true, client: true };

/** Explains lines of text: formats that are not line-based have none. */
export function explain(head: Buffer, options: FormatOptions): Explanation {
  const lines = numberedLines(head);
  const shape = chooseFormat(head, options);
  const name = shape === null ? null : nameOfShape(shape);
  const format = shape === null ? null : openFormat(shape, options, EVERYTHING);
  if (format?.linesOf !== undefined)
    return { format: name, lines: 0, read: 0, shown: [], others: [], suggestion: null };
  const trial = format === null ? null : new FormatTrial(format);
  const explained = lines.map(({ number, bytes }) => explainLine(trial, number, bytes));
  const counted = explained.filter(({ fate }) => fate !== NAMES_COLUMNS);
  const unread = lines.filter((_, at) => !explained[at]!.isRead && explained[at]!.fate !== NAMES_COLUMNS);
  const read = counted.filter(({ isRead }) => isRead).length;
  return {
    format: name,
    lines: counted.length,
    read,
    shown: shownOf(explained),
    others: othersOf(
      head,
      lines.map(({ bytes }) => bytes),
      shape?.format ?? null,
      options,
    ),
    suggestion: 2 * read > counted.length ? null : suggestionFor(unread.map(({ bytes }) => bytes)),
  };
}

interface NumberedLine {
  readonly number: number;
  readonly bytes: Buffer;
}

function numberedLines(head: Buffer): readonly NumberedLine[] {
  const lines: NumberedLine[] = [];
  for (let at = 0, number = 1; at < head.length && lines.length < MOST_LINES; number++) {
    const newline = head.indexOf(0x0a, at);
    // The last line of the head may be cut.
    if (newline < 0 && head.length >= HEAD_BYTES && lines.length > 0) break;
    const end = newline < 0 ? head.length : newline;
    const bytes = head.subarray(at, head[end - 1] === 0x0d && end > at ? end - 1 : end);
    if (bytes.some((byte) => byte > 0x20)) lines.push({ number, bytes });
    at = end + 1;
  }
  return lines;
}

const NAMES_COLUMNS = 'says how lines are read';

function explainLine(trial: FormatTrial | null, number: number, bytes: Buffer): ExplainedLine {
  const text = decodeText(bytes);
  if (trial === null) return { number, text, fate: 'in no known format', isRead: false, fields: [], url: '' };
  const { cause, fields, url } = trial.try(bytes);
  return {
    number,
    text,
    fate: fateOf(cause, fields),
    isRead: cause === null,
    fields: cause === HEADER ? [] : fieldsOf(fields),
    url,
  };
}

function fateOf(cause: string | null, { method, status }: Fields): string {
  if (cause === HEADER) return NAMES_COLUMNS;
  if (cause === TITLE) return 'a title above the header, dropped (title)';
  if (cause === null) {
    const refusal = refusalOf(method, status);
    return refusal === null ? 'a record' : `read, and dropped (${refusal.cause})`;
  }
  const field = FIELD_OF[cause];
  return `not read (${cause}${field === undefined ? '' : `, field ${field}`})`;
}

const METHODS = new Map<number, string>(Object.entries(METHOD).map(([name, code]) => [code, name]));

function fieldsOf(fields: Fields): ExplainedLine['fields'] {
  const { method, status, size, duration } = fields;
  const isRequest = method !== METHOD.missing;
  const spans = (['url', 'host', 'time', 'client', 'agent', 'sketch'] as const).flatMap((name) =>
    textOf(name === 'url' && !isRequest ? 'request' : name, fields[name]),
  );
  return [
    ...(method === METHOD.unknown || !isRequest ? [] : [['method', METHODS.get(method)!] as const]),
    ...spans,
    ...(status < 0 ? [] : [['status', String(status)] as const]),
    ...(size < 0 ? [] : [['size', String(size)] as const]),
    ...(duration < 0 ? [] : [['duration', `${duration} ms`] as const]),
  ];
}

function textOf(name: string, { bytes, start, end }: Span): readonly (readonly [string, string])[] {
  return end > start ? [[name, decodeText(bytes, start, end)]] : [];
}

function shownOf(explained: readonly ExplainedLine[]): readonly ExplainedLine[] {
  const seen = new Set<string>();
  const shown = explained.filter(({ fate }, at) => {
    const isNew = !seen.has(fate);
    seen.add(fate);
    return isNew || at < FIRST_SHOWN;
  });
  return shown.slice(0, MOST_SHOWN);
}

/** The candidates, and other formats that would read some of the lines. */
function othersOf(
  head: Buffer,
  lines: readonly Buffer[],
  chosen: AnyFormat | null,
  { columns }: FormatOptions,
): readonly Candidate[] {
  const candidates = candidatesOf(head, columns);
  const known = new Map(candidates.map((one) => [one.name, one.votes]));
  const tried = FORMAT_NAMES.filter((name) => name !== chosen && !NOT_TRIED.includes(name)).map((name) => {
    const { read } = tryFormat(createFormat(name, columns), lines);
    return { name, votes: known.get(name) ?? 0, read };
  });
  return tried.filter(({ votes, read }) => votes + read > 0).sort((a, b) => b.votes - a.votes || b.read - a.read);
}

/** Lists of URLs take any line, and documents have none. */
const NOT_TRIED: readonly FormatName[] = ['urls', 'sitemap', 'har'];
