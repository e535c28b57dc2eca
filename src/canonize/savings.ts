// What does `--unique` save, and how much of that do the rules save? From a URL to its form it is two steps:
//
//     as listed  --normalization-->  normal form  --rules-->  canonical form
//
// so the rules save the distinct normal forms minus the canonical forms. A URL that is its own form needs no memory of
// its own: a flag of the form says that it occurred. Only URLs that change are kept beside the forms.
import type { SpillOptions } from '../base/spill.js';
import { roomFor } from '../memory-plan.js';
import { Distinct } from './distinct.js';
import type { FirstSeen } from './first-seen.js';

/** Distinct URLs as they were listed, and in normal form. */
export interface SavingCounts {
  readonly urls: number;
  readonly normalForms: number;
}

/** Flags of a form: it occurred as a URL of the list, or as the normal form of one. */
const LISTED = 1;
const NORMAL = 2;

export class Savings {
  readonly #listed: Distinct;
  readonly #normal: Distinct;
  #ownListed = 0;
  #ownNormal = 0;

  constructor(room: SpillOptions) {
    this.#listed = new Distinct(roomFor('canonize/distinct', room));
    this.#normal = new Distinct(roomFor('canonize/distinct', room));
  }

  /** Counts the URL of the marks at `at`. `seen` is the set to which its form was added last, if it knows the form. */
  add(bytes: Uint8Array, marks: Int32Array, at: number, seen: FirstSeen | undefined): void {
    const [lineEnd, formStart, formEnd] = [marks[at]!, marks[at + 1]!, marks[at + 2]!];
    const [listedEnd, normalEnd] = [marks[at + 3]!, marks[at + 4]!];
    if (lineEnd < listedEnd) this.#listed.add(bytes, lineEnd, listedEnd);
    else if (seen === undefined) this.#listed.add(bytes, formStart, formEnd);
    else if (seen.flag(LISTED)) this.#ownListed++;
    if (listedEnd < normalEnd) this.#normal.add(bytes, listedEnd, normalEnd);
    else if (seen === undefined) this.#normal.add(bytes, formStart, formEnd);
    else if (seen.flag(NORMAL)) this.#ownNormal++;
  }

  /** Call it once, when all URLs were added. */
  end(): SavingCounts {
    return { urls: this.#ownListed + this.#listed.end(), normalForms: this.#ownNormal + this.#normal.end() };
  }
}
