// Instances of one hash of the core, by `from` and then `to`: the group that trees count.
//
//   block    | kind u32 | bytes u32 | shapes u32 | 0 | group | from i32 × room | to | coreOffset | shape |
//   group    | count | from (address) | to | coreOffset | shape | number of shapes | shapes (address) | is shared |      i32 each
//
// A group is good until the next one is begun, unless it is shared: then its block goes to JavaScript, whose it is until all that
// threads hand on of it is counted.
import { take as handOver } from './calls';
import { alloc, free } from './heap';
import { BORDERED, coreOffsetOfRow, flagsOfRow, fromOfRow, REPEATED, toOfRow } from './row';
import { clearShapes, leaveShapes, repeatedShape, shapeCount, shapeOf, shapes, trimShapes } from './shapes';

/** Of a block of a shared group, where others have pairs (0) or branches (1). */
const SHARED_GROUP: u32 = 2;
const HEAD: usize = 16;
const GROUP: usize = 32;
const COLUMNS: usize = 4;
const FEWEST: i32 = 64;
/** Room for more instances is given back. */
const MOST_KEPT: i32 = 1 << 14;

let block: usize = 0;
let room: i32 = 0;
let count: i32 = 0;
let from: usize = 0;
let to: usize = 0;
let coreOffset: usize = 0;
let shape: usize = 0;

/** Begins a group, with room for so many instances. */
export function clearColumns(wanted: i32): void {
  count = 0;
  clearShapes();
  if (room > MOST_KEPT && wanted <= MOST_KEPT) dropColumns();
  if (wanted <= room && room > 0) return;
  dropColumns();
  useColumns(max(wanted, FEWEST));
}

function useColumns(wanted: i32): void {
  const bytes = (<usize>wanted) << 2;
  block = alloc(HEAD + GROUP + COLUMNS * bytes);
  room = wanted;
  from = block + HEAD + GROUP;
  to = from + bytes;
  coreOffset = to + bytes;
  shape = coreOffset + bytes;
}

function dropColumns(): void {
  free(block);
  block = 0;
  room = 0;
}

/** Gives back what a large group has left. */
export function trimColumns(): void {
  if (room > MOST_KEPT) dropColumns();
  trimShapes();
}

function widen(): void {
  const before = block;
  const had = (<usize>room) << 2;
  useColumns(2 * room);
  for (let column: usize = 0; column < COLUMNS; column++) {
    const wider = from + column * ((<usize>room) << 2);
    memory.copy(wider, before + HEAD + GROUP + column * had, had);
  }
  free(before);
}

/** Adds the instance of a row; they come in the order of their URLs. */
export function addInstance(row: usize): void {
  if (count == room) widen();
  const at = (<usize>count) << 2;
  const fromUrl = fromOfRow(row);
  const toUrl = toOfRow(row);
  let flags = flagsOfRow(row);
  if ((flags & BORDERED) != 0 && count > 0 && isLatest(at, fromUrl, toUrl)) {
    flags |= REPEATED;
    const before = shape + at - 4;
    store<i32>(before, repeatedShape(load<i32>(before)));
  }
  store<u32>(from + at, fromUrl);
  store<u32>(to + at, toUrl);
  store<u32>(coreOffset + at, coreOffsetOfRow(row));
  store<i32>(shape + at, shapeOf(load<u64>(row, 20), load<u64>(row, 28), flags));
  count++;
}

function isLatest(at: usize, fromUrl: u32, toUrl: u32): bool {
  return load<u32>(from + at - 4) == fromUrl && load<u32>(to + at - 4) == toUrl;
}

/** The group of those that were added. */
export function group(): usize {
  const at = block + HEAD;
  store<i32>(at, count);
  store<u32>(at, <u32>from, 4);
  store<u32>(at, <u32>to, 8);
  store<u32>(at, <u32>coreOffset, 12);
  store<u32>(at, <u32>shape, 16);
  store<i32>(at, shapeCount, 20);
  store<u32>(at, <u32>shapes, 24);
  store<i32>(at, 0, 28);
  return at;
}

/** The same, to be shared by threads: the next group is begun elsewhere. */
export function sharedGroup(): usize {
  const at = group();
  store<i32>(at, 1, 28);
  const shared = block;
  const bytes = HEAD + GROUP + COLUMNS * ((<usize>room) << 2);
  store<u32>(shared, SHARED_GROUP);
  store<u32>(shared, <u32>(bytes - HEAD), 4);
  store<u32>(shared, <u32>shapes, 8);
  store<u32>(shared, 0, 12);
  block = 0;
  room = 0;
  leaveShapes();
  handOver(shared, bytes);
  return at;
}

/** Gives a shared group back: all of it is counted. */
export function dropGroup(shared: usize): void {
  free(<usize>load<u32>(shared, 8));
  free(shared);
}
