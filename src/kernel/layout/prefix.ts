// Prefixes of lines: the patterns that log/prefix/pattern compiles, one after the other.
//
//   | steps | class bits of each byte | step | step | … | steps of the next pattern … | 0 |     u32 each
//
//   step   | mask of its class | least, most repetitions | the step after a missing group, or 0 |

/** Words of u32. */
export const CLASS_WORDS = 256;
export const STEP_WORDS = 4;

/** Indices of the words of a step. */
export const MASK = 0;
export const LEAST = 1;
export const MOST = 2;
export const ABSENT = 3;
