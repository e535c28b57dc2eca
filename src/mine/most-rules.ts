// How many rules does a file have at most?

/** The most rules that are wanted, and the bytes of their text without ranks. */
export interface MostRules {
  readonly rules: number;
  readonly bytes: number;
}

export const ALL_RULES: MostRules = { rules: Infinity, bytes: Infinity };

/**
 * A rule takes about 1 kB of memory, and a file has to fit into one text of JavaScript (512 MB), or no command could
 * read it. A shop of 600,000 URLs has 232,000 likely rules; a log can be made that has any number.
 */
export const MOST_RULES: MostRules = { rules: 250_000, bytes: 256 << 20 };
