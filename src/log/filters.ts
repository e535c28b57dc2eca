// Which records are wanted: what `filter.ts` judges by, apart from it, as rules files tell it to programs that have no Node.

/** What a record must be; plain data, so that threads can have it too. */
export interface Filters {
  /** Milliseconds since 1970: not before `since`, and before `until`. */
  readonly since?: number;
  readonly until?: number;
  /** Globs, of which one must match. */
  readonly hosts?: readonly string[];
  readonly include?: readonly string[];
  /** Globs, of which none may match. */
  readonly exclude?: readonly string[];
  readonly onlyDocuments?: boolean;
  readonly bots?: 'only' | 'none';
}
