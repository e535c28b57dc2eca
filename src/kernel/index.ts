// All that JavaScript can call.
export { openHeap, alloc, free, heapBytes, take, takeZeros, mark, release } from './heap';
export { useSite } from './site';
export { openBackward, workOnBackward, giveUpBackward, closeBackward } from './backward';
