// How much garbage may there be?
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let collect: (() => void) | undefined;

/**
 * Forces a garbage collection where V8 would not start one: otherwise unreferenced columns of hundreds of megabytes
 * would stay.
 */
export function collectGarbage(): void {
  if (collect === undefined) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  collect();
}

/**
 * Has V8 collect garbage before its heap is a third larger than what is in use, instead of three times as large, in all
 * threads; and new objects take 2 MiB of a thread instead of up to 48. With 232,092 rules in memory the process takes
 * 206 MiB instead of 297 while they are written, and half as much CPU again.
 */
export function collectOften(): void {
  setFlagsFromString('--optimize-for-size');
  setFlagsFromString('--semi-space-growth-factor=1');
}
