// All that JavaScript can call.
export { openHeap, alloc, free, heapBytes, take, takeZeros, mark, release } from './heap';
export { useSite } from './site';
export { sortRows } from './sort-rows';
export { pairLines } from './pair-lines';
export { pairRows } from './pair-rows';
