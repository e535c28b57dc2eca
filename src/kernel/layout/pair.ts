// The layout of pairs, the result of counting, and of blocks of branches.
//
//   a block    | kind u32 | bytes, all in all u32 | - | - | … |
//   of pairs   | bytes that follow u32 | payload | bytes that follow u32 | payload | …
//   payload    | anchor u8 | low u32 | high u32 | against u32 | examples u8 | from u32, to u32 | … |
//               | bytes of from u32 | from | to |
//
// A block of branches can be counted by any thread (count/branches).

export const KIND = 0;
export const BYTES = 4;
export const HEAD = 16;

/** Kinds of blocks. */
export const PAIRS = 0;
export const BRANCHES = 1;

/** Before a payload: its length. */
export const COUNT = 4;

export const ANCHOR = 0;
export const LOW = 1;
export const HIGH = 5;
export const AGAINST = 9;
export const EXAMPLES = 13;
/** Bytes of the payload before the examples, and bytes of an example. */
export const FIXED = 14;
export const EXAMPLE = 8;

/** Anchors are numbered in the order of their names. */
export const BOTH = 0;
export const AT_END = 1;
export const NONE = 2;
export const AT_START = 3;
