// Sets options from files and variables as if they had been given as flags, before the command line is parsed, so that
// a flag overrides them.
import type { EventEmitter } from 'node:events';
import type { Command } from 'commander';
import { printable } from '../../base/bytes.js';
import type { Effects } from '../../base/effects.js';
import { UserError } from '../../base/error.js';
import { OPTIONS_OF } from '../flags/commands.js';
import { type HarmlessRange, keyOf } from '../flags/option.js';
import { didYouMean } from '../flags/parse.js';
import { type ConfigFile, type ConfigValue, type Entry, type IgnoredFile, readConfigFile, shownName } from './file.js';
import { type ConfigFlag, type ConfigPlace, configPlaces } from './find.js';
import { parseSetting, type Settable, settablesOf, valueOfVariable, variableOf } from './settable.js';

/** Where the value of an option was set. */
export type Origin =
  | { readonly kind: 'file'; readonly file: string; readonly line: number | undefined }
  | { readonly kind: 'variable'; readonly variable: string };

export interface Setting {
  readonly settable: Settable;
  readonly origin: Origin;
  readonly value: unknown;
}

export interface ReadConfig {
  readonly files: readonly ConfigFile[];
  readonly ignored: readonly IgnoredFile[];
}

/** Reads the files that exist; a later file overrides an earlier one. */
export async function readConfig(places: readonly ConfigPlace[]): Promise<ReadConfig> {
  const found = await Promise.all(places.map(readConfigFile));
  const files = found.filter((file) => file !== undefined && 'top' in file);
  return { files, ignored: found.filter((file) => file !== undefined && 'reason' in file) };
}

/**
 * Reads the configuration and sets the options of `command`. Returns a function that says where an option was set, by
 * its name without dashes, unless a flag set it.
 */
export async function applyConfig(
  command: Command,
  flag: ConfigFlag,
  effects: Effects,
  wholeProgram: () => Promise<Command>,
): Promise<(key: string) => string | undefined> {
  const { files, ignored } = await readConfig(configPlaces(flag, effects));
  for (const { place, reason } of ignored) {
    effects.stderr.write(
      `dustbuster: ${shownName(place)} in this folder is ignored: ${reason}. --config ${shownName(place)} reads it, --no-config silences this.\n`,
    );
  }
  const unknownKeys = files.flatMap((file) => unknownKeysOf(file, command));
  if (unknownKeys.length > 0) refuseUnknownKeys(unknownKeys, await wholeProgram());
  const settings = settingsFor(command, files, effects);
  for (const setting of settings.values()) put(command, setting);
  return (key) => {
    const setting = settings.get(key);
    if (setting === undefined || command.getOptionValueSource(setting.settable.attribute) === 'cli') return undefined;
    return `--${key} is set by ${describeOrigin(setting.origin)}`;
  };
}

/**
 * The settings of files and variables for `command`, by key. Throws a UserError for a value that a flag would refuse.
 */
export function settingsFor(command: Command, files: readonly ConfigFile[], effects: Effects): Map<string, Setting> {
  const settings = new Map<string, Setting>();
  const settables = settablesOf(command);
  for (const file of files) {
    const own = file.tables.find(({ name }) => name === command.name())?.entries ?? [];
    for (const entry of [...file.top, ...own]) {
      const settable = settables.get(entry.key);
      if (settable === undefined) continue;
      const origin: Origin = { kind: 'file', file: file.place.name, line: entry.line };
      if (file.place.kind === 'project' && !mayProjectSet(entry.key)) refuseProject(entry, origin);
      const setting = settingOf(settable, entry.value, origin);
      if (file.place.kind === 'project') refuseCostly(setting);
      settings.set(entry.key, setting);
    }
  }
  for (const settable of settables.values()) {
    const variable = [`${variableOf(command.name())}_`, ''].map(
      (own) => `DUSTBUSTER_${own}${variableOf(settable.key)}`,
    );
    const name = variable.find((candidate) => (effects.env[candidate] ?? '') !== '');
    if (name === undefined) continue;
    const value = valueOfVariable(effects.env[name]!, settable);
    settings.set(settable.key, settingOf(settable, value, { kind: 'variable', variable: name }));
  }
  return settings;
}

function settingOf(settable: Settable, value: ConfigValue, origin: Origin): Setting {
  try {
    return { settable, origin, value: parseSetting(value, settable) };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new UserError(`${describeOrigin(origin)}: ${error.message.replace(/^(?!--)/, `${settable.key}: `)}`);
  }
}

export function describeOrigin(origin: Origin): string {
  if (origin.kind === 'variable') return origin.variable;
  return origin.line === undefined ? printable(origin.file) : `${printable(origin.file)}:${origin.line}`;
}

/**
 * Sets an option as a flag would, until a flag is given: commander would otherwise add a flag's value to a repeatable
 * option.
 */
