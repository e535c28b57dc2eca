// How far is a long work? Whoever does it says so in passing, some thousand steps at a time; whether and how that is shown is
// no matter of theirs. The work is synchronous for seconds, in which no timer fires: so what is shown is drawn by these calls.

export interface Phase {
  /** As in `reading`. A phase that comes again, as for the next site, begins anew. */
  readonly name: string;
  /** What is counted, as in `lines`. */
  readonly unit?: string;
  /** How much there is to do in all; of the units, unless `add` tells the share apart, as bytes of a file. */
  readonly total?: number;
  /** So many units were done before. */
  readonly done?: number;
  /** More to be told, as it stands when it is asked for. */
  readonly note?: () => string;
}

export interface Progress {
  /** The phase before it is over. */
  begin(phase: Phase): void;
  /** So many units more, and so much more of the total. */
  add(units: number, share?: number): void;
  /** Nothing is known to be new, but time has gone by: to be called by whoever waits. */
  tick(): void;
}

/** Rows between two calls in a loop over rows: 10 to 1,000 µs of work. A power of two, less one: a mask for a counter. */
export const PROGRESS_MASK = 4095;

/** `items` as they are, each counted as a unit. */
export function* counted<T>(items: Iterable<T>, progress: Progress | undefined): Generator<T> {
  let count = 0;
  for (const item of items) {
    if ((++count & PROGRESS_MASK) === 0) progress?.add(PROGRESS_MASK + 1);
    yield item;
  }
  progress?.add(count & PROGRESS_MASK);
}

/** For the parts of a work whose own phases are too short to be told: time goes by in them. */
export function ticking(progress: Progress | undefined): Progress | undefined {
  if (progress === undefined) return undefined;
  const tick = () => progress.tick();
  return { begin: tick, add: tick, tick };
}
