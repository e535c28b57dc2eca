// Which files does a glob name, and which are in a folder? Sorted by path.
import { lstatSync, readdirSync, statSync, type Dirent, type Stats } from 'node:fs';
import glob from 'fast-glob';
import { byText, decodeText, printable } from '../../base/bytes.js';
import { UserError } from '../../base/error.js';
import { systemName } from '../../base/file-name.js';
import { groupBy } from '../../base/group-by.js';
import { expandBraces } from './braces.js';

/** No path is longer on Linux. */
const MOST_CHARACTERS = 4096;

export function filesBelow(folder: string): readonly string[] {
  return search(['**/*'], folder).sort(byText);
}

/** None if the text is no glob. Throws a UserError if it is too long, or its braces stand for too many names. */
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

/** What a pattern begins in. Patterns with `**` are matched in one walk if they begin in the same folder. */
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
  // fast-glob calls it with `withFileTypes`, and nothing else.
  const fs = {
    readdirSync: lists as unknown as typeof readdirSync,
    statSync: statOf(statSync),
    lstatSync: statOf(lstatSync),
  };
  return glob.sync([...patterns], { cwd, dot: false, onlyFiles: true, suppressErrors: true, fs, ...NO_BRACES });
}

/** For names that are not UTF-8. fast-glob calls it with a path only. */
function statOf(stat: (path: string | Buffer) => Stats): typeof statSync {
  return ((path: string) => stat(systemName(path))) as unknown as typeof statSync;
}

/**
 * Lists a folder once, by device and inode: two links to `.` would make 2^40 paths of one file. The part of a pattern
 * after `**` is matched against the last names of a path, so a folder counts as a different one below different such
 * names. Patterns without `**` end at their depth, and may need a folder again.
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
