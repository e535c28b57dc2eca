// Which options does `merge-rules` have?
import { DEFAULT_RULES_FILE } from '../context.js';
import { group, type FlagsOf } from './option.js';
import type { TerminalFlags } from './terminal.js';

export const MERGE_RULES_OPTIONS = group('Result:', {
  output: {
    kind: 'text',
    flags: '-o, --output <file>',
    isOutput: true,
    text: 'write to FILE, complete or not at all',
    standard: DEFAULT_RULES_FILE,
  },
});

export type MergeRulesFlags = FlagsOf<typeof MERGE_RULES_OPTIONS> & TerminalFlags;
