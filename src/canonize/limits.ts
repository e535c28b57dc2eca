// When does the search for a canonical form stop (SPEC 8)? Not in the canonizer, so that the help need not load that.

/** Rounds through the rules before a URL stays unchanged. */
export const defaultMaxIterations = 10;
/** The longest form that rules are applied to. */
export const maxFormBytes = 4096;
