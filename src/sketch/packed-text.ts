// How is the text of a page stored, so that it can be compared again without parts of it?
//
// White space folded, compressed by deflate: 4 to 6 KiB for a page with 20 KiB of text. A text of more than MAX_TEXT
// characters is not stored, and that does no harm: in so long a page its own address, or the time of day, is too little
// to matter.
import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** The longest text that is kept, in UTF-16 code units. */
export const MAX_TEXT = 1 << 18;

/** A character of a text has at most three bytes. */
const MAX_UNPACKED = 3 * MAX_TEXT;

/** Undefined if the text is too long. */
export function packText(text: string): Uint8Array | undefined {
  const folded = text.replace(/\s+/g, ' ').trim();
  return folded.length > MAX_TEXT ? undefined : new Uint8Array(deflateRawSync(folded, { level: 1 }));
}

/** The inverse of {@link packText} except for white space; undefined for bytes that it never wrote. */
export function unpackText(packed: Uint8Array): string | undefined {
  try {
    return inflateRawSync(packed, { maxOutputLength: MAX_UNPACKED }).toString('utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined; // zlib's: a damaged cache
    throw error;
  }
}
