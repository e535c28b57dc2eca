// Which options do the commands for rules files have: diff, explain, import, merge-rules, rules, pin, veto and turn?
import { THRESHOLD } from '../../rule/diff.js';
import { DEFAULT_RULES_FILE } from '../context.js';
import { type FlagsOf, group } from './option.js';
import { APPLY_OPTIONS, LOCAL_FILE, LOCAL_OPTIONS, RULE_OPTIONS } from './rules.js';
import { DEBUG_OPTION, type TerminalFlags } from './terminal.js';

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

export const EXPLAIN_OPTIONS = {
  ...group('Result:', {
    json: { kind: 'switch', flags: '--json', text: 'print one JSON document' },
    jsonl: { kind: 'switch', flags: '--jsonl', text: 'print one JSON object per URL, one per line' },
    ...DEBUG_OPTION,
  }),
  ...RULE_OPTIONS,
};

export type ExplainFlags = FlagsOf<typeof EXPLAIN_OPTIONS> & TerminalFlags;

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

export const IMPORT_OPTIONS = MERGE_RULES_OPTIONS;

export type ImportFlags = MergeRulesFlags;

export const RULES_OPTIONS = { accept: APPLY_OPTIONS.accept, ...LOCAL_OPTIONS };

export type RulesFlags = FlagsOf<typeof RULES_OPTIONS> & TerminalFlags;

export const DECIDE_OPTIONS = group('Decision:', {
  list: { kind: 'switch', flags: '--list', text: 'show all decisions, and which have an effect' },
  undo: { kind: 'switch', flags: '--undo', text: 'remove the decisions on these rules' },
  note: { kind: 'text', flags: '--note <text>', text: 'a remark to keep with the decision' },
  local: {
    kind: 'text',
    flags: '--local <file>',
    text: `the file with the decisions (default: ${LOCAL_FILE} beside the rules file)`,
  },
});

export type DecideFlags = FlagsOf<typeof DECIDE_OPTIONS> & TerminalFlags;
