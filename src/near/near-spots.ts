// Which pages resemble each other by spot signatures? Those that are long by these, short ones by all their shingles
// (SizeSpotSigs; sketch/spots says which is which), each kind in its own steps:
//
//   document-frequency → sized-bags → spot-pairs
//
// Rare shingles are what distinguishes short pages: so only the lower bound of idf applies to shingles, which takes the
// template of a site away.
import type { SpillRoom } from '../base/spill.js';
import type { BagStore } from './bag-store.js';
import { countFrequencies } from './document-frequency.js';
import type { SpotSignatures } from './signatures.js';
import { sizedBags, type Window } from './sized-bags.js';
import { findSpotPairs, type SpotPairOptions } from './spot-pairs.js';

export interface NearSpotsOptions extends Omit<SpotPairOptions, 'memoryBytes'> {
  readonly window: Window;
  readonly room: SpillRoom;
}

export interface NearSpotsCounts {
  /** Pairs that were compared. */
  compared: number;
  /** Pages, of each kind, with too few features left: like no other page. */
  small: number;
  /** As in `spot-pairs`. */
  cut: number;
}

/** The seed's defaults: LITERATURE 5.1. */
export const SPOT_WINDOW: Window = { minIdf: 0.2, maxIdf: 0.85, minSize: 4 };
export const SPOT_RESEMBLANCE = 0.85;

export function findNearSpots(signatures: SpotSignatures, options: NearSpotsOptions): NearSpotsCounts {
  const { spots, shingles, hasSpots } = signatures;
  const counts = { compared: 0, small: 0, cut: 0 };
  findPairs(spots, options, counts);
  const isKnown = (a: number, b: number) => (hasSpots[a] === 1 && hasSpots[b] === 1) || options.isKnown(a, b);
  findPairs(shingles, { ...options, isKnown, window: { ...options.window, maxIdf: 1 } }, counts);
  return counts;
}

function findPairs(store: BagStore, options: NearSpotsOptions, counts: NearSpotsCounts): void {
  if (store.pages === 0) return;
  const { window, room } = options;
  const memoryBytes = room.memoryBytes / 2;
  countFrequencies(store, memoryBytes);
  const { file, small } = sizedBags(store, window, { ...room, memoryBytes });
  const { compared, cut } = findSpotPairs(file, { ...options, memoryBytes });
  file.close();
  counts.compared += compared;
  counts.small += small;
  counts.cut += cut;
}
