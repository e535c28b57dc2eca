// Reads files of the package by their path from its root. The code runs from three places: src and dist/src (tests),
// and dist/program (the bundled command line, library and threads).
import { existsSync, readFileSync } from 'node:fs';
import { systemCode } from './error.js';

const ROOT = rootFrom(new URL('.', import.meta.url));

/** The nearest folder with a package.json, from `folder` upwards. */
function rootFrom(folder: URL): URL {
  const above = new URL('..', folder);
  return existsSync(new URL('package.json', folder)) || above.href === folder.href ? folder : rootFrom(above);
}

export function packageFile(path: string): URL {
  return new URL(path, ROOT);
}

/** The text of a file that the package ships or the build made. */
export function readPackageFile(path: string): string {
  return readPackageBytes(path).toString();
}

export function readPackageBytes(path: string): Buffer<ArrayBuffer> {
  try {
    return readFileSync(packageFile(path));
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
    throw new Error(`${path} is not in the package: expected one that was built (npm run build)`, { cause: error });
  }
}
