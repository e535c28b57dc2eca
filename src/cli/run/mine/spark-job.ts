// What the program here, the driver in Python and the processes in the executors tell each other (spark-driver/driver.py
// has the same frames).
import type { TextRange } from '../../../log/range.js';
import type { InputSummary } from '../../../log/record.js';
import type { SiteCounts } from '../../../mine/sites-task.js';
import type { UnrankedRule } from '../../../mine/mine.js';
import type { MineOptions } from '../../../rule/rule.js';
import type { MineFlags } from '../../flags/mine.js';

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

/** To a process that reads inputs: its tables leave as frames `share i32 | number u32 | length u32 | bytes`. */
export interface FoldJob extends JobSettings {
  readonly task: 'fold';
  readonly inputs: readonly JobInput[];
  readonly shares: number;
}

/** What a process took. */
export interface ProcessUse {
  readonly cpuMs: number;
  /** At most. */
  readonly memoryBytes: number;
}

/** The last frame of a fold, of share `REPORT`. */
export interface FoldReport extends ProcessUse {
  readonly inputs: readonly InputSummary[];
  readonly forms: { readonly absolute: number; readonly path: number };
}

/** To a process that mines a share: frames `table u32 | length u32 | bytes` follow, and then one of table `END`. */
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
export interface DriverJob {
  readonly settings: JobSettings;
  readonly inputs: readonly JobInput[];
  readonly node: string;
  /** The root of this package. */
  readonly root: string;
  /** Where results are written: `report-<k>.json`, `share-<k>.json`, and `done.json`. */
  readonly folder: string;
}

/** `done.json`, once all is there. */
export interface DriverResult {
  readonly application: string;
  readonly shares: number;
  readonly tables: number;
  /** Where each process ran: executor, and what it did. */
  readonly ran: readonly { readonly task: string; readonly executor: string; readonly pid: number }[];
  /** Tasks that failed and were run again. */
  readonly failures: number;
  readonly shuffleBytes: number;
}
