// The options that decide which rules clusters teach: a file of its own, so that the command line loads nothing else.

export interface AlignOptions {
  /** How many URLs of a cluster are aligned. */
  readonly K: number;
  /** The least number of clusters that must suggest a pattern. */
  readonly minFreq: number;
  /** Largest share of merged URLs that may belong to another cluster. */
  readonly maxFpr: number;
  /** The least number of URLs that a rule must merge with others. */
  readonly minSupport: number;
  readonly seed: number;
  /** Called before the URLs are gone through for one more rule. */
  readonly onRule?: () => void;
}

/** Defaults. The commit that set them has the measurements. */
export const ALIGN_DEFAULTS: Omit<AlignOptions, 'seed'> = { K: 10, minFreq: 3, maxFpr: 0.02, minSupport: 3 };
