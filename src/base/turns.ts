// When does a long loop let others have a turn, so that a signal is heeded?
//
// A handler runs between two turns of the event loop, and a loop over lines may take minutes within one. Looking at the
// clock at each step would cost as much as a step that is quick, so quick steps look at it ever more rarely.

/** Milliseconds after which a turn is due. */
const TURN_MS = 50;
/** Between two looks at the clock there should be about this much. */
const LOOK_MS = 2;
const MOST_STEPS = 1024;

export class Turns {
  /** Milliseconds of the slowest step so far; an upper bound where several went by between two looks. */
  slowest = 0;
  #steps = 1;
  #left = 1;
  #looked = performance.now();
  #begun = this.#looked;

  /** To be called at each step; whether it is time for a turn, after which {@link begin} is called. */
  isDue(): boolean {
    if (--this.#left > 0) return false;
    const now = performance.now();
    const took = now - this.#looked;
    this.slowest = Math.max(this.slowest, took / this.#steps);
    this.#looked = now;
    if (took > LOOK_MS) this.#steps = Math.max(1, this.#steps >> 3);
    else this.#steps = Math.min(MOST_STEPS, this.#steps * 2);
    this.#left = this.#steps;
    return now - this.#begun >= TURN_MS;
  }

  /** A turn begins: what others took does not count as a step. */
  begin(): void {
    this.#looked = this.#begun = performance.now();
  }
}
