// Inputs as files, made once: a folder under the temporary one keeps them by name, size and seed.
import { createWriteStream, existsSync, mkdirSync, renameSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';

/** Raise this with every change of what a generator makes for the same size and seed. */
const GENERATION = 2;

export interface InputFiles {
  readonly folder: string;
  /** The path of `NAME-COUNT`, filled with `lines` (each with its newline) if it is not there yet. */
  file(name: string, count: number, lines: () => Iterable<string>): Promise<string>;
}

export function inputFiles(folder: string): InputFiles {
  mkdirSync(folder, { recursive: true });
  return {
    folder,
    async file(name, count, lines) {
      const path = join(folder, `${name}-${count}-v${GENERATION}`);
      if (existsSync(path)) return path;
      await writeLines(`${path}.part`, lines());
      renameSync(`${path}.part`, path);
      return path;
    },
  };
}

async function writeLines(path: string, lines: Iterable<string>): Promise<void> {
  const file = createWriteStream(path);
  let block = '';
  for (const line of lines) {
    block += line;
    if (block.length < 1 << 20) continue;
    if (!file.write(block)) await once(file, 'drain');
    block = '';
  }
  file.end(block);
  await once(file, 'close');
}
