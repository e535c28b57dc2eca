// The other side of `crew`: what runs in a thread.
import { workerData } from 'node:worker_threads';
import { UserError } from './error.js';
import type { FromMember, MemberData } from './crew.js';

/** Sends the caller something; what is in `transfer` goes over to it. */
export type Send<R> = (value: R, transfer?: readonly ArrayBuffer[]) => void;

/** Does the tasks that come, one after another. To be called once by the module of a thread. */
export function serve<T, R>(perform: (task: T, send: Send<R>) => void): void {
  const { port, ready } = workerData as MemberData;
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
  Atomics.add(ready, 1, 1);
  Atomics.notify(ready, 1);
}
