// A folder that is kept from run to run: creating, listing and cleaning it.
import { chmodSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { systemCode, unlessRefused } from './error.js';
import { storageError } from './storage-error.js';

/** Creates the folder and missing parents. Throws a UserError if it cannot. */
export function makeFolder(path: string): void {
  try {
    makeFolders(resolve(path));
  } catch (error) {
    throw storageError(error, path);
  }
}

/** Node's own way does not end where the system says ENOENT of a folder whose parent is there, as in /proc. */
export function makeFolders(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return;
  const parent = dirname(path);
  if (parent !== path) makeFolders(parent);
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have made it meanwhile.
    if (systemCode(error) !== 'EEXIST' || !statSync(path).isDirectory()) throw error;
  }
}

/**
 * Makes the folder, and the files in it, readable by their owner only, as far as they are ours. What a link leads to
 * stays as it is.
 */
export function makePrivate(path: string): void {
  for (const place of [path, ...namesIn(path).map((name) => join(path, name))]) {
    unlessRefused(() => {
      const found = lstatSync(place, { throwIfNoEntry: false });
      if (found === undefined || found.uid !== process.geteuid?.() || (found.mode & 0o077) === 0) return;
      if (found.isDirectory() || found.isFile()) chmodSync(place, found.mode & 0o700);
    });
  }
}

/** The names in a folder, sorted; none if there is no such folder. Throws a UserError if it cannot be listed. */
export function namesIn(path: string): string[] {
  try {
    return readdirSync(path).sort();
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw storageError(error, path);
  }
}

/** Removes a file if it is there. */
export function removeFile(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch (error) {
    throw storageError(error, path);
  }
}

/** Throws a UserError if it cannot. */
export function renameFile(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    throw storageError(error, to);
  }
}
