// The most rules of a file.

/** A limit on the rules, and on the bytes of their text without ranks. */
export interface MostRules {
  readonly rules: number;
  readonly bytes: number;
}

export const ALL_RULES: MostRules = { rules: Infinity, bytes: Infinity };

/**
 * A rule takes about 1 kB of memory, and a file must fit into one JavaScript string (512 MB), or no command could read
 * it. A shop of 600,000 URLs has 232,000 likely rules; a hostile log can have any number.
 */
export const MOST_RULES: MostRules = { rules: 250_000, bytes: 256 << 20 };
