// The instances of a core, as the trees hold them: a node is a range of a column of entries. An entry has everything
// that a node needs of an instance, except the text of its URL.
import { page } from '../memory/calls';
import { coreOffsetAt, fromAt, fromBytes, shapeAt, shapeNumberAt, toAt } from './group';
import { isPaged, lengthOf, urlAt } from '../list/site';

@unmanaged
class Entry {
  /** The address of the core in the URL `from`; for lists on disk, the row. */
  core: u32;
  /** Bytes of the URL before the core, and after it. */
  before: u16;
  behind: u16;
  shape: i32;
  /** The number of the instance in the group. */
  index: i32;
}

export const ENTRY: usize = offsetof<Entry>();
export const BEFORE: usize = offsetof<Entry>('before');
export const BEHIND: usize = offsetof<Entry>('behind');

/** Writes the first `count` instances of a group from `column` on. */
export function fillColumn(group: usize, column: usize, count: i32): void {
  let entry = column;
  for (let index = 0; index < count; index++, entry += ENTRY) {
    const row = fromAt(group, index);
    const before = coreOffsetAt(group, index);
    const shape = shapeNumberAt(group, index);
    const behind = <i32>lengthOf(row) - before - fromBytes(shapeAt(group, shape));
    changetype<Entry>(entry).core = isPaged ? row : <u32>(urlAt(row) + <usize>before);
    store<u32>(entry, before | (behind << 16), BEFORE);
    changetype<Entry>(entry).shape = shape;
    changetype<Entry>(entry).index = index;
  }
}

/** The address of the core in `from`. Valid until the second next call. */
export function coreOf(entry: usize): usize {
  const core = <usize>changetype<Entry>(entry).core;
  return isPaged ? page(<i32>core) + beforeOf(entry) : core;
}

/** Equal for entries with equal text around a core at the same address. */
export function placeOf(entry: usize): u64 {
  return load<u64>(entry);
}

export function beforeOf(entry: usize): usize {
  return <usize>changetype<Entry>(entry).before;
}

export function behindOf(entry: usize): usize {
  return <usize>changetype<Entry>(entry).behind;
}

export function shapeOf(entry: usize): i32 {
  return changetype<Entry>(entry).shape;
}

export function indexOf(entry: usize): i32 {
  return changetype<Entry>(entry).index;
}

export function copyEntry(to: usize, from: usize): void {
  v128.store(to, v128.load(from));
}

/** True if two instances belong to the same pair of URLs. */
export function isSamePair(group: usize, a: usize, b: usize): bool {
  const i = indexOf(a);
  const j = indexOf(b);
  return fromAt(group, i) == fromAt(group, j) && toAt(group, i) == toAt(group, j);
}
