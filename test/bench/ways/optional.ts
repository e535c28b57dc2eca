// Packages that only benchmarks compare with, from the project's own node_modules or from the folder that
// DUSTBUSTER_BENCH_MODULES names. Without one its rows are left out, and the run says so.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

function resolve(name: string): string | undefined {
  const elsewhere = process.env['DUSTBUSTER_BENCH_MODULES'];
  const bases = [import.meta.url, ...(elsewhere === undefined ? [] : [join(elsewhere, 'index.js')])];
  for (const base of bases) {
    try {
      return createRequire(base).resolve(name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  return undefined;
}

export function isInstalled(name: string): boolean {
  return resolve(name) !== undefined;
}

/** The caller says what it expects of the package, which may not be there when this is compiled. */
export async function importOptional(name: string): Promise<unknown> {
  const path = resolve(name);
  if (path === undefined) throw new Error(`${name} is not installed: npm install --no-save ${name}`);
  return import(pathToFileURL(path).href);
}

/** As its package.json says; `none` where it is not installed. */
export function versionOf(name: string): string {
  const path = resolve(name);
  if (path === undefined) return 'none';
  const folder = path.slice(0, path.lastIndexOf(join('node_modules', name)) + join('node_modules', name).length);
  return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version;
}
