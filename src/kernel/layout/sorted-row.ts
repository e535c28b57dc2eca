// The layout of rows of external sorts, in memory and on disk.
//
//   | key length u32 | row length u32 | key … | payload … |      row length = key and payload together, little endian

export const KEY_LENGTH = 0;
export const ROW_LENGTH = 4;
/** Before the key. */
export const HEADER = 8;
