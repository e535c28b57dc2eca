// What decides which rules clusters teach? In a file of its own, as the options of the command need no more.

export interface AlignOptions {
  /** URLs of a cluster that are aligned. */
  readonly K: number;
  /** Clusters that have to suggest a pattern. */
  readonly minFreq: number;
  /** Largest share of URLs that a rule may make one with those of another cluster. */
  readonly maxFpr: number;
  /** URLs that a rule has to make one with others. */
  readonly minSupport: number;
  readonly seed: number;
}

/** Defaults; the commit has the measurements. */
export const ALIGN_DEFAULTS: Omit<AlignOptions, 'seed'> = { K: 10, minFreq: 3, maxFpr: 0.02, minSupport: 3 };
