// The tables of collation bytes, as url/token numbers them.
import { FIRST_RUN_BYTE, FROM_COLLATION, TO_COLLATION } from './text';

/** Call this once, before any other use. */
export function fillCollation(): void {
  let alone = 0;
  let inRuns = <i32>FIRST_RUN_BYTE;
  for (let byte = 0; byte < 256; byte++) {
    const next = isRunByte(byte) ? inRuns++ : alone++;
    store<u8>(TO_COLLATION + <usize>byte, <u8>next);
    store<u8>(FROM_COLLATION + <usize>next, <u8>byte);
  }
}

/** True if a raw byte belongs to runs. */
function isRunByte(byte: i32): bool {
  const lower = byte | 0x20;
  return byte >= 0x80 || (byte >= 0x30 && byte <= 0x39) || (lower >= 0x61 && lower <= 0x7a);
}

/** Writes the collation bytes [start, end) as raw bytes to `to`. */
export function uncollate(start: usize, end: usize, to: usize): void {
  for (; start < end; start++, to++) store<u8>(to, load<u8>(FROM_COLLATION + <usize>load<u8>(start)));
}
