// Could an input be read to its end? Its reader says so here, as it is a fact about the input and not a failure of the
// run.

export interface Condition {
  /** Why the input could not be read to its end, or null. */
  reason: string | null;
}
