// All that JavaScript can call.
export { openHeap, alloc, free, heapBytes, take, takeZeros, mark, release } from './heap';
export { useSite } from './site';
export { fillForward, setForward } from './forward';
export { countSites, findStretches } from './stretches';
export { findCuts } from './cut-choice';
export { joinStretches, scatter, sortStretches } from './stretch-sort';
export { readPlain } from './plain-lines';
export { newTable, clearTable, freezeTable, dropTable, addRecords } from './url-table';
export { newWalk } from './walk-columns';
export { beginBuckets } from './bucket';
export { addRoot, beginWalk, endWalk, walkOn } from './walk';
export { addBucket, addBuckets } from './buckets';
export { beginInstances, endInstances, handOnRest } from './instance';
export { isSimilar } from './similar';
