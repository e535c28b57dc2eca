// All that JavaScript can call.
export { openHeap, alloc, free, heapBytes, take, takeZeros, mark, release } from './heap';
export { useSite } from './site';
export { addBuckets } from './buckets';
export { beginInstances, endInstances } from './instance';
export { handOnRest } from './instance-rows';
export { isSimilar } from './similar';
