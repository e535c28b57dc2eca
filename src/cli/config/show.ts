// What `dustbuster config show` prints: files, and options with their values and origins.
import type { Command } from 'commander';
import { printable } from '../../base/bytes.js';
import type { Effects } from '../../base/effects.js';
import { UserError } from '../../base/error.js';
import { createSink, pour } from '../../base/output.js';
import { closest, didYouMean } from '../flags/parse.js';
import {
  describeOrigin,
  type Origin,
  put,
  readConfig,
  type ReadConfig,
  refuseUnknownKeys,
  settingsFor,
} from './apply.js';
import { type ConfigFlag, type ConfigPlace, configPlaces } from './find.js';
import { settablesOf, variableOf } from './settable.js';

interface ShowRequest {
  readonly program: Command;
  /** Undefined for what is set for all commands. */
  readonly name: string | undefined;
  readonly isJson: boolean;
  readonly flag: ConfigFlag;
}

interface Row {
  readonly command: string;
  readonly option: string;
  readonly value: unknown;
  readonly origin: Origin | { readonly kind: 'default' };
}

export async function showConfig(request: ShowRequest, effects: Effects): Promise<void> {
  const { program, name, isJson, flag } = request;
  const places = configPlaces(flag, effects);
  const config = await readConfig(places);
  for (const file of config.files) {
    const tables = file.tables.flatMap(({ name: table, line, entries }) => [
      { file, entry: { key: '', line, value: { kind: 'other', what: '' } as const }, table },
      ...entries.map((entry) => ({ file, entry, table })),
    ]);
    refuseUnknownKeys([...file.top.map((entry) => ({ file, entry })), ...tables], program);
  }
  const commands = program.commands.filter((command) => name === undefined || command.name() === name);
  if (commands.length === 0) throw unknownCommand(name!, program);
  const rows = commands.flatMap((command) => rowsOf(command, config, effects));
  const shown = name === undefined ? rows.filter(({ origin }) => origin.kind !== 'default') : rows;
  const strange = strangeVariables(program, effects);
  const files = places.map((place) => ({ ...place, state: stateOf(place, config) }));
  const text = isJson ? asJson(files, shown, strange) : asText(files, shown, strange);
  await pour([text], createSink(effects.stdout));
}

function rowsOf(command: Command, { files }: ReadConfig, effects: Effects): Row[] {
  const settings = settingsFor(command, files, effects);
  for (const setting of settings.values()) put(command, setting);
  return [...settablesOf(command).values()].map(({ key, attribute }) => ({
    command: command.name(),
    option: key,
    value: command.getOptionValue(attribute) as unknown,
    origin: settings.get(key)?.origin ?? { kind: 'default' },
  }));
}

function unknownCommand(name: string, program: Command): UserError {
  const names = program.commands.map((command) => command.name());
  const expected = `expected one of ${names.join(', ')}.${didYouMean(name, names)}`;
  return new UserError(`config show: got "${printable(name)}", ${expected}`);
}

interface PlaceState extends ConfigPlace {
  readonly state: string;
}

function stateOf(place: ConfigPlace, { files, ignored }: ReadConfig): string {
  if (files.some((file) => file.place === place)) return 'read';
  const refused = ignored.find((file) => file.place === place);
  return refused === undefined ? 'not there' : `ignored: ${refused.reason}`;
}

/** Variables with the program's prefix that match no option. */
function strangeVariables(program: Command, { env }: Effects): { readonly name: string; readonly meant?: string }[] {
  const known = new Set(['DUSTBUSTER_CONFIG']);
  for (const command of program.commands) {
    for (const key of settablesOf(command).keys()) {
      known.add(`DUSTBUSTER_${variableOf(key)}`).add(`DUSTBUSTER_${variableOf(command.name())}_${variableOf(key)}`);
    }
  }
  const strange = Object.keys(env).filter((name) => name.startsWith('DUSTBUSTER_') && !known.has(name));
  return strange.sort().map((name) => {
    const meant = closest(name, known);
    return meant === undefined ? { name } : { name, meant };
  });
}

function asJson(files: readonly PlaceState[], options: readonly Row[], strange: readonly object[]): string {
  const listed = options.map((row) => ({ ...row, value: row.value ?? null }));
  return `${JSON.stringify({ version: 1, files, options: listed, unknownVariables: strange }, null, 2)}\n`;
}

function asText(
  files: readonly PlaceState[],
  rows: readonly Row[],
  strange: ReturnType<typeof strangeVariables>,
): string {
  const lines = files.map(({ name, state }) => `${printable(name)}: ${state}`);
  const cells = rows.map(({ command, option, value, origin }) => [
    `${command} --${option}`,
    printable(shownValue(value)),
    origin.kind === 'default' ? 'default' : describeOrigin(origin),
  ]);
  const widths = [0, 1].map((column) => Math.max(0, ...cells.map((row) => row[column]!.length)));
  const table = cells.map(
    ([option, value, origin]) => `${option!.padEnd(widths[0]!)}  ${value!.padEnd(widths[1]!)}  ${origin}`,
  );
  const unknown = strange.map(({ name, meant }) => {
    return `${printable(name)}: no option has this variable${meant === undefined ? '' : `; did you mean ${meant}?`}`;
  });
  return [...lines, ...(table.length > 0 ? ['', ...table] : []), ...unknown].map((line) => `${line}\n`).join('');
}

function shownValue(value: unknown): string {
  if (value === undefined) return '-';
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.join(', ') : JSON.stringify(value);
}
