// Where does making instances begin and end? A bucket goes from the queue (bucket-queue) through the filter for repeats
// (repeat) to its pairs (instance) and their rows (instance-rows); all of these are set up and torn down here.
import { addQueued, endQueue } from './bucket-queue';
import { beginPairs } from './instance';
import { endRows, handOnRows } from './instance-rows';
import { beginOverlap, endOverlap } from './overlap';
import { beginRepeats, endRepeats } from './repeat';

/**
 * For the present site, of which `tokens` is a column of u16: instances are taken out of all buckets from now on. What
 * is kept for the site is given back by `endInstances`.
 */
export function beginInstances(S: i32, T_low: i32, T_high: i32, similarity: i32, tokens: usize): void {
  endInstances();
  beginPairs(T_low);
  beginOverlap(tokens, similarity != 0);
  beginRepeats(S, T_high);
}

/** Hands on the rows of all buckets that came. */
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
