// Messages between `mine`, the driver in Python and the processes in the executors (spark-driver/driver.py has the same
// frames).
import type { TextRange } from '../../../log/range.js';
import type { InputSummary } from '../../../log/record.js';
import type { SiteCounts } from '../../../mine/sites-task.js';
import type { SampledSite, UnrankedRule } from '../../../mine/mine.js';
import type { MineOptions } from '../../../rule/rule.js';
import type { MineFlags } from '../../flags/mine.js';
import type { SiteOutcome } from '../validate/run.js';
import type { DriverResult, ProcessUse } from '../spark/job.js';

/** An input, or a part of one, that becomes one table. */
export interface JobInput {
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  readonly range?: TextRange;
}

/** Settings that all tasks of a job share. */
export interface JobSettings {
  readonly flags: MineFlags;
  readonly options: MineOptions;
  /** In milliseconds. Sent, so that times such as `7d` mean the same in all tasks. */
  readonly now: number;
}

/** Sent to a process that reads inputs. It returns its table in frames: `lot i32 | number u32 | length u32 | bytes`. */
export interface FoldJob extends JobSettings {
  readonly task: 'fold';
  readonly inputs: readonly JobInput[];
  /** The number of lots that sites are dealt into (state/shuffled). */
  readonly lots: number;
}

/** The last frame of a fold; its lot is `REPORT`. */
export interface FoldReport extends ProcessUse {
  readonly inputs: readonly InputSummary[];
  readonly forms: { readonly absolute: number; readonly path: number };
}

/**
 * Sent to a process that mines a share. Frames `lot u32 | table u32 | length u32 | bytes` follow, then one of lot
 * `END`.
 */
export interface ShareJob extends JobSettings {
  readonly task: 'mine';
}

/** The result of mining a share, as JSON. */
export interface ShareResult extends ProcessUse {
  readonly urls: number;
  readonly sites: { readonly mined: number; readonly skipped: number };
  readonly sampled: readonly SampledSite[];
  readonly counts: SiteCounts;
  readonly largestSites: readonly { readonly site: string; readonly urls: number }[];
  readonly rules: readonly UnrankedRule[];
  /** With `--by-sketch`, what became of the rules of each site. */
  readonly judged?: readonly JudgedSite[];
}

/** A site that an executor has judged by the sketches of its URLs. */
export interface JudgedSite {
  readonly site: string;
  readonly list: { readonly count: number; readonly all: number; readonly sketched: number };
  readonly outcome: SiteOutcome;
}

export const REPORT = -1;
export const END = 0xffffffff;

/** Sent to the driver. */
export interface MineTask {
  readonly kind: 'mine';
  readonly settings: JobSettings;
  readonly inputs: readonly JobInput[];
  /** Files that Spark fetches, in place of `inputs`. */
  readonly addresses: readonly string[];
}

/** Content of `done.json`. Reports of tasks are in `report-<table>.json` and `share-<share>.json`. */
export interface MineResult extends DriverResult {
  readonly shares: number;
  readonly tables: number;
  /** The largest share, as a fraction of all rows. */
  readonly largestShare: number;
}
