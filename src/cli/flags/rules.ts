// Which rules are applied, and how? For the commands that apply rules to URLs. Also: where are the local rules?
import { dirname, join } from 'node:path';
import { defaultMaxIterations } from '../../canonize/limits.js';
import { ACCEPTS } from '../../rule/standing.js';
import { DEFAULT_RULES_FILE } from '../context.js';
import { type FlagsOf, group } from './option.js';
import type { TerminalFlags } from './terminal.js';

/** The file for a user's pins and vetoes, beside the rules file. */
export const LOCAL_FILE = 'rules.local.json';

/** `local` is the named file; false for none; undefined for the file beside the rules file. */
export const LOCAL_OPTIONS = group('Rules that you decide on:', {
  local: {
    kind: 'text',
    flags: '--local <file>',
    text: `pins and vetoes (default: ${LOCAL_FILE} beside the rules file, if it is there)`,
    no: 'ignore local rules',
  },
});

export type LocalFlags = FlagsOf<typeof LOCAL_OPTIONS>;

const HEADING = 'Rules:';

/** Options that do not depend on where the rules come from. */
export const APPLY_OPTIONS = {
  ...group(HEADING, {
    accept: {
      kind: 'word',
      flags: '--accept <status>',
      text: 'valid: validated rules only; confident: also rules not validated yet with a confidence of .95 or more; likely: all that were not refuted, candidates below .5 included',
      words: ACCEPTS,
      standard: 'valid',
    },
    maxIterations: {
      kind: 'number',
      flags: '--max-iterations <n>',
      text: 'rounds through the rules before a URL stays unchanged',
      min: 1,
      max: 1000,
      standard: defaultMaxIterations,
    },
  }),
  ...LOCAL_OPTIONS,
};

export const RULE_OPTIONS = {
  ...group(HEADING, {
    rules: {
      kind: 'text',
      flags: '-r, --rules <file>',
      text: 'the rules file, or the folder of mine --parts',
      standard: DEFAULT_RULES_FILE,
    },
  }),
  ...APPLY_OPTIONS,
};

export type RuleFlags = FlagsOf<typeof RULE_OPTIONS> & TerminalFlags;

export function localFileBeside(rulesPath: string): string {
  return join(dirname(rulesPath), LOCAL_FILE);
}
