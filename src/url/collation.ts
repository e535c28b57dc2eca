// Collation bytes for the kernel (kernel/text): raw byte by collation byte.
import { u8At } from '../base/heap.js';
import { fromCollationByte } from './token.js';

/** Where the kernel looks for it. */
const FROM_COLLATION = 1280;
let isFilled = false;

/** Fills it in, once for each thread: they fill in the same. */
export function fillCollation(): void {
  if (isFilled) return;
  u8At(FROM_COLLATION, 256).set(Uint8Array.from({ length: 256 }, (_, byte) => fromCollationByte(byte)));
  isFilled = true;
}
