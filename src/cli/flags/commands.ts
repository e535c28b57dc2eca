// The options of each command, apart from those of flags/terminal, which all have. Loaded only for what concerns all
// commands; a command loads its own table.
import { CANONIZE_OPTIONS } from './canonize.js';
import { DECIDE_OPTIONS } from './decide.js';
import { DIFF_OPTIONS } from './diff.js';
import { DUPS_OPTIONS } from './dups.js';
import { MIRRORS_OPTIONS } from './mirrors.js';
import { EVAL_OPTIONS } from './eval.js';
import { EXPLAIN_OPTIONS } from './explain.js';
import { EXPORT_OPTIONS } from './export.js';
import { FORGET_OPTIONS } from './forget.js';
import { MERGE_RULES_OPTIONS } from './merge-rules.js';
import { MINE_OPTIONS } from './mine.js';
import type { OptionTable } from './option.js';
import { REFRESH_OPTIONS } from './refresh.js';
import { REHEARSE_OPTIONS } from './rehearse.js';
import { REPORT_OPTIONS } from './report.js';
import { SKETCH_OPTIONS } from './sketch.js';
import { VALIDATE_OPTIONS } from './validate.js';

export const OPTIONS_OF: Readonly<Record<string, OptionTable>> = {
  mine: MINE_OPTIONS,
  validate: VALIDATE_OPTIONS,
  canonize: CANONIZE_OPTIONS,
  explain: EXPLAIN_OPTIONS,
  eval: EVAL_OPTIONS,
  report: REPORT_OPTIONS,
  export: EXPORT_OPTIONS,
  rehearse: REHEARSE_OPTIONS,
  sketch: SKETCH_OPTIONS,
  dups: DUPS_OPTIONS,
  mirrors: MIRRORS_OPTIONS,
  refresh: REFRESH_OPTIONS,
  forget: FORGET_OPTIONS,
  diff: DIFF_OPTIONS,
  'merge-rules': MERGE_RULES_OPTIONS,
  pin: DECIDE_OPTIONS,
  veto: DECIDE_OPTIONS,
  turn: DECIDE_OPTIONS,
};
