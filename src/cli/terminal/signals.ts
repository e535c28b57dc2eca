// How do Ctrl-C and SIGTERM end the program? While tables are computed, the default is right: the process ends at once
// with 128 + signal, and scratch files leave nothing behind, as they have no names. Only a half-written output file
// needs cleaning up. So handlers are installed only while one is written; at other times a handler would have to wait
// for the synchronous loops to end.
import { runInNewContext } from 'node:vm';
import type { Effects } from '../../base/effects.js';
import { releaseLocks } from '../../base/lock.js';
import { removeUnfinished } from '../../base/output.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs `work`. A signal in the meantime removes half-written output and then ends the process as it would have without
 * a handler. Work that is about to block the event loop calls `unguard`: a signal then ends the process at once.
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
 * Installs a handler: a signal calls `release`, and then ends the process as it would have anyway. Returns the function
 * that removes the handler.
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
 * Runs `work` with an AbortSignal, which Ctrl-C or SIGTERM aborts. Once the work has finished, the process ends as the
 * signal would have ended it; a second signal ends it at once.
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
 * Runs synchronous `work`. If its progress is shown, Ctrl-C throws {@link Interrupted}, so that the line can be erased
 * from the terminal first. A handler could not run before the work is over, but `vm` has a thread that waits for the
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
 * Resolves after any signal that has arrived by now was delivered. Ctrl-C also ends the process that feeds a pipe, and
 * the end of input may be noticed before the signal, which takes the way through another thread. Without the wait, the
 * long work would begin that the user wanted to stop.
 */
export function nextSignals(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, SIGNAL_MS));
}

function interruptible<T>(work: () => T): T {
  try {
    return runInNewContext('work()', { work }, { breakOnSigint: true }) as T;
  } catch (error) {
    // The error comes from another vm context, where `instanceof` fails for our classes.
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
