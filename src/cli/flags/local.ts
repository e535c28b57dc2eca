// Where are the local rules: what a user pins and vetoes, in a file beside the rules?
import { dirname, join } from 'node:path';
import { group, type FlagsOf } from './option.js';

export const LOCAL_FILE = 'rules.local.json';

/** `local`: the named file; false for none; undefined looks beside the rules file. */
export const LOCAL_OPTIONS = group('Rules that you decide on:', {
  local: {
    kind: 'text',
    flags: '--local <file>',
    text: `pins and vetoes (default: ${LOCAL_FILE} beside the rules file, if it is there)`,
    no: 'ignore local rules',
  },
});

export type LocalFlags = FlagsOf<typeof LOCAL_OPTIONS>;

export function localFileBeside(rulesPath: string): string {
  return join(dirname(rulesPath), LOCAL_FILE);
}
