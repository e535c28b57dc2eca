// When may a request be sent to a host? Each host has a queue of requests:
//
//   start       ├─ request ─┤        ├ request ┤
//   ────────────┼───────────┴────────┼─────────┴──▶
//               └──── interval ──────┘
//
// A host gets one request at a time, and their starts are at least an interval apart: the interval of `--rate`, or the
// crawl-delay of the host if that is longer. A host is a name, with any scheme and port, since they are the same
// machine. `Retry-After` delays the next start. A host that asks for too long a pause, or fails too often in a row, is
// closed: it gets no more requests.
import type { UnavailableReason } from '../source.js';

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after this time, or as soon as the signal fires. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** Node fires longer timers immediately, so longer waits are split. */
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

/** Failures in a row (no answer, 429, 5xx) after which a host is closed. */
const MAX_FAILURES = 5;
/** The longest `Retry-After` that is waited for. */
const MAX_RETRY_AFTER_MS = 120_000;

export interface HostLine {
  /** The reason why the host is closed; undefined if it is open. */
  readonly closed: UnavailableReason | undefined;
  /** Waits for a turn and runs `task`. Undefined if the host was closed in the meantime, or after the signal. */
  take<T>(task: () => Promise<T>): Promise<T | undefined>;
  /** Sets a longer interval, in milliseconds. */
  slowDown(intervalMs: number): void;
  succeeded(): void;
  failed(): void;
  /** Delays the next start; false if that is too long, which closes the host. */
  pause(ms: number): boolean;
  close(reason: UnavailableReason): void;
}

/** The queues of hosts, one per name. */
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

  /** Checks again after each sleep: another request may have asked for a pause, or closed the host. */
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
      tail = turn.catch(() => undefined); // the caller sees the error; the next request does not care
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

/** The milliseconds of a `Retry-After` header: seconds, or a date. Undefined if there is none or it is invalid. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  // Every form of an HTTP date has a month in letters; `Date.parse` alone accepts almost anything.
  const time = /[a-z]{3}/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : Math.max(0, time - now);
}
