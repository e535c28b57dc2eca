// The row of an instance, nine words, as table/instance draws it:
//   +0 hash of the core u64 | +8 from, +12 to: big endian | +16 core offset u16, flags u16 | +20 core bytes of from u16, of to u16
//   | +24 aLow u16, aHigh u16 | +28 bLow, bHigh | +32 eLow, eHigh

export const ROW: usize = 36;

const LOW: u32 = 1;
const SIMILAR: u32 = 2;
export const BORDERED: u32 = 4;
/** Bordered, and the pair of URLs has more rows in its group: these can have envelopes in common. */
export const REPEATED: u32 = 8;

const WITNESS: u32 = LOW | SIMILAR;

export function hashOfRow(row: usize): u64 {
  return load<u64>(row);
}

export function fromOfRow(row: usize): u32 {
  return bswap<u32>(load<u32>(row, 8));
}

export function toOfRow(row: usize): u32 {
  return bswap<u32>(load<u32>(row, 12));
}

export function coreOffsetOfRow(row: usize): u32 {
  return <u32>load<u16>(row, 16);
}

export function flagsOfRow(row: usize): u32 {
  return <u32>load<u16>(row, 18);
}

/** 1 for a row that counts for `low`, else 0. */
export function witnessOfRow(row: usize): u32 {
  return u32((flagsOfRow(row) & WITNESS) == WITNESS);
}
