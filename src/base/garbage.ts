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

/** By how much V8 lets the space for new objects grow at once, unless it is told otherwise. */
const USUAL_GROWTH = 2;

/**
 * New objects of a thread take 2 MiB from now on, not up to 48, unless they have taken more before; in the whole
 * process, until the returned function is called. What is collected more often are new objects only, which is a tenth
 * of the CPU of a run.
 */
export function keepNewObjectsFew(): () => void {
  const growBy = (factor: number) => setFlagsFromString(`--semi-space-growth-factor=${factor}`);
  growBy(1);
  return () => growBy(USUAL_GROWTH);
}
