// Shows the progress of long work: a line on a terminal that is redrawn, and with `--verbose` the time of each phase.
//
// The work is synchronous for long stretches, so the calls that report progress draw the line. While the program waits
// for events instead, such as answers of a site, a timer draws it.
import { constants } from 'node:os';
import { formatSize } from '../../base/amounts.js';
import type { Messages } from '../../base/effects.js';
import type { Phase, Progress } from '../../base/progress.js';
import { scratchUse } from '../../base/scratch.js';
import { nextSignals } from './signals.js';

/** Shorter work gets no progress line. */
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

  /** Ends the progress line: nothing is drawn afterwards. */
  async finish(): Promise<void> {
    this.#end();
    clearInterval(this.#timer);
    await this.#line?.end();
  }

  /** The times of all phases, one line each, in the order in which they first began. */
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

// The progress line, cut to the width of the terminal:
//
//   reading  1,234,567 lines  62%  1,900,000 a second  0:03 left  1.2 GiB on disk
//   counting pairs  12,345 pairs  0:07  1.2 GiB on disk               without a total: how long it has taken

export interface LineState {
  readonly name: string;
  readonly unit: string | undefined;
  readonly units: number;
  /** Share of `total`, which is 0 if it is unknown. */
  readonly share: number;
  readonly total: number;
  readonly ms: number;
  /** Bytes on disk at this moment. */
  readonly spilled: number;
  readonly note: string;
}

/** Before this, the time left cannot be estimated. */
const MIN_RATE_MS = 500;

/** At most `columns` - 1 characters, as some terminals wrap a line that reaches the last column. */
export function progressLine(state: LineState, columns: number): string {
  const { name, unit, units, share, total, ms, spilled, note } = state;
  const isRated = ms >= MIN_RATE_MS && share > 0;
  const hasShare = total > 0 && share <= total;
  const parts = [
    name,
    unit === undefined || units === 0 ? '' : amount(units, unit),
    hasShare ? `${Math.floor((100 * share) / total)}%` : '',
    isRated && unit !== undefined && units > 0 ? `${rateOf((1000 * units) / ms, unit)} a second` : '',
    hasShare && isRated ? `${clock(999 + (ms * (total - share)) / share)} left` : clock(ms),
    note,
    spilled === 0 ? '' : `${formatSize(spilled)} on disk`,
  ];
  const text = parts.filter((part) => part !== '').join('  ');
  return text.length < columns ? text : text.slice(0, Math.max(0, columns - 1));
}

/** Such as `1,234 lines`, or a size if the unit is bytes. */
function amount(units: number, unit: string): string {
  return unit === 'bytes' ? formatSize(units) : `${units.toLocaleString('en-US')} ${unit}`;
}

/** A rate with two significant digits: nobody can read more of a number that changes. */
function rateOf(rate: number, unit: string): string {
  if (unit === 'bytes') return formatSize(Math.round(rate));
  return Number(rate.toPrecision(2)).toLocaleString('en-US');
}

/** Minutes and seconds, with hours before them if there are any. */
export function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const two = (n: number) => String(n).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}

/**
 * The last line of a terminal while a command runs. It is redrawn again and again, and erased before anything else is
 * printed.
 */
const ERASE = '\r\x1b[K';
/** Turns line wrapping off while the line is drawn: the terminal may have become narrower in the meantime. */
const NO_WRAP = '\x1b[?7l';
const WRAP = '\x1b[?7h';
/** Assumed width of a terminal that does not report it. */
const COLUMNS = 80;

export class StatusLine {
  readonly #terminal: Messages;
  #isDrawn = false;
  #isHeard = false;
  #isOver = false;
  #isAtStart = true;

  constructor(terminal: Messages) {
    this.#terminal = terminal;
  }

  /** `text` gets the width of the terminal and returns one line, safe to print. */
  show(text: (columns: number) => string): void {
    if (this.#isOver || !this.#isAtStart) return;
    if (!this.#isHeard) process.once('SIGINT', this.#onInterrupt);
    this.#isHeard = this.#isDrawn = true;
    this.#terminal.write(`\r${NO_WRAP}${text(this.#terminal.columns || COLUMNS)}\x1b[K${WRAP}`);
  }

  clear(): void {
    if (!this.#isDrawn) return;
    this.#isDrawn = false;
    this.#terminal.write(ERASE);
  }

  /**
   * Ends the line: nothing is drawn afterwards. If a Ctrl-C could not be handled until now, it ends the process here.
   */
  async end(): Promise<void> {
    this.clear();
    this.#isOver = true;
    if (!this.#isHeard) return;
    await nextSignals();
    process.removeListener('SIGINT', this.#onInterrupt);
  }

  /**
   * Call this before writing anything else to the terminal. It erases the line, and notes whether `text` ends a line.
   */
  giveWay(text: string | Uint8Array): void {
    this.clear();
    if (text.length > 0) this.#isAtStart = text.at(-1) === (typeof text === 'string' ? '\n' : 0x0a);
  }

  /**
   * Handles Ctrl-C: erases the line for good, and ends the process as usual unless another handler is installed too.
   */
  readonly #onInterrupt = (): void => {
    this.clear();
    this.#isOver = true;
    if (process.listenerCount('SIGINT') === 0) process.kill(process.pid, constants.signals.SIGINT);
  };
}
