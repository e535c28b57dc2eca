// Which settings and inputs can a program pass to `mine`? The options are those of the command, with the same names,
// defaults and checks.
import { Command, type Option } from 'commander';
import { encodeText } from '../base/bytes.js';
import type { Effects } from '../base/effects.js';
import { UserError } from '../base/error.js';
import { MINE_OPTIONS, type MineFlags } from '../cli/flags/mine.js';
import { addOptions, type OptionRow, standardsAmong, TableOption } from '../cli/flags/option.js';
import type { Chunks, Input } from '../log/bytes.js';
import type { FormatOptions } from '../log/format/choose.js';

/** A line that could not be read. */
export interface RejectedLine {
  readonly input: string;
  /** Counts from 1. */
  readonly number: number;
  /** Such as `no-url`, `bad-host`, `url-too-long`. */
  readonly cause: string;
  readonly line: string;
}

type Table = typeof MINE_OPTIONS;

/** The type of a value that a program may pass for an option. */
type Given<Row extends OptionRow, Flag> = Row extends { readonly kind: 'when' }
  ? Date | string
  : Row extends { readonly kind: 'size' }
    ? number | string
    : Row extends { readonly kind: 'repeated' }
      ? string | readonly string[]
      : Flag;

type OptionSettings = {
  readonly [Name in keyof Table as Table[Name] extends { readonly inLibrary: true } ? Name : never]?: Given<
    Table[Name],
    Exclude<MineFlags[Name], undefined>
  >;
};

/** The options of `dustbuster mine`, which its help describes, with the same defaults. */
export interface MineSettings extends OptionSettings {
  /** The names of columns in CSV, TSV and JSON lines: `{ url: 'u', size: 'bytes' }`. */
  readonly columns?: Readonly<Record<string, string>>;
  /** Called for every line that could not be read. */
  readonly onReject?: (line: RejectedLine) => void;
  /** Stops reading. Mining itself is one synchronous computation, which cannot be stopped. */
  readonly signal?: AbortSignal;
}

/** Settings that are not flags, or that have another form than the flag. */
const OWN = ['columns', 'onReject', 'signal'] as const satisfies readonly (keyof MineSettings)[];

/** The flags for these settings. Throws {@link UserError} for values that the command would refuse. */
export function flagsOf(settings: MineSettings, effects: Effects): MineFlags {
  const command = new Command();
  addOptions(command, MINE_OPTIONS, effects);
  const options = optionsInLibrary(command);
  const flags: Record<string, unknown> = { ...command.opts() };
  for (const [name, value] of Object.entries(settings)) {
    const option = options.get(name);
    if (option === undefined && !OWN.some((own) => own === name)) {
      const known = [...options.keys(), ...OWN].join(', ');
      throw new UserError(`mine: got the unknown option ${JSON.stringify(name)}, expected one of ${known}`);
    }
    if (value !== undefined && option !== undefined) flags[name] = flagOf(option, value);
  }
  for (const [name, value] of standardsAmong(command, { ...flags })) {
    if (settings[name as keyof MineSettings] === undefined) flags[name] = value;
  }
  return flags as unknown as MineFlags;
}

function optionsInLibrary(command: Command): ReadonlyMap<string, Option> {
  const options = command.options.filter((option) => option instanceof TableOption && option.row.inLibrary);
  return new Map(options.map((option) => [option.attributeName(), option]));
}

function flagOf(option: Option, value: unknown): unknown {
  if (option.isBoolean() || option.negate) {
    if (typeof value === 'boolean') return value;
    throw new UserError(`${option.attributeName()}: got ${JSON.stringify(value)}, expected true or false`);
  }
  const parse = option.parseArg;
  if (parse === undefined) return textOf(value);
  let parsed: unknown;
  for (const one of Array.isArray(value) ? (value as unknown[]) : [value]) parsed = parse(textOf(one), parsed);
  return parsed;
}

function textOf(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value);
}

// Inputs are names as on the command line, or data in memory, which is read like a file:
//     'access.log', 'logs/*.gz', '-'     a file, a folder, a glob, standard input
//     { urls: […] }                      a URL list, one per line        format `urls`
//     { records: […] }                   one object per line             format `jsonl`
//     { bytes: stream }                  a log, compressed or not        detected, or `format`

type Sequence<T> = Iterable<T> | AsyncIterable<T>;

/** One request of a log: a URL, and whatever else is known about it. */
export interface LogRecord {
  /** An absolute URL, or a path that begins with `/`. */
  readonly url: string;
  readonly status?: number;
  /** Size of the document in bytes. */
  readonly size?: number;
  /**
   * A digest of the document, or its shingles as Heritrix and dustbuster write them. Equal digests mean the same page.
   */
  readonly sketch?: string;
  readonly method?: string;
  /** Used by `since` and `until`: a date, milliseconds since 1970, or text as in logs. */
  readonly time?: Date | number | string;
  /** The host of a `url` that begins with `/`. */
  readonly host?: string;
  /** The user agent, used by `bots`. */
  readonly agent?: string;
}

/** `name` is the input's name in the rules file. */
export type MineInput =
  | string
  | { readonly urls: Sequence<string | URL>; readonly name?: string }
  | { readonly records: Sequence<LogRecord>; readonly name?: string }
  | { readonly bytes: Sequence<Uint8Array>; readonly name?: string };

/** An input with its own format. */
interface GivenInput {
  readonly input: Input;
  readonly format: FormatOptions | undefined;
}

/** Turns data in memory into an input. */
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
  throw new UserError(
    'mine: got an input of an unknown kind, expected a file name, or { urls }, { records } or { bytes }',
  );
}

const COLUMNS = Object.fromEntries(
  ['url', 'status', 'size', 'sketch', 'method', 'time', 'host', 'agent'].map((name) => [name, name]),
);

/** Rejects line ends: one inside a URL would split it in two. */
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
