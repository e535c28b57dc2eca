// What a record is, and which lines become one (SPEC 2). Batches go from the readers to the URL table: columns, one row
// a kept record, so that nothing is allocated per line.

/** Rows of kept records. URL and sketch are ranges of `bytes`; raw bytes, absolute or starting with `/`. */
export interface RecordBatch {
  readonly rows: number;
  readonly bytes: Uint8Array;
  readonly urlStart: Int32Array;
  readonly urlEnd: Int32Array;
  /** Size of the document in bytes, -1 where the record has none that counts. */
  readonly size: Float64Array;
  /** An empty range where the record has no sketch. */
  readonly sketchStart: Int32Array;
  readonly sketchEnd: Int32Array;
}

/** lines = records + the sum of dropped + the sum of rejected, for an input and for a run. */
export interface LineCounts {
  lines: number;
  records: number;
  /** Good lines that are no evidence, by cause: `method`, `redirect`, `client-error`, `server-error`, … */
  dropped: Record<string, number>;
  /** Lines that could not be read, by cause. */
  rejected: Record<string, number>;
}
