// A small JSON file that is either intact or refused: it has the SHA-256 of its content. It is replaced by renaming.
//
//   {"format": …, "version": …, "sha256": …, "content": …}
import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeLike } from './access.js';
import { printable } from './bytes.js';
import { systemCode, unlessRefused, UserError } from './error.js';
import { systemName } from './file-name.js';
import { storageError } from './kept-folder.js';
import { createAnew, readPlain, refuseOdd } from './plain-file.js';

interface SealedFormat {
  readonly format: string;
  readonly version: number;
  /** Earlier versions that can be read as well. */
  readonly earlier?: readonly number[];
  /** The format of these files before they had a seal: accepted without one. */
  readonly unsealed?: string;
}

const ADVICE = 'Put it back from a backup, or begin anew in another folder.';

/** The content; undefined if there is no such file. Throws a UserError if it is damaged or has another version. */
export function readSealed(path: string, { format, version, earlier = [], unsealed }: SealedFormat): unknown {
  const found = parse(path);
  if (found === undefined) return undefined;
  if (unsealed !== undefined && (found as { format?: unknown } | null)?.format === unsealed) return found;
  const name = printable(path);
  if (typeof found !== 'object' || found === null || !('format' in found) || found.format !== format) {
    throw new UserError(`${name} is damaged or something else: a file of format ${format} was expected. ${ADVICE}`);
  }
  const { version: itsVersion, sha256, content } = found as Record<string, unknown>;
  if (itsVersion !== version && !earlier.includes(itsVersion as number)) {
    const got = `${name}: got version ${JSON.stringify(itsVersion)}, expected ${version}`;
    throw new UserError(`${got}. Use the dustbuster that wrote it, or begin anew in another folder.`);
  }
  if (sha256 === sha256Of(JSON.stringify(content) ?? '')) return content;
  throw new UserError(`${name} is damaged: its content does not match its checksum. ${ADVICE}`);
}

/**
 * Replaces the file atomically: readers see the old or the new one. It is on disk when this returns. Only the owner may
 * read a new file.
 */
export function writeSealed(path: string, { format, version }: SealedFormat, content: unknown): void {
  const text = JSON.stringify(content);
  const head = JSON.stringify({ format, version, sha256: sha256Of(text) });
  replaceFile(path, Buffer.from(`${head.slice(0, -1)},"content":${text}}\n`, 'utf8'));
}

/**
 * Writes to a temporary name, syncs it, renames it, syncs the folder. If this throws a UserError, the old file is
 * unchanged.
 */
function replaceFile(path: string, bytes: Uint8Array): void {
  const draft = `${path}.part`;
  const before = refuseOdd(path);
  try {
    const fd = createAnew(draft, 0o600);
    try {
      if (before !== undefined) makeLike(fd, before);
      for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(systemName(draft), systemName(path));
  } catch (error) {
    removeDraft(draft);
    throw storageError(error, path);
  }
  syncFolder(dirname(path));
}

function removeDraft(path: string): void {
  // If it stays, the next run removes it. The cause was reported already.
  unlessRefused(() => rmSync(systemName(path), { force: true }));
}

/** Makes new names survive a power cut, on systems where a folder can be synced. Other systems do that themselves. */
export function syncFolder(folder: string): void {
  let fd: number | undefined;
  try {
    fd = openSync(systemName(folder), 'r');
    fsyncSync(fd);
  } catch (error) {
    if (systemCode(error) === undefined || systemCode(error) === 'EIO') throw storageError(error, folder);
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

function parse(path: string): unknown {
  try {
    return JSON.parse(readPlain(path).toString('utf8'));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    if (error instanceof SyntaxError) return null;
    throw storageError(error, path);
  }
}

function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
