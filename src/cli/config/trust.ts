// What may a file in the working folder set?
//
// A folder of logs may be somebody else's, and a file in it takes effect before anybody has looked: git's
// core.fsmonitor and the safe.directory that followed it (CVE-2022-24765) are the lesson. So such a file may set how
// lines are read, which of them count, and what is mined from them: nothing that a log in this folder could not bring
// about by itself. It may not set what is fetched and from where, which files are read or written, which rules are
// trusted, or how much of the machine is used. It is an allowlist: only options that their table marks as harmless, so
// a new option is not harmless unless somebody says so. --config dustbuster.toml trusts the file.
import { OPTIONS_OF } from '../flags/commands.js';
import { keyOf, type HarmlessRange } from '../flags/option.js';

const ALLOWED: ReadonlyMap<string, true | HarmlessRange> = new Map(
  Object.values(OPTIONS_OF)
    .flatMap((table) => Object.values(table))
    .flatMap((row) => (row.isHarmless === undefined ? [] : [[keyOf(row), row.isHarmless] as const])),
);

/** `key` as in the file: the name of an option without dashes and without `no-`. */
export function mayProjectSet(key: string): boolean {
  return ALLOWED.has(key);
}

/** What is expected of a number that would make a run cost too much; undefined of all others. */
export function tooCostly(key: string, value: unknown): string | undefined {
  const range = ALLOWED.get(key);
  if (typeof value !== 'number' || typeof range !== 'object') return undefined;
  const { atLeast = -Infinity, atMost = Infinity } = range;
  if (value > atMost) return `at most ${atMost}`;
  return value < atLeast ? `at least ${atLeast}` : undefined;
}

export function projectKeys(): string[] {
  return [...ALLOWED.keys()];
}
