// The layout of the host cache of canonize: a cache line of numbers, i32, for each host, and its bytes elsewhere.
//
//   rows   | hash | length | group | how many rules | rule … |      length 0 is an empty place
//   keys   | `http://www.example.com` … |
//
// Offsets count numbers, not bytes: canonize/hosts indexes an array of numbers in browsers, and would have to divide.

export const HASH = 0;
export const LENGTH = 1;
export const GROUP = 2;
export const LIST = 3;
/** Numbers per host, and its binary logarithm plus 2: the shift from a slot to bytes. */
export const WIDTH = 16;
export const HOST_SHIFT = 6;
/** A longer host is not cached. */
export const KEY_BYTES = 96;

/** A host is in the slot of its hash or in one of the next WAYS - 1. */
export const PLACES = 4096;
export const WAYS = 8;

/** The group of a host that is not plain. */
export const NOT_PLAIN = -2;
