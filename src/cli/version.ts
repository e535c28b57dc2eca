import { readPackageFile } from '../base/package-file.js';

/** The version in package.json. */
export function packageVersion(): string {
  return (JSON.parse(readPackageFile('package.json')) as { version: string }).version;
}
