// What `canonize`, the driver in Python and the processes in the executors tell each other (spark-driver/driver.py).
import type { LineCounts, LineOptions } from '../../../canonize/lines.js';
import type { GroupRange } from '../../../log/parquet/open.js';
import type { TextRange } from '../../../log/range.js';
import type { Damage } from '../../../report/summary.js';
import type { RulesInUse } from '../rules/in-use.js';
import type { DriverResult, ProcessUse } from '../spark/job.js';

/** An input, or some of it: lines that begin in a range of a plain file, or row groups of a Parquet file. */
interface Piece {
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  readonly text?: TextRange;
  readonly groups?: GroupRange;
}

/** An input and where the driver may cut it: only it knows how many tasks there are to be. */
export interface CanonizeInput extends Pick<Piece, 'name' | 'path' | 'bytes'> {
  /** Where the text of a plain file begins. */
  readonly textStart?: number;
  /** How many row groups a Parquet file has. */
  readonly rowGroups?: number;
}

/** What all tasks of a job have in common. */
export interface CanonizeSettings extends RulesInUse {
  readonly lines: LineOptions;
  readonly format: 'text' | 'parquet';
  /** Where parts are written, each complete or not at all. */
  readonly folder: string;
}

/** To the driver. */
export interface CanonizeTask {
  readonly kind: 'canonize';
  readonly settings: CanonizeSettings;
  readonly inputs: readonly CanonizeInput[];
  /** Instead of inputs: what Spark itself reads. */
  readonly read?: { readonly format: string; readonly paths: readonly string[] };
}

/** To a process that canonizes. */
export interface PartJob extends CanonizeSettings {
  /** Undefined if lines follow: frames `length u32 | bytes`, and then the length `END`. */
  readonly pieces?: readonly (Piece & { readonly textStart?: number })[];
  readonly part: number;
  readonly isLast: boolean;
  /** Spark's id of the task attempt, unique in the application. */
  readonly attempt: number;
}

/** What it returns, as JSON. */
export interface PartReport extends ProcessUse {
  readonly counts: LineCounts;
  readonly unsettled: number;
  readonly damages: readonly Damage[];
  /** Of a Parquet file: whether its columns are bytes, and its end if they are, as base64, and where that begins. */
  readonly parquet?: { readonly isBytes: boolean; readonly bytesEnd: string; readonly endAt: number };
}

/** `done.json`. */
export interface CanonizeResult extends DriverResult {
  readonly reports: readonly PartReport[];
}

export const END = 0xffffffff;

/** The file of a part, in the order of the lines. */
export function partName(part: number, format: CanonizeSettings['format']): string {
  return `part-${String(part).padStart(6, '0')}${format === 'parquet' ? '.parquet' : '.txt'}`;
}
