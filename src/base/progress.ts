// How far has long work come? The code that does it reports every few thousand steps, without knowing whether and how
// that is shown. The work blocks for seconds, in which no timer fires, so the display is drawn from these calls.

export interface Phase {
  /** For example `reading`. A phase that begins again, as for the next site, starts over. */
  readonly name: string;
  /** What is counted, such as `lines`. */
  readonly unit?: string;
  /** The amount of work; in units, unless `add` reports another share, such as bytes of a file. */
  readonly total?: number;
  /** Units that were done before. */
  readonly done?: number;
  /** More to show, evaluated when it is drawn. */
  readonly note?: () => string;
}

export interface Progress {
  /** Ends the phase before it. */
  begin(phase: Phase): void;
  /** Adds units, and a share of the total. */
  add(units: number, share?: number): void;
  /** Nothing new, but time has passed: called by code that waits. */
  tick(): void;
}

/** Mask for a row counter: report when `count & PROGRESS_MASK` is 0, that is every 10 to 1,000 µs of work. */
export const PROGRESS_MASK = 4095;

/** Yields `items` as they are, each counted as a unit. */
export function* counted<T>(items: Iterable<T>, progress: Progress | undefined): Generator<T> {
  let count = 0;
  for (const item of items) {
    if ((++count & PROGRESS_MASK) === 0) progress?.add(PROGRESS_MASK + 1);
    yield item;
  }
  progress?.add(count & PROGRESS_MASK);
}

/** For parts of a job whose own phases are too short to show: only passes on that time goes by. */
export function ticking(progress: Progress | undefined): Progress | undefined {
  if (progress === undefined) return undefined;
  const tick = () => progress.tick();
  return { begin: tick, add: tick, tick };
}