export function put(command: Command, { settable, origin, value }: Setting): void {
  const { attribute, positive, negative } = settable;
  const before: unknown = command.getOptionValue(attribute);
  const source = command.getOptionValueSource(attribute);
  const own = origin.kind === 'file' ? 'config' : 'env';
  command.setOptionValueWithSource(attribute, value, own);
  const forget = () => {
    if (command.getOptionValueSource(attribute) === own) {
      command.setOptionValueWithSource(attribute, before, source ?? 'default');
    }
  };
  for (const option of [positive, negative]) {
    if (option !== undefined) (command as unknown as EventEmitter).prependListener(`option:${option.name()}`, forget);
  }
}

/** A key that the command does not have, or a table whose name is no command. */
interface UnknownKey {
  readonly file: ConfigFile;
  readonly entry: Entry;
  readonly table?: string;
}

function unknownKeysOf(file: ConfigFile, command: Command): UnknownKey[] {
  const keys = settablesOf(command);
  const isStrange = ({ key }: Entry) => !keys.has(key);
  const tables = file.tables.flatMap(({ name: table, line, entries }): UnknownKey[] => {
    if (table === command.name()) return entries.filter(isStrange).map((entry) => ({ file, entry, table }));
    return [{ file, entry: { key: '', line, value: { kind: 'other', what: 'a table' } }, table }];
  });
  return [...file.top.filter(isStrange).map((entry) => ({ file, entry })), ...tables];
}

/** Throws a UserError for keys that no command has; keys of other commands are ignored. */
export function refuseUnknownKeys(unknownKeys: readonly UnknownKey[], program: Command): void {
  for (const { file, entry, table } of unknownKeys) {
    const place = describeOrigin({ kind: 'file', file: file.place.name, line: entry.line });
    const command = program.commands.find((candidate) => candidate.name() === table);
    if (table !== undefined && command === undefined) {
      throw unknown(
        `${place}: got the table [${printable(table)}]`,
        'the name of a command',
        table,
        commandNames(program),
      );
    }
    if (entry.key === '') continue;
    const known = new Set(
      (command === undefined ? program.commands : [command]).flatMap((one) => [...settablesOf(one).keys()]),
    );
    const name = table === undefined ? entry.key : `${table}.${entry.key}`;
    const whose =
      table === undefined ? 'an option of a command without its dashes' : `an option of ${table} without its dashes`;
    if (!known.has(entry.key)) throw unknown(`${place}: got the key ${printable(name)}`, whose, entry.key, known);
    if (file.place.kind === 'project' && !mayProjectSet(entry.key)) {
      refuseProject(entry, { kind: 'file', file: file.place.name, line: entry.line });
    }
  }
}

function commandNames(program: Command): string[] {
  return program.commands.map((command) => command.name());
}

function unknown(got: string, expected: string, word: string, words: Iterable<string>): UserError {
  return new UserError(`${got}, expected ${expected}.${didYouMean(word.replace(/^no-/, ''), words)}`);
}

function refuseCostly({ settable: { key }, origin, value }: Setting): void {
  const expected = tooCostly(key, value);
  if (expected === undefined) return;
  throw new UserError(
    `${describeOrigin(origin)}: ${key}: got ${String(value)}, expected ${expected}, as a file found in the working folder may not make a ` +
      'run cost much more than it does by itself; name it with --config if you trust it, or say --no-config',
  );
}

function refuseProject({ key }: Entry, origin: Origin): never {
  throw new UserError(
    `${describeOrigin(origin)}: got the key ${printable(key)}, which a file found in the working folder may not set; expected one of ` +
      `${projectKeys().join(', ')}. Say --config ${origin.kind === 'file' ? printable(origin.file) : ''} if you trust it, or --no-config.`,
  );
}

// What may a file in the working folder set?
//
// A folder of logs may belong to somebody else, and a file in it takes effect before the user has looked at it: git's
// core.fsmonitor and the safe.directory that followed it (CVE-2022-24765) show the danger. So such a file may set how
// lines are read, which of them count, and what is mined from them: a log in this folder could have the same effects.
// It may not set what is fetched and from where, which files are read or written, which rules are trusted, or how much
// of the machine is used. This is an allowlist: a new option is forbidden until its table marks it as harmless.
// `--config dustbuster.toml` trusts the file.

const ALLOWED: ReadonlyMap<string, true | HarmlessRange> = new Map(
  Object.values(OPTIONS_OF)
    .flatMap((table) => Object.values(table))
    .flatMap((row) => (row.isHarmless === undefined ? [] : [[keyOf(row), row.isHarmless] as const])),
);

/** `key` as in the file: the option's name without dashes and without `no-`. */
function mayProjectSet(key: string): boolean {
  return ALLOWED.has(key);
}

/** The allowed range of a number that would make a run cost too much, in words; undefined for any other value. */
function tooCostly(key: string, value: unknown): string | undefined {
  const range = ALLOWED.get(key);
  if (typeof value !== 'number' || typeof range !== 'object') return undefined;
  const { atLeast = -Infinity, atMost = Infinity } = range;
  if (value > atMost) return `at most ${atMost}`;
  return value < atLeast ? `at least ${atLeast}` : undefined;
}

function projectKeys(): string[] {
  return [...ALLOWED.keys()];
}
