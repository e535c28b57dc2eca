// Numbers beyond 32 bits in the rows of external sorts: | low u32 | high u32 |
import { readU32 } from '../../../base/row.js';
import type { RowWriter } from '../../../base/row-writer.js';

/** A whole number from 0 to 2^53. */
export function putNumber(row: RowWriter, value: number): RowWriter {
  return row.u32(value >>> 0).u32(Math.floor(value / 2 ** 32));
}

export function readNumber(bytes: Uint8Array, at: number): number {
  return readU32(bytes, at) + readU32(bytes, at + 4) * 2 ** 32;
}
