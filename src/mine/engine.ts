// The interface between the stages of mining and the computation of the tables: URL list in, pairs with their support
// out.
import type { SpillRoom } from '../base/spill.js';
import type { TableCrew } from '../table/crew.js';
import { eachLikelyPair, type TrapUrls } from '../table/likely-pairs.js';
import type { TakePairs } from '../table/pair.js';
import type { SiteUrls } from '../table/site-urls.js';

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

export interface Engine {
  readonly name: string;
  /** Phase 1 (Figure 1) for one site: every pair with low >= MS, in any order. Returns the URLs of crawler traps. */
  eachLikelyPair(urls: SiteUrls, options: PairOptions, room: Room, take: TakePairs): TrapUrls;
}

/** This machine's engine: the tables of Figure 1 by shared last parts within shared first parts (SPEC 3.3). */
export const localEngine: Engine = { name: 'local', eachLikelyPair };
