// Several files in a folder that together are one result. Whoever reads them sees all of the earlier result, all of the
// new one, or that something is missing: the first file goes first, and comes last.
//
//     old        1 2 3 4        the first of the old goes:   2 3 4      not whole
//     new        1 2 3          the others take their places: 2 3       not whole, old ones are removed
//                               the first takes its place:  1 2 3
import { readdirSync, rmSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { printable } from './bytes.js';
import type { Effects } from './effects.js';
import { systemCode, UserError } from './error.js';
import { systemName } from './file-name.js';
import { type Chunks, type ReadyFile, syncFolder, writeReady } from './output.js';

export interface NamedFile {
  readonly name: string;
  readonly chunks: Chunks;
}

export interface SetOfFiles {
  /** The first one comes first. */
  readonly files: AsyncIterable<NamedFile> | Iterable<NamedFile>;
  /** True for the names of files of such a set, and of its first file. */
  readonly isOfSet: (name: string) => boolean;
  readonly isFirst: (name: string) => boolean;
}

/**
 * Writes the files into `folder`, which is made if it is missing. Nothing there changes before all are complete; then
 * they replace those of an earlier set.
 */
export async function writeFileSet(
  folder: string,
  { files, isOfSet, isFirst }: SetOfFiles,
  effects: Pick<Effects, 'access'>,
): Promise<void> {
  await makeFolder(folder);
  const ready = new Map<string, ReadyFile>();
  try {
    for await (const { name, chunks } of files) ready.set(name, await writeReady(join(folder, name), chunks, effects));
    const [first, ...others] = ready.values();
    await retire(folder, isFirst);
    for (const file of others) file.place();
    await retire(folder, (name) => isOfSet(name) && !ready.has(name));
    first?.place();
    await syncFolder(folder);
  } finally {
    for (const file of ready.values()) file.remove();
  }
}

/** Throws a UserError if there can be no folder. */
async function makeFolder(folder: string): Promise<void> {
  await mkdir(systemName(folder)).catch((error: unknown) => {
    const code = systemCode(error);
    if (code === 'EEXIST' && statSync(systemName(folder)).isDirectory()) return;
    if (code === undefined) throw error;
    const why = code === 'EEXIST' ? 'a file has this name' : code;
    throw new UserError(`cannot make the folder ${printable(folder)}: ${why}. Name another one with -o`, {
      cause: error,
    });
  });
}

/** Removes these files, so that they are gone after a power cut too before others take their places. */
async function retire(folder: string, isOld: (name: string) => boolean): Promise<void> {
  for (const name of readdirSync(systemName(folder)).filter(isOld))
    rmSync(systemName(join(folder, name)), { force: true });
  await syncFolder(folder);
}
