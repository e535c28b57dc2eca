// The flags for local rules: what a user pins and vetoes, in a file beside the rules.
import { dirname, join } from 'node:path';
import type { Command } from 'commander';

export const LOCAL_FILE = 'rules.local.json';

export interface LocalFlags {
  /** The file that was named; false for none; undefined looks beside the rules file. */
  readonly local?: string | false;
}

export function addLocalOptions(command: Command): void {
  command
    .optionsGroup('Rules that you decide on:')
    .option('--local <file>', `pins and vetoes (default: ${LOCAL_FILE} beside the rules file, if it is there)`)
    .option('--no-local', 'heed no local rules')
    .optionsGroup('');
}

export function localFileBeside(rulesPath: string): string {
  return join(dirname(rulesPath), LOCAL_FILE);
}
