// All that JavaScript can call.
export { openHeap, alloc, free, heapBytes, take, takeZeros, mark, release } from './heap';
export { useSite } from './site';
export { newWalk } from './walk-columns';
export { beginBuckets } from './bucket';
export { addRoot, beginWalk, endWalk, walkOn } from './walk';
