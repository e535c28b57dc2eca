// Counts the groups in which each value occurs. The order of the members of a group depends on it, so it must be known
// before groups are judged.
//
// A value that occurs in only one URL, like most session ids, has no number: it can only be in one group. The others
// are numbered in byte order (`parameter-rows`), and only their counts are kept.

/** The number of every value that occurs in only one URL. */
export const UNIQUE = 0xffff_ffff;

export class ValueCounts {
  #groups = new Uint32Array(256);

  /** The number of groups with a value. Until {@link takeOne} was called for all surplus URLs, the number of URLs. */
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
