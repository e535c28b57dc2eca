// How far is a canonical form searched (SPEC 8)? Separate from the canonizer, so that the help need not load it.

/** Rounds through the rules before a URL is left as it came in. */
export const defaultMaxIterations = 10;
/** The longest form that rules are applied to. */
export const maxFormBytes = 4096;
