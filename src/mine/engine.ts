// What does finding likely pairs (table/likely-pairs) need besides the URLs of a site?
import type { SpillRoom } from '../base/spill.js';
import type { TableCrew } from '../table/crew.js';

export interface PairOptions {
  /** The paper's parameters, with its names (§6). */
  readonly S: number;
  readonly T_low: number;
  readonly T_high: number;
  readonly MS: number;
  /** False turns the size and sketch tests off, as in Figure 5(b). */
  readonly similarity: boolean;
}

/** The resources of one step. */
export interface Room extends SpillRoom {
  /** Threads that may help. */
  readonly crew?: TableCrew | undefined;
  /** The memory of the whole run, of which this room is a part. */
  readonly allBytes?: number | undefined;
  /** The unused part of the list's share of memory. */
  readonly spareBytes?: number | undefined;
}
