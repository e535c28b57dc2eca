// What is the truth of a crawl, `copies.json`?

/** A planted copy of a target: all URLs that begin with `prefix`. */
export interface PlantedCopy {
  readonly target: string;
  readonly kind: string;
  readonly prefix: string;
}
