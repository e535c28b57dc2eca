// Which options does `explain` have?
import { group, type FlagsOf } from './option.js';
import { RULE_OPTIONS } from './rules.js';
import type { TerminalFlags } from './terminal.js';

export const EXPLAIN_OPTIONS = {
  ...group('Result:', {
    json: { kind: 'switch', flags: '--json', text: 'print one JSON document' },
    jsonl: { kind: 'switch', flags: '--jsonl', text: 'print one JSON object per URL, one per line' },
  }),
  ...RULE_OPTIONS,
};

export type ExplainFlags = FlagsOf<typeof EXPLAIN_OPTIONS> & TerminalFlags;
