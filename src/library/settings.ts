// What `mine` can be told by a program. The options are those of the command: under its names, with its defaults, checked by it.
import { Command, type Option } from 'commander';
import type { Effects } from '../base/effects.js';
import { UserError } from '../base/error.js';
import { addMineOptions, type MineFlags } from '../cli/flags/mine.js';
import type { FormatName } from '../log/format/format.js';

/** A line that could not be read. */
export interface RejectedLine {
  readonly input: string;
  /** From 1. */
  readonly number: number;
  /** `no-url`, `bad-host`, `url-too-long`, … */
  readonly cause: string;
  readonly line: string;
}

/** The options of `dustbuster mine`; its help says what each of them is. What is left out is as there. */
export interface MineSettings {
  /** Format of files and bytes; detected where it is not said. */
  readonly format?: FormatName;
  /** In the words of Apache's LogFormat or nginx's log_format. */
  readonly logFormat?: string;
  /** Columns of CSV, TSV and JSON lines: `{ url: 'u', size: 'bytes' }`. */
  readonly columns?: Readonly<Record<string, string>>;
  /** Scheme and host of logs that have none. */
  readonly base?: string;
  readonly scheme?: 'http' | 'https';
  readonly normalize?: 'safe' | 'none';
  /** Bytes. */
  readonly maxUrlLength?: number;

  /** A date, or what the command takes: `2026-11-01`, `7d`. */
  readonly since?: Date | string;
  readonly until?: Date | string;
  /** Globs. */
  readonly host?: string | readonly string[];
  readonly include?: string | readonly string[];
  readonly exclude?: string | readonly string[];
  readonly onlyDocuments?: boolean;
  readonly bots?: 'all' | 'only' | 'none';

  /** The numbers of the paper: longest substring in tokens, largest buckets, least support, elimination. */
  readonly S?: number;
  readonly T_low?: number;
  readonly T_high?: number;
  readonly MS?: number;
  readonly MRD?: number;
  readonly MAD?: number;
  readonly MW?: number;
  readonly rank?: 'likeliness' | 'confidence' | 'support';
  readonly similarity?: boolean;
  readonly parameters?: boolean;
  readonly paramMinUrls?: number;
  readonly site?: 'domain' | 'host' | 'all';
  readonly minSiteUrls?: number;

  /** Memory for tables and buffers: bytes, or `512m`. */
  readonly memory?: number | string;
  readonly threads?: number;
  readonly tmpdir?: string;
  /** Writes the time into the rules file. */
  readonly stamp?: boolean;

  /** Is told of every line that could not be read. */
  readonly onReject?: (line: RejectedLine) => void;
  /** Ends the reading; mining itself is one synchronous computation. */
  readonly signal?: AbortSignal;
}

/** `flag`: goes through the command's own parser. */
const KINDS: Readonly<Record<keyof MineSettings, 'flag' | 'own'>> = {
  format: 'flag',
  logFormat: 'flag',
  columns: 'own',
  base: 'flag',
  scheme: 'flag',
  normalize: 'flag',
  maxUrlLength: 'flag',
  since: 'flag',
  until: 'flag',
  host: 'flag',
  include: 'flag',
  exclude: 'flag',
  onlyDocuments: 'flag',
  bots: 'flag',
  S: 'flag',
  T_low: 'flag',
  T_high: 'flag',
  MS: 'flag',
  MRD: 'flag',
  MAD: 'flag',
  MW: 'flag',
  rank: 'flag',
  similarity: 'flag',
  parameters: 'flag',
  paramMinUrls: 'flag',
  site: 'flag',
  minSiteUrls: 'flag',
  memory: 'flag',
  threads: 'flag',
  tmpdir: 'flag',
  stamp: 'flag',
  onReject: 'own',
  signal: 'own',
};

/** As if the settings stood on the command line. Throws {@link UserError} for what the command would refuse. */
export function flagsOf(settings: MineSettings, effects: Effects): MineFlags {
  const command = new Command();
  addMineOptions(command, effects);
  const options = new Map(command.options.map((option) => [option.attributeName(), option]));
  const flags: Record<string, unknown> = { ...command.opts() };
  for (const [name, value] of Object.entries(settings)) {
    if (!Object.hasOwn(KINDS, name)) {
      const known = Object.keys(KINDS).join(', ');
      throw new UserError(`mine: got the unknown option ${JSON.stringify(name)}, expected one of ${known}`);
    }
    if (value !== undefined && KINDS[name as keyof MineSettings] === 'flag') {
      flags[name] = flagOf(options.get(name)!, value);
    }
  }
  return flags as unknown as MineFlags;
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
