// Finds the files that a glob names, and the files in a folder, sorted by path.
import { type Dirent, lstatSync, readdirSync, type Stats, statSync } from 'node:fs';
import glob from 'fast-glob';
import { byText, decodeText, printable } from '../../base/bytes.js';
import { UserError } from '../../base/error.js';
import { systemName } from '../../base/file-name.js';
import { groupBy } from '../../base/group-by.js';

/** No path on Linux is longer. */
const MOST_CHARACTERS = 4096;

export function filesBelow(folder: string): readonly string[] {
  return search(['**/*'], folder).sort(byText);
}

/** Empty if the text is no glob. Throws a UserError if it is too long, or if its braces stand for too many names. */
export function filesOf(pattern: string, cwd: string): readonly string[] {
  if (pattern.length > MOST_CHARACTERS) {
    const begin = printable(pattern.slice(0, 40));
    throw new UserError(
      `got a name or glob of ${pattern.length} characters ("${begin}…"); expected at most ${MOST_CHARACTERS}`,
    );
  }
  const patterns = expandBraces(pattern).filter((one) => one !== '');
  if (patterns.every((one) => one === pattern && !glob.isDynamicPattern(one, NO_BRACES))) return [];
  const flat = patterns.filter((one) => !isDeep(one));
  const walks = [...groupBy(patterns.filter(isDeep), folderOf).values(), ...(flat.length === 0 ? [] : [flat])];
  return [...new Set(walks.flatMap((some) => search(some, cwd)))].sort(byText);
}

type ListFolder = (path: string) => Dirent[];

const NO_BRACES = { braceExpansion: false } as const;

function isDeep(pattern: string): boolean {
  return pattern.includes('**');
}

/** The folder that a pattern begins in. Patterns with `**` that begin in the same folder are matched in one walk. */
function folderOf(pattern: string): string {
  const names = pattern.split('/');
  return names
    .slice(
      0,
      names.findIndex((name) => name !== '' && glob.isDynamicPattern(name, NO_BRACES)),
    )
    .join('/');
}

function search(patterns: readonly string[], cwd: string): string[] {
  const lists = patterns.some(isDeep) ? visitingOnce(patterns) : entriesOf;
  // fast-glob calls this with `withFileTypes` only.
  const fs = {
    readdirSync: lists as unknown as typeof readdirSync,
    statSync: statOf(statSync),
    lstatSync: statOf(lstatSync),
  };
  return glob.sync([...patterns], { cwd, dot: false, onlyFiles: true, suppressErrors: true, fs, ...NO_BRACES });
}

/** Accepts names that are not UTF-8. fast-glob passes a path only. */
function statOf(stat: (path: string | Buffer) => Stats): typeof statSync {
  return ((path: string) => stat(systemName(path))) as unknown as typeof statSync;
}

/**
 * Lists each folder once, by device and inode: otherwise two links to `.` would make 2^40 paths of one file. But
 * patterns match what follows `**` against the last names of a path, so a folder that is reached under other such names
 * is another folder. Patterns without `**` end at their depth, and may need a folder again.
 */
function visitingOnce(patterns: readonly string[]): ListFolder {
  const named = Math.max(...patterns.map((pattern) => pattern.split('/').filter((name) => name !== '**').length - 1));
  const visited = new Set<string>();
  const list = (path: string): Dirent[] => {
    const { dev, ino } = statSync(systemName(path), { bigint: true });
    const names = named === 0 ? [] : path.split('/').slice(-named);
    const folder = [dev, ino, ...names].join('/');
    if (visited.has(folder)) return [];
    visited.add(folder);
    return entriesOf(path);
  };
  return list;
}

function entriesOf(path: string): Dirent[] {
  const entries = readdirSync(systemName(path), { withFileTypes: true, encoding: 'buffer' });
  const named = entries.map((entry) => Object.assign(entry, { name: decodeText(entry.name) }));
  return named.sort((a, b) => byText(a.name, b.name));
}

// Braces in a glob of files stand for several patterns, as in a shell:
//
//     a{b,c{1..3}}     ab ac1 ac2 ac3         nested; several braces are combined each with each
//     {01..10} {a..e} {1..9..2}               ranges: with leading zeros, of letters, with a step
//     {a} {a \{a,b} [{,}]                     literal: no comma or range, not closed, escaped, in brackets
//
// Ten ranges of ten are 10^10 patterns, so there is a limit, which is checked before any list is made.

/**
 * The most patterns of one glob. fast-glob takes 11 s for so many if each has a `**`, and .4 s if each is a plain name.
 */
