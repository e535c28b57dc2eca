// The worker side of `crew`: what runs in a thread.
import { readlinkSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { UserError } from './error.js';
import { joinHeap } from './heap.js';
import type { FromMember, MemberData } from './crew.js';

/** Sends the caller a value; the buffers in `transfer` are moved to it. */
export type Send<R> = (value: R, transfer?: readonly ArrayBuffer[]) => void;

/** Performs tasks as they come, one after another. The module of a thread calls this once. */
export function serve<T, R>(perform: (task: T, send: Send<R>) => void): void {
  const { port, ready, slot, heap } = workerData as MemberData;
  joinHeap(heap);
  const post = (message: FromMember<R>, transfer: readonly ArrayBuffer[] = []) => {
    port.postMessage(message, transfer);
    Atomics.add(ready, 0, 1);
    Atomics.notify(ready, 0);
  };
  port.on('message', (task: T) => {
    try {
      perform(task, (value, transfer) => post({ kind: 'part', value }, transfer));
      post({ kind: 'done' });
    } catch (error) {
      if (error instanceof UserError) post({ kind: 'refused', message: error.message });
      else post({ kind: 'failed', stack: error instanceof Error ? String(error.stack) : String(error) });
    }
  });
  ready[slot] = ownNumber();
  Atomics.add(ready, 1, 1);
  Atomics.notify(ready, 1);
}

/** The system's number of this thread (tid), or 0 if it is not known. */
function ownNumber(): number {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1)) || 0;
  } catch {
    return 0; // not Linux, or /proc is hidden: then the death of a thread goes unnoticed
  }
}
