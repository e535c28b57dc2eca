// The options of every command, apart from those of flags/terminal, which all commands have. Only loaded where all
// commands are needed; a command loads its own table.
import { CANONIZE_OPTIONS } from './canonize.js';
import { DUPS_OPTIONS } from './dups.js';
import { EVAL_OPTIONS } from './eval.js';
import { EXPORT_OPTIONS } from './export.js';
import { FORMATS_OPTIONS } from './formats.js';
import { MINE_OPTIONS } from './mine.js';
import { MIRRORS_OPTIONS } from './mirrors.js';
import type { OptionTable } from './option.js';
import { REHEARSE_OPTIONS } from './rehearse.js';
import { REPORT_OPTIONS } from './report.js';
import { ROBOTS_OPTIONS } from './robots.js';
import {
  DECIDE_OPTIONS,
  DIFF_OPTIONS,
  EXPLAIN_OPTIONS,
  IMPORT_OPTIONS,
  MERGE_RULES_OPTIONS,
  RULES_OPTIONS,
} from './rules-files.js';
import { SKETCH_OPTIONS } from './sketch.js';
import { FORGET_OPTIONS, REFRESH_OPTIONS } from './state.js';
import { VALIDATE_OPTIONS } from './validate.js';

export const OPTIONS_OF: Readonly<Record<string, OptionTable>> = {
  mine: MINE_OPTIONS,
  validate: VALIDATE_OPTIONS,
  canonize: CANONIZE_OPTIONS,
  formats: FORMATS_OPTIONS,
  explain: EXPLAIN_OPTIONS,
  eval: EVAL_OPTIONS,
  report: REPORT_OPTIONS,
  export: EXPORT_OPTIONS,
  rehearse: REHEARSE_OPTIONS,
  robots: ROBOTS_OPTIONS,
  sketch: SKETCH_OPTIONS,
  dups: DUPS_OPTIONS,
  mirrors: MIRRORS_OPTIONS,
  refresh: REFRESH_OPTIONS,
  forget: FORGET_OPTIONS,
  diff: DIFF_OPTIONS,
  import: IMPORT_OPTIONS,
  'merge-rules': MERGE_RULES_OPTIONS,
  rules: RULES_OPTIONS,
  pin: DECIDE_OPTIONS,
  veto: DECIDE_OPTIONS,
  turn: DECIDE_OPTIONS,
};
