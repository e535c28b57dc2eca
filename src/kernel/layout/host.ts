// The layout of the host cache of canonize. A cache line of numbers for each host, i32, and its bytes elsewhere.
//
//   rows   | hash | length | group | how many rules | rule … |      length 0 is an empty place
//   keys   | `http://www.example.com` … |
//
// Offsets count numbers, not bytes, as canonize/hosts has them in browsers, where a division would remain.

export const HASH = 0;
export const LENGTH = 1;
export const GROUP = 2;
export const LIST = 3;
/** Numbers per host: 2 to this power, without the two bits of a byte in a number. */
export const WIDTH = 16;
export const HOST_SHIFT = 6;
/** A longer host is not cached. */
export const KEY_BYTES = 96;

/** A host is in the slot of its hash or in one of the next few. */
export const PLACES = 4096;
export const WAYS = 8;

/** A group: the host is not plain. */
export const NOT_PLAIN = -2;
