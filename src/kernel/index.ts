// All that JavaScript can call.
export { openHeap, alloc, free, heapBytes, take, takeZeros, mark, release } from './heap';
export { useSite } from './site';
export { addBucket, addBuckets } from './bucket-queue';
export { beginInstances, endInstances, handOnRest } from './instance';
export { isSimilar } from './similar';
