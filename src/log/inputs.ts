// Turns names of the command line into inputs, in a fixed order: names as given, and the files of a glob or a folder
// sorted by path. A file is read once, even if it is named several times.
import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import type { ReadAccess } from '../base/access.js';
import { decodeText, printable } from '../base/bytes.js';
import { systemCode, UserError } from '../base/error.js';
import { systemName } from '../base/file-name.js';
import { refuseAddress } from './address.js';
import type { Input } from './bytes.js';

export interface InputPlace {
  readonly cwd: string;
  readonly stdin: Readable;
  readonly access?: ReadAccess;
}

const STDIN = 0;
const CHUNK_BYTES = 1 << 18;

/**
 * Throws a UserError for a name that matches nothing. `-` is standard input; `@FILE` stands for the names in a file.
 */
export async function findInputs(names: readonly string[], place: InputPlace): Promise<Input[]> {
  const inputs: Input[] = [];
  const seen = new Set<string>();
  for (const name of await withLists(names, place.cwd)) {
    if (name === '-') {
      place.access?.noteOpen(STDIN);
      if (!seen.has('-')) inputs.push({ name: '-', open: () => place.stdin });
      seen.add('-');
      continue;
    }
    refuseAddress(name);
    const { kind, paths } = await expand(name, place.cwd);
    for (const path of paths) {
      const absolute = resolve(place.cwd, path);
      // A pipe, such as /dev/stdin or the shell's <(…), may have no path.
      const real = await realpath(systemName(absolute), 'buffer').then(decodeText, () => absolute);
      if (seen.has(real)) continue;
      seen.add(real);
      place.access?.note(absolute);
      inputs.push({ ...fileInput(path, absolute), ...(kind === 'folder' && { inFolder: true }) });
    }
  }
  return inputs;
}

/** Replaces each `@FILE` by the names in that file, one per line. If a file is itself called `@FILE`, that is used. */
async function withLists(names: readonly string[], cwd: string): Promise<string[]> {
  const all: string[] = [];
  for (const name of names) {
    const isList = name.startsWith('@') && (await kindOf(resolve(cwd, name))) === null;
    // No push(...): a list may have more names than a call may have arguments.
    for (const one of isList ? await namesIn(name.slice(1), cwd) : [name]) all.push(one);
  }
  return all;
}

async function namesIn(list: string, cwd: string): Promise<string[]> {
  const bytes = await readFile(systemName(resolve(cwd, list))).catch((error: unknown) => {
    throw new UserError(
      `cannot read the list "${printable(list)}" (${systemCode(error) ?? String(error)}); expected one name a line`,
    );
  });
  const names = decodeText(bytes)
    .split(/\r?\n/)
    .filter((line) => line !== '' && !line.startsWith('#'));
  if (names.length > 0) return names;
  throw new UserError(`the list "${printable(list)}" names no input; expected one name a line`);
}

/** A file as an input: `name` for people, `path` to open. */
export function fileInput(name: string, path: string): Input {
  return { name, path, open: () => (isFile(path) ? chunksOf(path) : createReadStream(systemName(path))) };
}

function isFile(path: string): boolean {
  try {
    return statSync(systemName(path)).isFile();
  } catch {
    return false; // opened as a stream, it will report what is wrong
  }
}

/** Reads synchronously: a file does not block, and opening a stream takes 1 ms. */
function* chunksOf(path: string): Generator<Buffer> {
  const fd = openSync(systemName(path), 'r');
  try {
    for (;;) {
      const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
      const got = readSync(fd, chunk);
      if (got === 0) return;
      yield chunk.subarray(0, got);
    }
  } finally {
    closeSync(fd);
  }
}

/** If a file has exactly this name, the name is not taken as a glob. */
async function expand(
  name: string,
  cwd: string,
): Promise<{ kind: 'file' | 'folder' | 'glob'; paths: readonly string[] }> {
  const kind = name === '' ? null : await kindOf(resolve(cwd, name));
  if (kind === 'file') return { kind, paths: [name] };
  if (kind === 'folder') {
    const inside = (await globs()).filesBelow(resolve(cwd, name));
    if (inside.length > 0) return { kind, paths: inside.map((path) => join(name, path)) };
    throw new UserError(`the folder "${printable(name)}" has no files to read; hidden ones do not count`);
  }
  const paths = name === '' ? [] : (await globs()).filesOf(name, cwd);
  if (paths.length > 0) return { kind: 'glob', paths };
  throw new UserError(
    `no file matches "${printable(name)}"; expected a file, a folder, a glob, or - for standard input`,
  );
}

/** Loaded on demand: most runs name their files, and every reader thread would load it too. */
const globs = () => import('./glob/files.js');

async function kindOf(path: string): Promise<'file' | 'folder' | null> {
  try {
    return (await stat(systemName(path))).isDirectory() ? 'folder' : 'file';
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG') return null;
    throw code === undefined ? error : new UserError(`cannot read "${printable(path)}" (${code})`);
  }
}
