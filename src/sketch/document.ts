// What is kept of a page, so that it can be compared with another page later, without their bodies.

/** The most fingerprints to keep of a page. The smallest ones are kept, which are a random sample. */
export const KEPT_FINGERPRINTS = 4096;

/** A page with words in it. */
export interface TextDocument {
  readonly kind: 'text';
  /** As in {@link Document}. */
  readonly digest: string;
  /** The smallest fingerprints of the page's shingles, distinct, ascending; integers below 2^40. */
  readonly fingerprints: Float64Array;
  /** True if `fingerprints` has all of the page. */
  readonly isComplete: boolean;
  /**
   * The visible text, veiled (`veil`), with its ages marked (`age`), in the encoding of `sketch/page`. Missing if it is
   * too long, or if only a sketch is known.
   */
  readonly packedText?: Uint8Array;
}

/** A page without text, or whose text has no word. It equals another only if all bytes do. */
interface BytesDocument {
  readonly kind: 'bytes';
  readonly digest: string;
}

/**
 * Digests begin with the way they were made, so that digests of different kinds are never equal. Equal digests mean
 * equal pages.
 *
 *     sha256:<hex>   SHA-256 of the body as it was sent
 *     sketch:<hex>   SHA-256 of a sketch, if nothing else is known
 *     log:<text>     the digest in a log, of whatever kind
 */
export type Document = TextDocument | BytesDocument;

/** The document without its text, for comparing by fingerprints only. */
export function withoutText(document: Document): Document {
  if (document.kind !== 'text' || document.packedText === undefined) return document;
  const { packedText: _, ...rest } = document;
  return rest;
}
