// The first k of very many items in some order. Holds at most 2 k of them.

export class TopK<T> {
  readonly #most: number;
  readonly #order: (a: T, b: T) => number;
  #kept: T[] = [];
  /** The k-th item at the last sort: items after it are dropped. */
  #last: T | undefined;

  /** `order` must be a total order, so that the result does not depend on the order of arrival. */
  constructor(most: number, order: (a: T, b: T) => number) {
    this.#most = most;
    this.#order = order;
  }

  /** False if an item is surely none of the first k, so that it need not be copied. */
  takes(one: T): boolean {
    return this.#last === undefined || this.#order(one, this.#last) <= 0;
  }

  add(one: T): void {
    if (!this.takes(one)) return;
    this.#kept.push(one);
    if (this.#kept.length > 2 * this.#most + 16) this.#trim();
  }

  /** The first k items, in order. */
  finish(): readonly T[] {
    this.#trim();
    return this.#kept;
  }

  #trim(): void {
    this.#kept = this.#kept.sort(this.#order).slice(0, this.#most);
    this.#last = this.#kept[this.#most - 1];
  }
}
