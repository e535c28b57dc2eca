// What does a configuration file set? In TOML, keys at the top apply to every command that has the option, and keys in
// a table apply to the command that the table names.
import { readFile, stat } from 'node:fs/promises';
import { printable } from '../../base/bytes.js';
import { systemCode, UserError } from '../../base/error.js';
import { systemName } from '../../base/file-name.js';
import type { ConfigPlace } from './find.js';
import { distrust, unreadable } from '../files.js';

export interface ConfigFile {
  readonly place: ConfigPlace;
  readonly top: readonly Entry[];
  readonly tables: readonly Table[];
}

interface Table {
  /** Name of the table, which should be a command. */
  readonly name: string;
  readonly line: number | undefined;
  readonly entries: readonly Entry[];
}

export interface Entry {
  readonly key: string;
  readonly value: ConfigValue;
  /** Counts from 1; undefined if the line was not found. */
  readonly line: number | undefined;
}

/** Values as words of a command line. `isOther` marks a value of a type that no option takes. */
export type ConfigValue =
  | { readonly kind: 'switch'; readonly isOn: boolean }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'list'; readonly texts: readonly string[] }
  | { readonly kind: 'other'; readonly what: string };

/** A file that is ignored, and the reason. */
export interface IgnoredFile {
  readonly place: ConfigPlace;
  readonly reason: string;
}

const MAX_BYTES = 65_536;

/** Reads the file at `place`; undefined if there is none. Throws a UserError if it cannot be read or is not TOML. */
export async function readConfigFile(place: ConfigPlace): Promise<ConfigFile | IgnoredFile | undefined> {
  const reason = place.kind === 'project' ? await distrust(place.path) : undefined;
  if (reason !== undefined) return { place, reason };
  const text = await readText(place);
  return text === undefined ? undefined : { place, ...entriesOf(text, await parsed(text, place)) };
}

async function readText(place: ConfigPlace): Promise<string | undefined> {
  try {
    const { size } = await stat(systemName(place.path));
    if (size > MAX_BYTES) throw new UserError(`${shownName(place)}: got ${size} bytes, expected at most ${MAX_BYTES}`);
    return await readFile(systemName(place.path), 'utf8');
  } catch (error) {
    const code = systemCode(error);
    if (place.kind !== 'named' && (code === 'ENOENT' || code === 'ENOTDIR')) return undefined;
    throw unreadable(error, place.name, 'Name another with --config, or say --no-config');
  }
}

function entriesOf(text: string, document: object): Omit<ConfigFile, 'place'> {
  const lines = text.split('\n');
  const top: Entry[] = [];
  const tables: Table[] = [];
  for (const [key, value] of Object.entries(document)) {
    if (isTable(value)) {
      const entries = Object.entries(value).map(([own, inner]) => entryOf(own, inner, lineOf(lines, key, own)));
      tables.push({ name: key, line: lineOf(lines, key), entries });
    } else top.push(entryOf(key, value, lineOf(lines, '', key)));
  }
  return { top, tables };
}

/** Loads the TOML library only if there is a file. */
async function parsed(text: string, place: ConfigPlace): Promise<object> {
  const { parse, TomlError } = await import('smol-toml');
  try {
    return parse(text, { unsafeKeyBehaviour: 'throw' });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    // The lines after the first quote the file, which may be a secret and no configuration at all.
    const what = error.message.split('\n')[0]!.replace(/^Invalid TOML document: /, '');
    throw new UserError(`${shownName(place)}:${error.line}:${error.column}: ${printable(what)}; expected TOML`);
  }
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

function entryOf(key: string, value: unknown, line: number | undefined): Entry {
  return { key, line, value: valueOf(value) };
}

function valueOf(value: unknown): ConfigValue {
  if (typeof value === 'boolean') return { kind: 'switch', isOn: value };
  const text = textOf(value);
  if (text !== undefined) return { kind: 'text', text };
  if (!Array.isArray(value)) return { kind: 'other', what: 'a table' };
  const texts = value.map(textOf);
  const isFlat = texts.every((item) => item !== undefined);
  return isFlat ? { kind: 'list', texts } : { kind: 'other', what: 'a list of more than texts and numbers' };
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  return value instanceof Date ? value.toISOString() : undefined; // the library's class, also for days without a time
}

/**
 * The line that sets `key` in `table`, or on which the table begins: the library reports no lines. Text inside long
 * strings can be mistaken for a key.
 */
function lineOf(lines: readonly string[], table: string, key?: string): number | undefined {
  let within = '';
  for (const [at, line] of lines.entries()) {
    const head = /^\s*\[\s*["']?([\w-]+)["']?\s*\]/.exec(line)?.[1];
    if (head !== undefined) within = head;
    if (key === undefined && head === table) return at + 1;
    const [, own] = /^\s*((?:["']?[\w-]+["']?\s*\.\s*)?["']?[\w-]+["']?)\s*=/.exec(line) ?? [];
    if (own === undefined || key === undefined) continue;
    const path = own.replace(/["'\s]/g, '');
    if ((within === table && path === key) || (within === '' && path === `${table}.${key}`)) return at + 1;
  }
  return undefined;
}

export function shownName({ name }: ConfigPlace): string {
  return printable(name);
}
