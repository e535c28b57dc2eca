// The entry of a run in the k-way merge, as long as it has rows left.
//
//   | eight bytes of the key, the first one highest u64 | its row u32 | end of its block u32 | run u32 | 0 u32 |

export const WORD = 0;
export const ROW = 8;
export const END = 12;
export const RUN = 16;
export const ENTRY = 24;
