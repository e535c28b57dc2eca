// What do commands share with `main`, and which names do files have unless told otherwise?
import { resolve } from 'node:path';
import type { Effects } from '../base/effects.js';
import { refuseOdd } from '../base/plain-file.js';

/** What a command leaves for `main`: the code that the process ends with (SPEC 13). 0 until a command says otherwise. */
export interface Outcome {
  exitCode: number;
}

/** Where `mine` writes and `canonize` reads by default, in the current folder. */
export const DEFAULT_RULES_FILE = 'dustbuster-rules.json';

/** Where `report` writes unless told otherwise. */
export const DEFAULT_REPORT_FILE = 'dustbuster-report.html';

/** True for a name that nobody needs to give; who means what stands there, be it a link, says `./` before it. */
export function isDefaultName(name: string): boolean {
  return name === DEFAULT_RULES_FILE || name === DEFAULT_REPORT_FILE;
}

/** Throws a UserError where a default name is anything but a plain file, before hours of work are done for it. */
export function refuseOddDefault(name: string, { cwd }: Pick<Effects, 'cwd'>): void {
  if (isDefaultName(name)) refuseOdd(resolve(cwd, name), name, `Remove it, or name what is meant: ./${name}`);
}
