// In how many groups is a value? That orders the members of a group, so it has to be known before groups are judged.
//
// A value of one URL only, as of most sessions, has no number: one group is all it can be in. The others have numbers by their
// bytes (`parameter-rows`), and a count each is all that stays of them.

/** The number of every value that stands in one URL only. */
export const UNIQUE = 0xffff_ffff;

export class ValueCounts {
  #groups = new Uint32Array(256);

  /** In how many groups a value is; until {@link takeOne} was called for all that are too many, in how many URLs. */
  groupsOf(value: number): number {
    return value === UNIQUE ? 1 : this.#groups[value]!;
  }

  add(value: number): void {
    if (value === UNIQUE) return;
    if (value >= this.#groups.length) {
      const wider = new Uint32Array(2 * value);
      wider.set(this.#groups);
      this.#groups = wider;
    }
    this.#groups[value]!++;
  }

  takeOne(value: number): void {
    this.#groups[value]!--;
  }
}
