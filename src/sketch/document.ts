// What is kept of a page, so that two pages can be compared later, without their bodies?

/** The most fingerprints that are kept of one page: the smallest ones, which are a random sample. */
export const KEPT_FINGERPRINTS = 4096;

/** A page with words in it. */
export interface TextDocument {
  readonly kind: 'text';
  /** As of {@link Document}. */
  readonly digest: string;
  /** The smallest fingerprints of the page's shingles, distinct, ascending; integers below 2^40. */
  readonly fingerprints: Float64Array;
  /** True if `fingerprints` are all that the page has. */
  readonly isComplete: boolean;
  /**
   * The text that a reader sees, veiled (`veil`), with its ages marked (`age`), in the encoding of `sketch/page`;
   * missing if it is too long, or only a sketch is known.
   */
  readonly packedText?: Uint8Array;
}

/** No text, or text without a word: pages are the same only if every byte is. */
interface BytesDocument {
  readonly kind: 'bytes';
  readonly digest: string;
}

/**
 * `digest` begins with its making, so that digests of different making are never equal. Equal digests are equal pages.
 *
 *     sha256:<hex>   SHA-256 of the body as it was sent
 *     sketch:<hex>   SHA-256 of a sketch, where only that is known
 *     log:<text>     what a log calls the page's digest, whatever that is
 */
export type Document = TextDocument | BytesDocument;

/** What remains to compare by without the text. */
export function withoutText(document: Document): Document {
  if (document.kind !== 'text' || document.packedText === undefined) return document;
  const { packedText: _, ...rest } = document;
  return rest;
}
