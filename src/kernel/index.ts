// All that JavaScript can call.
export { openHeap, alloc, free, heapBytes, take, takeZeros, mark, release } from './heap';
export { useSite } from './site';
export { readPlain } from './plain-lines';
export { newTable, clearTable, freezeTable, dropTable, addRecords } from './url-table';
