// Accessors of the row of an instance (layout/instance-row).
import { CORE_OFFSET, FLAGS, FROM, TO, WITNESS } from '../layout/instance-row';

export function hashOfRow(row: usize): u64 {
  return load<u64>(row);
}

export function fromOfRow(row: usize): u32 {
  return bswap<u32>(load<u32>(row, FROM));
}

export function toOfRow(row: usize): u32 {
  return bswap<u32>(load<u32>(row, TO));
}

export function coreOffsetOfRow(row: usize): u32 {
  return <u32>load<u16>(row, CORE_OFFSET);
}

export function flagsOfRow(row: usize): u32 {
  return <u32>load<u16>(row, FLAGS);
}

/** 1 for a row that counts for `low`, else 0. */
export function witnessOfRow(row: usize): u32 {
  return u32((flagsOfRow(row) & WITNESS) == WITNESS);
}
