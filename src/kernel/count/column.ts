// The instances of a core, as the trees hold them: a node is a range of a column of such entries. Everything that a
// node needs of an instance, except the text of its URL, is in the entry.
//
//   an entry   | core u32 | bytes of the URL before the core u16, behind it u16 | shape i32 | index in the group i32 |
//   core       where it is in the URL `from`; for lists on disk, the row
import { page } from '../memory/calls';
import { coreOffsetAt, fromAt, fromBytes, shapeAt, shapeNumberAt, toAt } from './group';
import { isPaged, lengthOf, urlAt } from '../list/site';

export const ENTRY: usize = 16;
/** Where the bytes before and behind the core stand. */
export const BEFORE: usize = 4;
export const BEHIND: usize = 6;

/** Writes the first `count` instances of a group from `column` on. */
export function fillColumn(group: usize, column: usize, count: i32): void {
  let entry = column;
  for (let index = 0; index < count; index++, entry += ENTRY) {
    const row = fromAt(group, index);
    const before = coreOffsetAt(group, index);
    const shape = shapeNumberAt(group, index);
    const behind = <i32>lengthOf(row) - before - fromBytes(shapeAt(group, shape));
    store<u32>(entry, isPaged ? row : <u32>(urlAt(row) + <usize>before));
    store<u32>(entry, before | (behind << 16), BEFORE);
    store<i32>(entry, shape, 8);
    store<i32>(entry, index, 12);
  }
}

/** Where the core of `from` is. Good until the second next call. */
export function coreOf(entry: usize): usize {
  const core = <usize>load<u32>(entry);
  return isPaged ? page(<i32>core) + beforeOf(entry) : core;
}

/** The same for entries with one text around a core at one place. */
export function placeOf(entry: usize): u64 {
  return load<u64>(entry);
}

export function beforeOf(entry: usize): usize {
  return <usize>load<u16>(entry, BEFORE);
}

export function behindOf(entry: usize): usize {
  return <usize>load<u16>(entry, BEHIND);
}

export function shapeOf(entry: usize): i32 {
  return load<i32>(entry, 8);
}

export function indexOf(entry: usize): i32 {
  return load<i32>(entry, 12);
}

export function copyEntry(to: usize, from: usize): void {
  v128.store(to, v128.load(from));
}

/** True if two instances are of one pair of URLs. */
export function isSamePair(group: usize, a: usize, b: usize): bool {
  const i = indexOf(a);
  const j = indexOf(b);
  return fromAt(group, i) == fromAt(group, j) && toAt(group, i) == toAt(group, j);
}
