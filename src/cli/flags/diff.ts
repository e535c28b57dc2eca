// Which options does `diff` have?
import { THRESHOLD } from '../../rule/diff.js';
import { group, type FlagsOf } from './option.js';
import type { TerminalFlags } from './terminal.js';

export const DIFF_OPTIONS = group('Result:', {
  threshold: {
    kind: 'number',
    flags: '--threshold <share>',
    text: 'how much support or confidence has to fall or rise to be reported',
    min: 0,
    max: 1,
    fraction: true,
    standard: THRESHOLD,
    isHarmless: true,
  },
  failOnChange: {
    kind: 'switch',
    flags: '--fail-on-change',
    text: 'exit with 1 if any change is reported other than strengthened rules',
  },
  all: {
    kind: 'switch',
    flags: '--all',
    text: 'also report changes of rules that are not in use, such as likely ones beside valid ones',
  },
  json: { kind: 'switch', flags: '--json', text: 'print one JSON document, which has all changes' },
  top: {
    kind: 'number',
    flags: '--top <n>',
    text: 'changes shown; all are counted',
    min: 0,
    standard: 50,
    isHarmless: true,
  },
  output: {
    kind: 'text',
    flags: '-o, --output <file>',
    isOutput: true,
    text: 'write to FILE, complete or not at all',
    standard: '-',
  },
});

export type DiffFlags = FlagsOf<typeof DIFF_OPTIONS> & TerminalFlags;
