// How far is a canonical form looked for (SPEC 8)? Apart from the canonizer, as the help names them without loading it.

/** Rounds through the rules before a URL is left as it came in. */
export const defaultMaxIterations = 10;
/** The longest form that rules are applied to. */
export const maxFormBytes = 4096;
