// Which options does `forget` have?
import { group, type FlagsOf } from './option.js';
import type { TerminalFlags } from './terminal.js';

export const FORGET_OPTIONS = {
  ...group('Where:', {
    state: {
      kind: 'text',
      flags: '--state <folder>',
      text: 'the folder of a state, as mine --state keeps it',
    },
  }),
} as const;

export type ForgetFlags = FlagsOf<typeof FORGET_OPTIONS> & TerminalFlags;
