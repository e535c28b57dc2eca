// Which options do `pin`, `veto` and `turn` have?
import { LOCAL_FILE } from './local.js';
import { group, type FlagsOf } from './option.js';
import type { TerminalFlags } from './terminal.js';

export const DECIDE_OPTIONS = group('Decision:', {
  list: { kind: 'switch', flags: '--list', text: 'show all decisions, and which have an effect' },
  undo: { kind: 'switch', flags: '--undo', text: 'take back what was decided on these rules' },
  note: { kind: 'text', flags: '--note <text>', text: 'a remark to keep with the decision' },
  local: {
    kind: 'text',
    flags: '--local <file>',
    text: `where decisions are kept (default: ${LOCAL_FILE} beside the rules file)`,
  },
});

export type DecideFlags = FlagsOf<typeof DECIDE_OPTIONS> & TerminalFlags;
