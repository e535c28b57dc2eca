// The head of the hash table of distinct URLs, which JavaScript reads: counts and addresses of columns, u32 each.
//
//   places    | URL start | URL end | sketch start | sketch end | … u32, addresses
//   sizes     | hits | min | max | … f64
//   sites     | number of the site | … i32, in order of first occurrence

export const ROWS = 0;
export const LONGEST = 4;
export const PLACES = 8;
export const SIZES = 12;
export const SITES = 16;
/** The rest is private to the kernel. */
export const PUBLIC_BYTES = 20;

/** Bytes of a row in each column. */
export const PLACE_BYTES = 16;
export const SIZE_BYTES = 24;
export const SITE_BYTES = 4;
