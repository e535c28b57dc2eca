// Which rules are applied, and how? For the commands that apply rules to URLs.
import { defaultMaxIterations } from '../../canonize/limits.js';
import { ACCEPTS } from '../../rule/standing.js';
import { DEFAULT_RULES_FILE } from '../context.js';
import { LOCAL_OPTIONS } from './local.js';
import { group, type FlagsOf } from './option.js';
import type { TerminalFlags } from './terminal.js';

const HEADING = 'Rules:';

/** Whichever file the rules come from. */
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
      text: 'rounds through the rules before a URL is left as it came in',
      min: 1,
      max: 1000,
      standard: defaultMaxIterations,
    },
  }),
  ...LOCAL_OPTIONS,
};

export const RULE_OPTIONS = {
  ...group(HEADING, {
    rules: { kind: 'text', flags: '-r, --rules <file>', text: 'the rules file', standard: DEFAULT_RULES_FILE },
  }),
  ...APPLY_OPTIONS,
};

export type ApplyFlags = FlagsOf<typeof APPLY_OPTIONS> & TerminalFlags;
export type RuleFlags = FlagsOf<typeof RULE_OPTIONS> & TerminalFlags;
