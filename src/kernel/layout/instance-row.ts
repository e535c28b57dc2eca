// The layout of a row of the instance table.
//
//   | hash of the core u64 | from u32 | to u32 | core offset u16 | flags u16 | core bytes of from u16 | of to u16 |
//   | aLow u16 | aHigh u16 | bLow u16 | bHigh u16 | eLow u16 | eHigh u16 |
//
// The first four words are the key, so that the rows of a core sort by their URLs: from and to are big endian.

export const HASH = 0;
export const FROM = 8;
export const TO = 12;
export const CORE_OFFSET = 16;
export const FLAGS = 18;
export const FROM_BYTES = 20;
export const TO_BYTES = 22;
export const A_LOW = 24;
export const A_HIGH = 26;
export const B_LOW = 28;
export const B_HIGH = 30;
export const E_LOW = 32;
export const E_HIGH = 34;

export const ROW = 36;
export const HASH_BYTES = 8;
export const KEY_BYTES = 16;

// Flags: the bucket is small; the URLs are similar; the core has several possible positions.
export const LOW = 1;
export const SIMILAR = 2;
export const BORDERED = 4;
/** Bordered, and its pair of URLs has more rows in the group: their envelopes may overlap. */
export const REPEATED = 8;

/** An instance that counts for `low`. */
export const WITNESS = LOW | SIMILAR;
