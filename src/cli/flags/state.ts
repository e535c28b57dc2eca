// Which options do the commands for a state have: refresh and forget?
import { POLICIES } from '../../state/freshness.js';
import { NIGHT_OPTIONS } from './history.js';
import { MEMORY, tmpdirOption } from './machine.js';
import { type FlagsOf, group } from './option.js';
import type { TerminalFlags } from './terminal.js';

export const REFRESH_OPTIONS = {
  ...group('What to fetch:', {
    budget: {
      kind: 'number',
      flags: '--budget <n>',
      text: 'pages to fetch tonight',
      min: 1,
      standard: 1000,
    },
    policy: {
      kind: 'word',
      flags: '--policy <how>',
      text: 'root: visits in proportion to the root of the rate of change, for the least delay; uniform: all alike; proportional: to the rate',
      words: POLICIES,
      standard: 'root',
    },
    rules: {
      kind: 'text',
      flags: '-r, --rules <file>',
      text: 'the rules file for canonical forms, instead of the rules of the state',
    },
  }),
  ...group('Result:', {
    output: {
      kind: 'text',
      flags: '-o, --output <file>',
      isOutput: true,
      text: 'write the URLs to FILE, complete or not at all',
      standard: '-',
    },
    tsv: {
      kind: 'switch',
      flags: '--tsv',
      text: 'URL, days since the last visit, comparisons, changes, changes a day, one page per line',
    },
  }),
  ...NIGHT_OPTIONS,
  ...group('Memory and disk:', {
    memory: {
      kind: 'size',
      flags: '--memory <size>',
      text: 'memory for tables and buffers; the rest is spilled to disk',
      standard: MEMORY,
    },
    tmpdir: tmpdirOption('where sorted runs are spilled'),
  }),
};

export type RefreshFlags = FlagsOf<typeof REFRESH_OPTIONS> & TerminalFlags;

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
