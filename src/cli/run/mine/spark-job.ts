// What `mine`, the driver in Python and the processes in the executors tell each other (spark-driver/driver.py has the
// same frames).
import type { TextRange } from '../../../log/range.js';
import type { InputSummary } from '../../../log/record.js';
import type { SiteCounts } from '../../../mine/sites-task.js';
import type { UnrankedRule } from '../../../mine/mine.js';
import type { MineOptions } from '../../../rule/rule.js';
import type { MineFlags } from '../../flags/mine.js';
import type { DriverResult, ProcessUse } from '../spark/job.js';

/** One input, or a part of it, that one table is made of. */
export interface JobInput {
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  readonly range?: TextRange;
}

/** What all tasks of a job have in common. */
export interface JobSettings {
  readonly flags: MineFlags;
  readonly options: MineOptions;
  /** Milliseconds: times such as `7d` mean the same everywhere. */
  readonly now: number;
}

/** To a process that reads inputs: its table leaves as frames `lot i32 | number u32 | length u32 | bytes`. */
export interface FoldJob extends JobSettings {
  readonly task: 'fold';
  readonly inputs: readonly JobInput[];
  /** How many lots sites are dealt into (state/shuffled). */
  readonly lots: number;
}

/** The last frame of a fold, of lot `REPORT`. */
export interface FoldReport extends ProcessUse {
  readonly inputs: readonly InputSummary[];
  readonly forms: { readonly absolute: number; readonly path: number };
}

/** To a process that mines a share: frames `lot u32 | table u32 | length u32 | bytes` follow, then one of lot `END`. */
export interface ShareJob extends JobSettings {
  readonly task: 'mine';
}

/** What it returns, as JSON. */
export interface ShareResult extends ProcessUse {
  readonly urls: number;
  readonly sites: { readonly mined: number; readonly skipped: number };
  readonly counts: SiteCounts;
  readonly largestSites: readonly { readonly site: string; readonly urls: number }[];
  readonly rules: readonly UnrankedRule[];
}

export const REPORT = -1;
export const END = 0xffffffff;

/** To the driver. */
export interface MineTask {
  readonly kind: 'mine';
  readonly settings: JobSettings;
  readonly inputs: readonly JobInput[];
}

/** `done.json`; what tasks said is in `report-<table>.json` and `share-<share>.json`. */
export interface MineResult extends DriverResult {
  readonly shares: number;
  readonly tables: number;
  /** The part of all rows that is in the largest share. */
  readonly largestShare: number;
}
