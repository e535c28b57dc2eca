// Which records are wanted: the data of `filter.ts`, in a file of its own, as rules files record it for programs
// without Node.

/** What a record must satisfy; plain data, so that it can be sent to threads. */
export interface Filters {
  /** Milliseconds since 1970: not before `since`, and before `until`. */
  readonly since?: number;
  readonly until?: number;
  /** Globs, one of which must match. */
  readonly hosts?: readonly string[];
  readonly include?: readonly string[];
  /** Globs, none of which may match. */
  readonly exclude?: readonly string[];
  readonly onlyDocuments?: boolean;
  readonly bots?: 'only' | 'none';
}
