// The options that decide which rules clusters teach. In a file of its own, so that the command line need not load
// more.

export interface AlignOptions {
  /** How many URLs of a cluster are aligned. */
  readonly K: number;
  /** How many clusters have to suggest a pattern. */
  readonly minFreq: number;
  /** Largest share of merged URLs that may belong to another cluster. */
  readonly maxFpr: number;
  /** How many URLs a rule has to merge with others. */
  readonly minSupport: number;
  readonly seed: number;
}

/** Defaults; the commit has the measurements. */
export const ALIGN_DEFAULTS: Omit<AlignOptions, 'seed'> = { K: 10, minFreq: 3, maxFpr: 0.02, minSupport: 3 };
