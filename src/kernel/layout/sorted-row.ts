// The layout of rows of external sorts, in memory and on disk, and of their k-way merge.
//
//   | key length u32 | row length u32 | key … | payload … |      row length = key and payload together, little endian

export const KEY_LENGTH = 0;
export const ROW_LENGTH = 4;
/** Bytes before the key. */
export const HEADER = 8;

// The entry of a run in the k-way merge, while the run has rows left.
//
//   | eight bytes of the key, the first one highest u64 | its row u32 | end of its block u32 | run u32 | 0 u32 |

export const WORD = 0;
export const ROW = 8;
export const END = 12;
export const RUN = 16;
export const ENTRY = 24;
