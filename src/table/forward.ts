// What is computed for a URL from the one before it in the list: how many tokens they share; and its token count
// (kernel/list/forward).

/** Columns by row of a list. Token counts include START and END. */
export interface Forward {
  readonly tokens: Uint16Array;
  /** First tokens that URL r shares with URL r - 1; START counts. 0 for the first. */
  readonly sharedFirst: Uint16Array;
}
