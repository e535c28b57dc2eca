// Rows for the external sorts of `measure`: a key of parts, each after its length, so that any bytes can be a part and
// rows with the same first parts are adjacent.
//
//   | byte | length u32 | part … | length u32 | part … |
import { readU32, type Row } from '../base/row.js';
import { RowWriter } from '../base/row-writer.js';

export function putPart(row: RowWriter, part: Uint8Array): RowWriter {
  return row.u32(part.length).raw(part);
}

/** Where the part at `at` ends; it begins four bytes later. */
export function partEnd({ bytes }: Pick<Row, 'bytes'>, at: number): number {
  return at + 4 + readU32(bytes, at);
}
