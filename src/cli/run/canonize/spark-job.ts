// Messages between `canonize`, the driver in Python and the processes in the executors (spark-driver/driver.py).
import type { LineCounts, LineOptions } from '../../../canonize/lines.js';
import type { GroupRange } from '../../../log/parquet/open.js';
import type { TextRange } from '../../../log/range.js';
import type { Damage } from '../../../report/summary.js';
import type { RulesInUse } from '../rules/in-use.js';
import type { DriverResult, ProcessUse } from '../spark/job.js';

/** An input or a part of one: the lines that begin in a range of a plain file, or row groups of a Parquet file. */
interface Piece {
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  readonly text?: TextRange;
  readonly groups?: GroupRange;
}

/** An input, and where the driver may cut it. Only the driver knows the number of tasks. */
export interface CanonizeInput extends Pick<Piece, 'name' | 'path' | 'bytes'> {
  /** The offset of the text in a plain file. */
  readonly textStart?: number;
  /** The number of row groups of a Parquet file. */
  readonly rowGroups?: number;
}

/** Settings that all tasks of a job share. */
export interface CanonizeSettings extends RulesInUse {
  readonly lines: LineOptions;
  readonly format: 'text' | 'parquet';
  /** The folder for parts, each of which is written completely or not at all. */
  readonly folder: string;
}

/** Sent to the driver. */
export interface CanonizeTask {
  readonly kind: 'canonize';
  readonly settings: CanonizeSettings;
  readonly inputs: readonly CanonizeInput[];
  /** Files that Spark fetches, in place of `inputs`. */
  readonly addresses: readonly string[];
  /** Inputs that Spark reads itself, in place of `inputs`. */
  readonly read?: { readonly format: string; readonly paths: readonly string[]; readonly column?: string };
}

/** Sent to a process that canonizes. */
export interface PartJob extends CanonizeSettings {
  /** Undefined if lines follow, in frames `length u32 | bytes`, up to the length `END`. */
  readonly pieces?: readonly (Piece & { readonly textStart?: number })[];
  readonly part: number;
  readonly isLast: boolean;
  /** Spark's id of the task attempt, unique in the application. */
  readonly attempt: number;
}

/** The result of a process, as JSON. */
export interface PartReport extends ProcessUse {
  readonly counts: LineCounts;
  readonly unsettled: number;
  readonly damages: readonly Damage[];
  /**
   * For a Parquet file: whether its columns are bytes, and the footer for columns of bytes (base64) with its offset.
   */
  readonly parquet?: { readonly isBytes: boolean; readonly bytesEnd: string; readonly endAt: number };
}

/** Content of `done.json`. */
export interface CanonizeResult extends DriverResult {
  readonly reports: readonly PartReport[];
}

export const END = 0xffffffff;

/** The name of a part; names sort in the order of the lines. */
export function partName(part: number, format: CanonizeSettings['format']): string {
  return `part-${String(part).padStart(6, '0')}${format === 'parquet' ? '.parquet' : '.txt'}`;
}
