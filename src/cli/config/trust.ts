// What may a file say that lies in the working folder?
//
// A folder of logs may be somebody else's, and a file in it speaks before anybody has looked: git's core.fsmonitor
// and the safe.directory that followed it (CVE-2022-24765) are the lesson. So such a file may say how lines are read,
// which of them count, and what is mined from them: all that a log in this folder could bring about by itself. It may
// not say what is fetched and from where, which files are read or written, which rules are believed, or how much of
// the machine is used. Options that their table calls harmless it may set, and no others: one that comes later is not
// harmless unless somebody says so. --config dustbuster.toml trusts it.
import { OPTIONS_OF } from '../flags/commands.js';
import { keyOf, type HarmlessRange } from '../flags/option.js';

const ALLOWED: ReadonlyMap<string, true | HarmlessRange> = new Map(
  Object.values(OPTIONS_OF)
    .flatMap((table) => Object.values(table))
    .flatMap((row) => (row.isHarmless === undefined ? [] : [[keyOf(row), row.isHarmless] as const])),
);

/** `key` as it stands in the file: the name of an option without dashes and without `no-`. */
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

const MOST_STARS = 4;

/** False for a glob that takes for ever on a name made for it: with many `*` the ways to match one are too many. */
export function mayProjectMatch(value: string): boolean {
  return (value.match(/\*+/g) ?? []).length <= MOST_STARS && !/[+@!]\(/.test(value);
}

export function projectKeys(): string[] {
  return [...ALLOWED.keys()];
}
