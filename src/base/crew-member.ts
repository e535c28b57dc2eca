// The other side of `crew`: what runs in a thread.
import { readlinkSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { UserError } from './error.js';
import { joinHeap } from './heap.js';
import type { FromMember, MemberData } from './crew.js';

/** Sends the caller something; what is in `transfer` goes over to it. */
export type Send<R> = (value: R, transfer?: readonly ArrayBuffer[]) => void;

/** Does the tasks that come, one after another. To be called once by the module of a thread. */
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

/** The system's number of this thread, or 0 where it has none to show. */
function ownNumber(): number {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1)) || 0;
  } catch {
    return 0; // not Linux, or /proc is hidden: then a thread that dies is not missed
  }
}
