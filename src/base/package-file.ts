// Files of the package itself, by their path from its root.
import { readFileSync } from 'node:fs';
import { systemCode } from './error.js';

/** The root, from src/base where tests run, and from dist/src/base. */
const ROOTS = ['../../', '../../../'];

/** The text of a file that the package ships, or that the build made. */
export function readPackageFile(path: string): string {
  for (const root of ROOTS) {
    try {
      return readFileSync(new URL(root + path, import.meta.url), 'utf8');
    } catch (error) {
      if (systemCode(error) !== 'ENOENT') throw error;
    }
  }
  throw new Error(`${path} is not in the package: expected one that was built (npm run build)`);
}
