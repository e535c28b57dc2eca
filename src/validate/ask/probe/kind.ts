// Probes of one kind are siblings: if one shows a difference, the next ones decide whether it is an exception.

export interface ProbeKind {
  /** How many probes of this kind are requested. */
  readonly take: number;
  /** Candidates, the best first. The list may have some of them, or the rule may not change them. */
  readonly urls: readonly string[];
}
