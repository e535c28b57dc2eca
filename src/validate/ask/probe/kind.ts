// Probes of one kind are siblings: if one shows a difference, the next ones decide whether it is an exception.

export interface ProbeKind {
  /** How many of them are requested. */
  readonly take: number;
  /** The best first; some may be in the list, or not be changed by the rule. */
  readonly urls: readonly string[];
}
