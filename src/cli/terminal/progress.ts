// Shows the progress of long work: on a terminal a line that is redrawn, and for `--verbose` how long each phase took.
//
// The work is synchronous for long stretches, so the line is drawn by the calls that report progress; while the program
// waits for events instead, such as answers of a site, a timer draws it.
import type { Phase, Progress } from '../../base/progress.js';
import { scratchUse } from '../../base/scratch.js';
import { amount, progressLine } from './progress-line.js';
import type { StatusLine } from './status-line.js';

/** Work that takes no longer needs no line. */
const AFTER_MS = 1000;
const EVERY_MS = 100;

interface PhaseTimes {
  readonly name: string;
  readonly unit: string | undefined;
  units: number;
  ms: number;
}

export class ShownProgress implements Progress {
  readonly #line: StatusLine | undefined;
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #times = new Map<string, PhaseTimes>();
  #phase: Phase | undefined;
  #units = 0;
  #share = 0;
  #since = 0;
  #next: number;
  readonly #now: () => number;

  /** Draws on `line`, if there is one; `now` gives milliseconds. */
  constructor(line: StatusLine | undefined, now = () => performance.now()) {
    this.#line = line;
    this.#now = now;
    this.#next = now() + AFTER_MS;
    if (line !== undefined) this.#timer = setInterval(() => this.tick(), EVERY_MS).unref();
  }

  begin(phase: Phase): void {
    this.#end();
    this.#phase = phase;
    this.#units = this.#share = phase.done ?? 0;
    this.#since = this.#now();
    this.tick();
  }

  add(units: number, share = units): void {
    this.#units += units;
    this.#share += share;
    this.tick();
  }

  tick(): void {
    if (this.#line === undefined) return;
    const now = this.#now();
    if (now < this.#next || this.#phase === undefined) return;
    this.#next = now + EVERY_MS;
    const { name, unit, total = 0, note } = this.#phase;
    const state = { name, unit, units: this.#units, share: this.#share, total, ms: now - this.#since };
    this.#line.show((columns) => progressLine({ ...state, spilled: scratchUse().now, note: note?.() ?? '' }, columns));
  }

  /** Nothing is drawn after this. */
  async finish(): Promise<void> {
    this.#end();
    clearInterval(this.#timer);
    await this.#line?.end();
  }

  /** A line for each phase, in the order in which they first began. */
  report(): string {
    const times = [...this.#times.values()];
    const width = Math.max(0, ...times.map(({ name }) => name.length));
    return times
      .map(({ name, unit, units, ms }) => {
        const what = unit === undefined || units === 0 ? '' : `  ${amount(units, unit)}`;
        return `${name.padEnd(width)}  ${(ms / 1000).toFixed(2).padStart(8)} s${what}\n`;
      })
      .join('');
  }

  #end(): void {
    const phase = this.#phase;
    if (phase === undefined) return;
    const { name, unit, done = 0 } = phase;
    const times = this.#times.get(name) ?? { name, unit, units: 0, ms: 0 };
    times.units += this.#units - done;
    times.ms += this.#now() - this.#since;
    this.#times.set(name, times);
    this.#phase = undefined;
  }
}
