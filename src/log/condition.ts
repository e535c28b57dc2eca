// Could an input be read to its end? Whoever reads it says so here, as it is a fact of the input and no failure of the run.

export interface Condition {
  /** Why the input could not be read to its end, or null. */
  reason: string | null;
}
