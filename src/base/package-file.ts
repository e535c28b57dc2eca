// Files of the package itself, by path from its root.
import { readFileSync } from 'node:fs';
import { systemCode } from './error.js';

/** The root, relative to src/base, where tests run, and to dist/src/base. */
const ROOTS = ['../../', '../../../'];

/** The text of a file that the package ships, or that the build made. */
export function readPackageFile(path: string): string {
  return readPackageBytes(path).toString();
}

export function readPackageBytes(path: string): Buffer<ArrayBuffer> {
  for (const root of ROOTS) {
    try {
      return readFileSync(new URL(root + path, import.meta.url));
    } catch (error) {
      if (systemCode(error) !== 'ENOENT') throw error;
    }
  }
  throw new Error(`${path} is not in the package: expected one that was built (npm run build)`);
}
