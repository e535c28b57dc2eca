// How does a URL of the list lie in memory, with what is known of it?
//
//   … | sketch … | sketch length u16 | hits f64 | min f64 | max f64 | URL in collation bytes … | zeros |
//
// The URL is at a multiple of 8, which is the unit of places.

/** Before the URL: where the length of the sketch is, and behind the sketch itself. */
export const FIXED = 26;
export const HITS = 24;
export const MIN_SIZE = 16;
export const MAX_SIZE = 8;

export const UNIT = 8;
export const UNIT_BITS = 3;
