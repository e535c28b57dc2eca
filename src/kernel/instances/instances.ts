// Sets up and tears down the making of instances. A bucket goes from the queue (bucket-queue) through the filter for
// repeats (repeat) to its pairs (instance) and their rows (instance-rows).
import { addQueued, endQueue } from './bucket-queue';
import { beginPairs } from './instance';
import { endRows, handOnRows } from './instance-rows';
import { beginOverlap, endOverlap } from './overlap';
import { beginRepeats, endRepeats } from './repeat';

/**
 * Begins instances for the current site: all buckets become instances, and URLs of crawler traps are marked. `tokens`
 * is a column of u16, `traps` one of u8. `endInstances` frees the memory of the site.
 */
export function beginInstances(S: i32, T_low: i32, T_high: i32, similarity: i32, tokens: usize, traps: usize): void {
  endInstances();
  beginPairs(T_low, traps);
  beginOverlap(tokens, similarity != 0);
  beginRepeats(S, T_high);
}

/** Passes on the rows of all buckets so far. */
export function handOnRest(): void {
  addQueued();
  handOnRows();
}

export function endInstances(): void {
  endQueue();
  endRepeats();
  endOverlap();
  endRows();
}
