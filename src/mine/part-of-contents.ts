// Separates training, validation and test. A list is split by content, so that duplicates stay together:
//
//   record                 hashed                 mine --part-of-contents 1/3    trains
//   URL, sketch, digest    sketch or digest       validate … 2/3                 draws samples
//   URL                    URL, normalized        eval … 3/3                     measures
//
// Near duplicates with different sketches count as different contents, and so do the pages that a URL had at several
// times. A log without digests is split by URL, which separates most duplicates: split such a log by time.
import { hashBytes } from '../base/hash.js';
import type { RecordBatch } from '../log/record.js';
import { factsBytes } from '../table/facts.js';
import { normalizeSafe } from '../url/normalize.js';
import { keptRows } from './part.js';
import type { Part } from './part-text.js';

/** True if a URL or label is in the part: the same in every command and every version. */
function isIn({ k, n }: Part, bytes: Uint8Array, start: number, end: number): boolean {
  return (hashBytes(bytes, start, end, SEED) >>> 0) % n === k - 1;
}

/** Differs from the seed for parts of sites. */
const SEED = 0x5e9a7a7e;

export class PartOfContents {
  readonly #part: Part;
  /** The number of records so far, and of those in the part. */
  records = 0;
  kept = 0;
  /** The number of records with a sketch or digest. The others are split by URL. */
  labelled = 0;

  constructor(part: Part) {
    this.#part = part;
  }

  /**
   * The batch with only the rows of the part, in its own columns, which are overwritten. Splits by URLs as they are
   * listed.
   */
  of(batch: RecordBatch): RecordBatch {
    const { bytes, urlStart, urlEnd, sketchStart, sketchEnd } = batch;
    const part = keptRows(batch, (row) => {
      const start = sketchStart[row]! + factsBytes(bytes, sketchStart[row]!, sketchEnd[row]!);
      if (sketchEnd[row]! === start) return this.#hasUrl(bytes.subarray(urlStart[row]!, urlEnd[row]!));
      this.labelled++;
      return isIn(this.#part, bytes, start, sketchEnd[row]!);
    });
    this.records += batch.rows;
    this.kept += part.rows;
    return part;
  }

  /** `label` is the label of the URL in the list. */
  has(url: Uint8Array, label: Uint8Array | undefined): boolean {
    const isMine = label === undefined ? this.#hasUrl(url) : isIn(this.#part, label, 0, label.length);
    this.records++;
    if (label !== undefined) this.labelled++;
    if (isMine) this.kept++;
    return isMine;
  }

  #hasUrl(url: Uint8Array): boolean {
    const normal = normalizeSafe(url);
    return isIn(this.#part, normal, 0, normal.length);
  }
}
