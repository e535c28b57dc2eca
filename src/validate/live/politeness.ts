// When may this host be asked next? Each host has a line in which requests stand one behind the other:
//
//   start       ├─ request ─┤        ├ request ┤
//   ────────────┼───────────┴────────┼─────────┴──▶ time
//               └──── interval ──────┘
//
// One request at a time, their starts at least an interval apart: that of the rate, or the crawl-delay of the host
// where that is longer. A host is its name, whatever the scheme and the port, since it is the machine after it that
// does the work. `Retry-After` moves the next start. A host that asks for too long a pause, or fails too often in a
// row, is left alone.
import type { UnavailableReason } from '../source.js';

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after that time, or as soon as the signal fires. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** Node fires longer timers at once. Whoever slept too short sleeps again. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export const realClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, Math.min(ms, MAX_TIMER_MS));
      if (signal.aborted) done();
      else signal.addEventListener('abort', done);
    }),
};

/** Failures in a row (no answer, 429, 5xx) after which a host is left alone. */
const MAX_FAILURES = 5;
/** The longest `Retry-After` that is waited for. */
const MAX_RETRY_AFTER_MS = 120_000;

export interface HostLine {
  /** Why the host is left alone, once it is. */
  readonly closed: UnavailableReason | undefined;
  /** Waits for its turn and runs `task`; a task whose host was closed meanwhile, or after the signal, is not run. */
  take<T>(task: () => Promise<T>): Promise<T | undefined>;
  /** A longer interval than before, in milliseconds. */
  slowDown(intervalMs: number): void;
  succeeded(): void;
  failed(): void;
  /** Nothing starts for that long; false where that is too long and the host is closed instead. */
  pause(ms: number): boolean;
  close(reason: UnavailableReason): void;
}

/** The line of a host; one for each name. */
export function createHostLines(intervalMs: number, clock: Clock, signal: AbortSignal): (host: string) => HostLine {
  const lines = new Map<string, HostLine>();
  return (host) => {
    const name = host.replace(/\.$/, '');
    let line = lines.get(name);
    if (line === undefined) lines.set(name, (line = createLine(intervalMs, clock, signal)));
    return line;
  };
}

function createLine(firstIntervalMs: number, clock: Clock, signal: AbortSignal): HostLine {
  let tail: Promise<unknown> = Promise.resolve();
  let intervalMs = firstIntervalMs;
  let lastStart = -Infinity;
  let pausedUntil = -Infinity;
  let failures = 0;
  let closed: UnavailableReason | undefined;

  /** A pause may be asked for, or the host closed, while a request sleeps: so it looks again. */
  async function wait(): Promise<void> {
    while (closed === undefined && !signal.aborted) {
      const left = Math.max(lastStart + intervalMs, pausedUntil) - clock.now();
      if (left <= 0) return;
      await clock.sleep(left, signal);
    }
  }

  async function run<T>(task: () => Promise<T>): Promise<T | undefined> {
    await wait();
    if (closed !== undefined || signal.aborted) return undefined;
    lastStart = clock.now();
    return task();
  }

  const line = {
    get closed() {
      return closed;
    },
    take<T>(task: () => Promise<T>): Promise<T | undefined> {
      const turn = tail.then(() => run(task));
      tail = turn.catch(() => undefined); // whoever asked is told; the next one in the line is not concerned
      return turn;
    },
    slowDown: (ms: number) => void (intervalMs = Math.max(intervalMs, ms)),
    succeeded: () => void (failures = 0),
    failed() {
      if (++failures >= MAX_FAILURES) line.close('host-given-up');
    },
    pause(ms: number) {
      if (ms > MAX_RETRY_AFTER_MS) line.close('host-given-up');
      else pausedUntil = Math.max(pausedUntil, clock.now() + ms);
      return closed === undefined;
    },
    close: (reason: UnavailableReason) => void (closed ??= reason),
  };
  return line;
}

/** Milliseconds that a `Retry-After` header asks for: seconds, or a date. Undefined for none and for nonsense. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  // Every form of an HTTP date has a month in letters; `Date.parse` alone takes almost anything.
  const time = /[a-z]{3}/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : Math.max(0, time - now);
}
