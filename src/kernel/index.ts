// All that JavaScript can call.
export { openHeap, alloc, free, heapBytes, take, takeZeros, mark, release } from './heap';
export { useSite } from './site';
export { readPlain } from './plain-lines';
export { newTable, clearTable, freezeTable, dropTable, addRecords } from './url-table';
export { collateTo } from './collate';
export { fillForward, setForward } from './forward';
export { sortStrings } from './sort';
export { lastCutBefore, makeNodes } from './cuts';
export { findCuts } from './cut-choice';
export { countSites, findStretches } from './stretches';
export { joinStretches, scatter, sortStretches } from './stretch-sort';