const MOST_PATTERNS = 10_000;

/** Throws a UserError if there are too many. */
export function expandBraces(glob: string): readonly string[] {
  const braces = bracesOf(glob);

  function expand(from: number, to: number): string[] {
    let found = [''];
    for (let at = from; at < to;) {
      const brace = braces.get(at);
      const next = brace === undefined ? nextBrace(at, to) : brace.close + 1;
      found = joined(found, brace === undefined ? [glob.slice(at, next)] : alternatives(at, brace));
      at = next;
    }
    return found;
  }

  function nextBrace(from: number, to: number): number {
    let at = from + 1;
    while (at < to && !braces.has(at)) at++;
    return at;
  }

  function alternatives(open: number, { commas, close }: Brace): readonly string[] {
    if (commas.length === 0) {
      const range = rangeOf(glob.slice(open + 1, close), glob);
      return range ?? expand(open + 1, close).map((text) => `{${text}}`);
    }
    const all: string[] = [];
    let from = open + 1;
    for (const to of [...commas, close]) {
      const some = expand(from, to);
      refuseMany(all.length + some.length, glob);
      for (const text of some) all.push(text);
      from = to + 1;
    }
    return all;
  }

  function joined(heads: readonly string[], tails: readonly string[]): string[] {
    refuseMany(heads.length * tails.length, glob);
    return heads.flatMap((head) => tails.map((tail) => head + tail));
  }

  return [...new Set(expand(0, glob.length))];
}

/** A closed pair of braces: where it closes, and the commas at its own level. */
interface Brace {
  readonly commas: number[];
  close: number;
}

/** Pairs of braces by the place of the opening one. */
function bracesOf(glob: string): ReadonlyMap<number, Brace> {
  const closed = new Map<number, Brace>();
  const open: (Brace & { readonly at: number })[] = [];
  for (let at = 0; at < glob.length; at++) {
    const sign = glob[at];
    if (sign === '\\') at++;
    else if (sign === '[') at = endOfBracket(glob, at);
    else if (sign === '{') open.push({ at, commas: [], close: -1 });
    else if (sign === ',') open.at(-1)?.commas.push(at);
    else if (sign === '}') {
      const brace = open.pop();
      if (brace !== undefined) closed.set(brace.at, { commas: brace.commas, close: at });
    }
  }
  return closed;
}

/** Where a bracket closes; if none does, `open`. A `]` that comes first belongs to the set. */
function endOfBracket(glob: string, open: number): number {
  const isNegated = glob[open + 1] === '!' || glob[open + 1] === '^';
  const close = glob.indexOf(']', open + (isNegated ? 3 : 2));
  return close < 0 ? open : close;
}

const NUMBERS = /^(-?\d+)\.\.(-?\d+)(?:\.\.(-?\d+))?$/;
const LETTERS = /^([a-z])\.\.([a-z])(?:\.\.(-?\d+))?$/i;

/** Undefined if the text is no range. */
function rangeOf(text: string, glob: string): readonly string[] | undefined {
  const numbers = NUMBERS.exec(text);
  if (numbers !== null) {
    const [, first = '', last = '', step] = numbers;
    const isPadded = [first, last].some((end) => /^-?0\d/.test(end));
    const width = isPadded ? Math.max(first.length, last.length) : 0;
    return valuesOf(Number(first), Number(last), step, glob).map((value) => padded(value, width));
  }
  const letters = LETTERS.exec(text);
  if (letters === null) return undefined;
  const [, first = '', last = '', step] = letters;
  return valuesOf(first.charCodeAt(0), last.charCodeAt(0), step, glob).map((code) => String.fromCharCode(code));
}

function valuesOf(first: number, last: number, step = '1', glob: string): readonly number[] {
  const by = Math.max(1, Math.abs(Number(step)));
  const count = Math.floor(Math.abs(last - first) / by) + 1;
  const isExact = Number.isSafeInteger(first) && Number.isSafeInteger(last);
  refuseMany(isExact ? count : Infinity, glob);
  return Array.from({ length: count }, (_, at) => first + (last < first ? -by : by) * at);
}

function padded(value: number, width: number): string {
  return value < 0 ? `-${String(-value).padStart(width - 1, '0')}` : String(value).padStart(width, '0');
}

function refuseMany(count: number, glob: string): void {
  if (count <= MOST_PATTERNS) return;
  throw new UserError(
    `the braces in "${printable(glob)}" stand for more than ${MOST_PATTERNS} names; expected fewer. ` +
      'Write * for what all of them have there, or name the folder',
  );
}
