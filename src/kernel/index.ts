// All that JavaScript can call.
export { openHeap, alloc, free, heapBytes, take, takeZeros, mark, release } from './heap';
export { useSite } from './site';
export { deal } from './deal';
export { countPart, openPart, nextGroup, closePart } from './groups';
export { clearColumns, addInstance, group } from './instance-columns';
export { beginSorted, addSorted, endSorted } from './sorted';
export { beginCount, countGroup, countBranches, endCount } from './support';
