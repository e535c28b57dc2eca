// What do commands share with `main`, and which default names do files have?
import { resolve } from 'node:path';
import type { Effects } from '../base/effects.js';
import { refuseOdd } from '../base/plain-file.js';

/** What a command leaves for `main`: the exit code of the process (SPEC 13), 0 unless a command sets it. */
export interface Outcome {
  exitCode: number;
}

/** Where `mine` writes and `canonize` reads by default, in the current folder. */
export const DEFAULT_RULES_FILE = 'dustbuster-rules.json';

/** Where `report` writes by default. */
export const DEFAULT_REPORT_FILE = 'dustbuster-report.html';

/** True for a default name, which the user may not have typed. `./name` uses whatever has this name, even a link. */
export function isDefaultName(name: string): boolean {
  return name === DEFAULT_RULES_FILE || name === DEFAULT_REPORT_FILE;
}

/** Throws a UserError if a default name is anything but a regular file, before hours of work are lost for it. */
export function refuseOddDefault(name: string, { cwd }: Pick<Effects, 'cwd'>): void {
  if (isDefaultName(name)) refuseOdd(resolve(cwd, name), name, `Remove it, or name what is meant: ./${name}`);
}
