// Tells a long loop when to yield to the event loop, so that signals are handled.
//
// Signal handlers run between two turns of the event loop, and a loop over lines may take minutes within one. Reading
// the clock at each step would cost as much as a quick step, so quick steps read it more rarely.

/**
 * Lets the event loop run once. It costs some 2 µs: for steps that take longer, as many as there are. What awaits only
 * what is known already never gets there by itself.
 */
export function nextTurn(): Promise<void> {
  return new Promise((done) => setImmediate(done));
}

/** Milliseconds after which the loop should yield. */
const TURN_MS = 50;
/** Aims at this much time between two readings of the clock. */
const LOOK_MS = 2;
const MOST_STEPS = 1024;

export class Turns {
  /** Milliseconds of the slowest step so far; an upper bound if there were several steps between two readings. */
  slowest = 0;
  #steps = 1;
  #left = 1;
  #looked = performance.now();
  #begun = this.#looked;

  /** Call this at each step. True if it is time to yield; then call {@link begin} after yielding. */
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

  /** Begins a turn: time that others took does not count as a step. */
  begin(): void {
    this.#looked = this.#begun = performance.now();
  }
}
