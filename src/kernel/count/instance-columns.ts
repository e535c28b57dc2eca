// The group that the trees count (group.ts), in columns: all instances whose core has one hash, by `from` and then
// `to`.
//
//   a block   | group | from i32 × room | to | core offset | shape |
//
// A group is valid until the next one is begun.
import { GROUP, writeGroup } from './group';
import { alloc, free } from '../memory/heap';
import { coreOffsetOfRow, flagsOfRow, fromOfRow, toOfRow } from '../instances/row';
import { B_LOW, BORDERED, FROM_BYTES, REPEATED } from '../layout/instance-row';
import { clearShapes, repeatedShape, shapeCount, shapeOf, shapes, trimShapes } from './shapes';

const COLUMNS: usize = 4;
const FEWEST: i32 = 64;
/** A larger capacity is freed. */
const MOST_KEPT: i32 = 1 << 14;
/** A capacity from here on grows by a quarter, a smaller one is doubled. */
const MANY: i32 = 1 << 20;

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
  if (room >= wanted && room > 0) return;
  dropColumns();
  useColumns(max(wanted, FEWEST));
}

function useColumns(wanted: i32): void {
  const bytes = (<usize>wanted) << 2;
  block = alloc(GROUP + COLUMNS * bytes);
  room = wanted;
  from = block + GROUP;
  to = from + bytes;
  coreOffset = to + bytes;
  shape = coreOffset + bytes;
}

function dropColumns(): void {
  free(block);
  block = 0;
  room = 0;
}

/** Frees the memory of a large group. */
export function trimColumns(): void {
  if (room > MOST_KEPT) dropColumns();
  trimShapes();
}

function widen(): void {
  const before = block;
  const had = (<usize>room) << 2;
  useColumns(room < MANY ? 2 * room : room + (room >> 2));
  for (let column: usize = 0; column < COLUMNS; column++) {
    const wider = from + column * ((<usize>room) << 2);
    memory.copy(wider, before + GROUP + column * had, had);
  }
  free(before);
}

/** Adds the instance of a row; rows come in the order of their URLs. */
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
  store<i32>(shape + at, shapeOf(load<u64>(row, FROM_BYTES), load<u64>(row, B_LOW), flags));
  count++;
}

function isLatest(at: usize, fromUrl: u32, toUrl: u32): bool {
  return load<u32>(from + at - 4) == fromUrl && load<u32>(to + at - 4) == toUrl;
}

/** The group of the instances added so far. */
export function group(): usize {
  writeGroup(block, count, from, to, coreOffset, shape, shapeCount, shapes);
  return block;
}
