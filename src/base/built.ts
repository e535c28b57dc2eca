// Files that the build puts beside the compiled program, in dist/bundle.
import { readFileSync } from 'node:fs';

/** From dist/src/base, and from src/base where tests run. */
const FOLDERS = ['../../bundle/', '../../dist/bundle/'];

/** The text of a file of dist/bundle. */
export function readBuilt(name: string): string {
  for (const folder of FOLDERS) {
    try {
      return readFileSync(new URL(folder + name, import.meta.url), 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  throw new Error(`dist/bundle/${name} is not there: expected a package that was built (npm run build)`);
}
