// The layout in memory of a URL of the list and its data.
//
//   … | sketch … | sketch length u16 | hits f64 | min f64 | max f64 | URL in collation bytes … | zeros |
//
// The URL is at a multiple of 8, which is the unit of places.

/** Bytes between the sketch and the URL: from the length of the sketch on. */
export const FIXED = 26;
export const HITS = 24;
export const MIN_SIZE = 16;
export const MAX_SIZE = 8;

export const UNIT = 8;
export const UNIT_BITS = 3;
