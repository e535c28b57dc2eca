// Did a bot ask for what it was told not to? Only a request counts that came while the file was in force, and a minute
// after the bot had read it: requests that were under way are no disobedience.

/** Milliseconds since 1970, from `from` to `to`. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

export const GRACE_MS = 60_000;

/** When a bot read the file first in each of the stretches in which that was in force, to the end of the stretch. */
export function bound(reads: readonly number[], stretches: readonly Stretch[]): readonly Stretch[] {
  return stretches.flatMap(({ from, to }) => {
    const first = reads.reduce((least, time) => (time >= from && time <= to ? Math.min(least, time) : least), Infinity);
    return first === Infinity ? [] : [{ from: first + GRACE_MS, to }];
  });
}

/** Requests for what a file forbids: when, and the row of the URL. Twelve bytes each. */
export class Forbidden {
  length = 0;
  #times = new Float64Array(16);
  #rows = new Int32Array(16);

  add(time: number, row: number): void {
    if (this.length === this.#times.length) {
      const [times, rows] = [new Float64Array(2 * this.length), new Int32Array(2 * this.length)];
      times.set(this.#times);
      rows.set(this.#rows);
      [this.#times, this.#rows] = [times, rows];
    }
    this.#times[this.length] = time;
    this.#rows[this.length++] = row;
  }

  /** The rows of the requests in these stretches, one for each request. */
  *within(stretches: readonly Stretch[]): Generator<number> {
    for (let at = 0; at < this.length; at++) {
      const time = this.#times[at]!;
      if (stretches.some(({ from, to }) => time >= from && time <= to)) yield this.#rows[at]!;
    }
  }
}
