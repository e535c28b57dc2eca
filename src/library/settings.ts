// The settings that a program can pass to `mine`. The options are those of the command: with its names, its defaults
// and its checks.
import { Command, type Option } from 'commander';
import type { Effects } from '../base/effects.js';
import { UserError } from '../base/error.js';
import { MINE_OPTIONS, type MineFlags } from '../cli/flags/mine.js';
import { addOptions, standardsAmong, TableOption, type OptionRow } from '../cli/flags/option.js';

/** A line that could not be read. */
export interface RejectedLine {
  readonly input: string;
  /** From 1. */
  readonly number: number;
  /** `no-url`, `bad-host`, `url-too-long`, … */
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

/** The options of `dustbuster mine`; its help describes them. The defaults are the same. */
export interface MineSettings extends OptionSettings {
  /** Columns of CSV, TSV and JSON lines: `{ url: 'u', size: 'bytes' }`. */
  readonly columns?: Readonly<Record<string, string>>;
  /** Called for every line that could not be read. */
  readonly onReject?: (line: RejectedLine) => void;
  /** Stops reading; mining itself is one synchronous computation. */
  readonly signal?: AbortSignal;
}

/** Settings that are not flags in this form. */
const OWN = ['columns', 'onReject', 'signal'] as const satisfies readonly (keyof MineSettings)[];

/** As if the settings were given on the command line. Throws {@link UserError} for what the command would refuse. */
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
