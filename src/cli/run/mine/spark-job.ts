// Messages between `mine`, the driver in Python and the processes in the executors (spark-driver/driver.py has the same
// frames).
import type { TextRange } from '../../../log/range.js';
import type { InputSummary } from '../../../log/record.js';
import type { DecidedPart } from '../../../mine/hosts/decide.js';
import type { ClassRule } from '../../../mine/hosts/pool.js';
import type { LearnedText } from '../../../mine/hosts/learn.js';
import type { SiteCounts } from '../../../mine/sites-task.js';
import type { SampledSite, UnrankedRule } from '../../../mine/mine.js';
import type { MineOptions } from '../../../rule/rule.js';
import type { DrawnSite } from '../../../validate/hosts/plan.js';
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

/**
 * Sent to a process that reads inputs. It returns its table in frames: `lot i32 | number u32 | length u32 | bytes`. The
 * last frame of each process is its report, as JSON; its lot is `REPORT`.
 */
export interface FoldJob extends JobSettings {
  readonly task: 'fold';
  readonly inputs: readonly JobInput[];
  /** The number of lots that sites are dealt into (state/shuffled). */
  readonly lots: number;
}

export interface FoldReport extends ProcessUse {
  readonly inputs: readonly InputSummary[];
  readonly forms: { readonly absolute: number; readonly path: number };
}

/**
 * Sent to a process that mines a share. Frames `lot u32 | table u32 | length u32 | bytes` follow, then one of lot
 * `END`. Before its report, it returns blocks with the rows of the hosts that others may learn from.
 */
export interface ShareJob extends JobSettings {
  readonly task: 'mine';
}

/** Sent to a process that makes one sample of those of several shares, and returns its rows as they do. */
export interface MergeJob extends JobSettings {
  readonly task: 'merge';
}

/** Sent to a process that learns from the hosts that all shares returned. Their rows follow, a lot for each share. */
export interface LearnJob extends JobSettings {
  readonly task: 'learn';
}

/** Without `learned`, the hosts are too few, or have nothing in common. */
export interface LearnReport extends ProcessUse {
  readonly learned?: LearnedText;
}

/** Sent to a process that decides on the hosts of a share, whose frames follow once more. */
export interface DecideJob extends JobSettings {
  readonly task: 'decide';
  readonly learned: LearnedText;
}

export type DecideReport = ProcessUse & DecidedPart;

/** Sent to a process that makes rules of all decisions, each report of which is the bytes of a frame. */
export interface PoolJob extends JobSettings {
  readonly task: 'pool';
  readonly learned: LearnedText;
}

export interface PoolReport extends ProcessUse {
  readonly rules: readonly ClassRule[];
}

/** With `--by-sketch`: sent to a process that draws pairs of URLs for these rules from a share, whose frames follow. */
export interface DrawJob extends JobSettings {
  readonly task: 'draw';
  readonly rules: readonly ClassRule[];
}

export interface DrawReport extends ProcessUse {
  readonly drawn: readonly DrawnSite[];
}

/** The result of mining a share. */
export interface ShareResult extends ProcessUse {
  readonly urls: number;
  readonly sites: { readonly mined: number; readonly skipped: number };
  readonly sampled: readonly SampledSite[];
  readonly counts: SiteCounts;
  readonly largestSites: readonly { readonly site: string; readonly urls: number }[];
  readonly rules: readonly UnrankedRule[];
  /** How many hosts it returned that others may learn from. */
  readonly hosts: number;
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
  /** From fewer hosts nothing is learned. */
  readonly leastHosts: number;
  /** Whether pairs of URLs are drawn for rules of classes of hosts. */
  readonly isDrawing: boolean;
}

/**
 * Content of `done.json`. Reports of tasks are in `report-<table>.json` and `share-<share>.json`; if hosts have learned
 * from each other, also in `learned-0.json` and `decided-<share>.json`, and with `isDrawing` in
 * `pooled-0.json` and `drawn-<share>.json`.
 */
export interface MineResult extends DriverResult {
  readonly hasLearned: boolean;
  readonly shares: number;
  readonly tables: number;
  /** The largest share, as a fraction of all rows. */
  readonly largestShare: number;
}
