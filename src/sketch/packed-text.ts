// How is the text of a page stored, so that it can be compared again without parts of it?
//
// Compressed by deflate: 6 KiB for a page with 18 KiB of text. A text of more than MAX_TEXT characters is not stored, and
// that does no harm: in so long a page its own address, or the time of day, is too little to matter.
import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** The longest text that is kept, in UTF-16 code units before it is veiled. */
export const MAX_TEXT = 1 << 18;

/** A character of a text has at most three bytes, and a veiled text four for each: `a1→` becomes `jsbw40213→`. */
const MAX_UNPACKED = 4 * MAX_TEXT;

export function packText(text: string): Uint8Array {
  return new Uint8Array(deflateRawSync(text, { level: 1 }));
}

/** The inverse of {@link packText}; undefined for bytes that it never wrote. */
export function unpackText(packed: Uint8Array): string | undefined {
  try {
    return inflateRawSync(packed, { maxOutputLength: MAX_UNPACKED }).toString('utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined; // zlib's: a damaged cache
    throw error;
  }
}
