// Reports how far long work has come. The work calls this every few thousand steps, and does not know whether or how it
// is shown. It blocks for seconds, in which no timer fires, so these calls draw the display.

export interface Phase {
  /** For example `reading`. A phase that begins again, as for the next site, starts over. */
  readonly name: string;
  /** What is counted, such as `lines`. */
  readonly unit?: string;
  /** The amount of work in units, or in what `add` reports as a share, such as bytes of a file. */
  readonly total?: number;
  /** Units that were done before the phase began. */
  readonly done?: number;
  /** More text to show; called when the display is drawn. */
  readonly note?: () => string;
}

export interface Progress {
  /** Ends the phase before it. */
  begin(phase: Phase): void;
  /** Adds units. `share` is their part of the total, if it is not counted in units. */
  add(units: number, share?: number): void;
  /** Says that time has passed: for code that waits. */
  tick(): void;
}

/** Report when `count & PROGRESS_MASK` is 0: every 10 to 1,000 µs of work. */
export const PROGRESS_MASK = 4095;

/** Yields all `items` and counts each as one unit. */
export function* counted<T>(items: Iterable<T>, progress: Progress | undefined): Generator<T> {
  let count = 0;
  for (const item of items) {
    if ((++count & PROGRESS_MASK) === 0) progress?.add(PROGRESS_MASK + 1);
    yield item;
  }
  progress?.add(count & PROGRESS_MASK);
}

/** For parts of a job whose own phases would be too short to show: passes on ticks only. */
export function ticking(progress: Progress | undefined): Progress | undefined {
  if (progress === undefined) return undefined;
  const tick = () => progress.tick();
  return { begin: tick, add: tick, tick };
}
