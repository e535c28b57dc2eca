// In how many groups does a value occur? That orders the members of a group, so it has to be known before groups are
// judged.
//
// A value that occurs in only one URL, like most session ids, has no number: it can only be in one group. The others
// are numbered in byte order (`parameter-rows`), and only their counts are kept.

/** The number of every value that occurs in one URL only. */
export const UNIQUE = 0xffff_ffff;

export class ValueCounts {
  #groups = new Uint32Array(256);

  /** In how many groups a value is; until {@link takeOne} was called for all surplus ones, in how many URLs. */
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
