// What is kept of a page, so that two pages can be compared after both are gone.

/** The most fingerprints that are kept of one page: the smallest ones, which are a sample of all that does not depend on order. */
export const KEPT_FINGERPRINTS = 4096;

export type Document =
  | {
      readonly kind: 'text';
      /** SHA-256 of the body as it was sent, in hex; of the sketch where only that is known. Equal digests are equal pages. */
      readonly digest: string;
      /** The smallest fingerprints of the page's shingles, distinct, ascending; integers below 2^40. */
      readonly fingerprints: Float64Array;
      /** True where `fingerprints` are all that the page has. */
      readonly isComplete: boolean;
    }
  /** Not text: pages are the same only if every byte is. */
  | { readonly kind: 'bytes'; readonly digest: string };
