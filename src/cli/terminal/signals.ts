// Ctrl-C and SIGTERM. While the tables are computed the system's default is right: the process ends immediately with
// 128 + signal, and scratch files have no names, so none are left. Only an output file that is being written needs
// cleaning up, so handlers are installed just for that time; otherwise they would wait for the synchronous loops to
// end.
import { runInNewContext } from 'node:vm';
import type { Effects } from '../../base/effects.js';
import { releaseLocks } from '../../base/lock.js';
import { removeUnfinished } from '../../base/output.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs `work`; a signal meanwhile removes half-written output and then ends the process as it would have anyway. Work
 * that finds that it cannot let a handler run soon calls `unguard`: a signal then ends the process at once.
 */
export async function guardingOutput<T>(work: (unguard: () => void) => Promise<T>): Promise<T> {
  const stop = (signal: NodeJS.Signals) => {
    removeUnfinished();
    releaseLocks();
    unguard();
    process.kill(process.pid, signal);
  };
  const unguard = () => {
    for (const name of SIGNALS) process.removeListener(name, stop);
  };
  for (const name of SIGNALS) process.on(name, stop);
  try {
    return await work(unguard);
  } finally {
    unguard();
  }
}

/**
 * From now on a signal calls `release`, and then ends the process as it would have anyway. Returns how to undo that.
 */
export function onSignal(release: () => void): () => void {
  const undo = () => {
    for (const name of SIGNALS) process.removeListener(name, stop);
  };
  const stop = (signal: NodeJS.Signals) => {
    release();
    undo();
    process.kill(process.pid, signal);
  };
  for (const name of SIGNALS) process.on(name, stop);
  return undo;
}

/**
 * Runs `work`, whose signal is aborted when Ctrl-C or SIGTERM asks it to finish. Once it has, the process ends as the
 * signal would have ended it; a second signal does not wait.
 */
export async function endedBySignal<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  let received: NodeJS.Signals | undefined;
  const release = () => {
    for (const name of SIGNALS) process.removeListener(name, stop);
  };
  const stop = (signal: NodeJS.Signals) => {
    release();
    received = signal;
    controller.abort();
  };
  for (const name of SIGNALS) process.on(name, stop);
  try {
    return await work(controller.signal);
  } finally {
    release();
    if (received !== undefined) process.kill(process.pid, received);
  }
}

/** Ctrl-C during a computation. `main` catches it, and ends the program as the signal would have. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/**
 * Runs `work`, which is synchronous. If its progress is shown, throws {@link Interrupted} at Ctrl-C, as the line has to
 * be erased from the terminal first. No handler would run before the work is over; `vm` has a thread that waits for the
 * signal. Starting it takes 0.3 ms.
 */
export async function computed<T>(work: () => T, { progress }: Pick<Effects, 'progress'>): Promise<T> {
  if (progress === undefined) return work();
  if (process.listenerCount('SIGINT') > 0) await (signalsDelivered ??= nextSignals());
  return interruptible(work);
}

let signalsDelivered: Promise<void> | undefined;
const SIGNAL_MS = 20;

/**
 * Resolves once any signal that has arrived by now was delivered. Ctrl-C also ends the process that feeds a pipe, and
 * end of input may be noticed before the signal, which goes through another thread; then the long work that it should
 * prevent would begin.
 */
export function nextSignals(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, SIGNAL_MS));
}

function interruptible<T>(work: () => T): T {
  try {
    return runInNewContext('work()', { work }, { breakOnSigint: true }) as T;
  } catch (error) {
    // It comes from another context, where no error is an instance of our classes.
    if ((error as { code?: unknown }).code !== 'ERR_SCRIPT_EXECUTION_INTERRUPTED') throw error;
    removeUnfinished();
    throw new Interrupted('interrupted by Ctrl-C');
  }
}

/** Ends the process as Ctrl-C does without a handler. */
export function endInterrupted(): void {
  process.removeAllListeners('SIGINT');
  process.kill(process.pid, 'SIGINT');
}
