// What became of a rule of a plan, whichever procedure tried it.
import type { Rule } from '../rule/rule.js';

export interface Settlement {
  /** The rule as it was. */
  readonly before: Rule;
  /** What replaces it: nothing if it is needless; more than one rule if narrower ones were found. */
  readonly after: readonly Rule[];
  /** `key`: it does not write URLs, but is a key as before. */
  readonly outcome: 'valid' | 'invalid' | 'likely' | 'key' | 'needless' | 'kept' | 'unasked';
  /** Requests made for it. */
  readonly requests: number;
}
