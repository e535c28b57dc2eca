// Groups the instances of a partition (deal) by their cores. A hash table counts the rows and witnesses of each core;
// cores with too few are dropped. A group is put in order by sorting keys, not rows:
//
//   | place u32 | from u32 |      then, among equal `from`:   | place u32 | to u32 |
import { hashOfRow, toOfRow, witnessOfRow } from '../instances/row';
import { ROW } from '../layout/instance-row';
import { mark, release, take } from '../memory/heap';
import { sortKeys } from '../sort/passes';
import { clearCores, coreCount, fileEntries, fillKeys, keysEndOf, openKeys, rowsOf, wantedRows } from './cores';
import { entriesOf } from './deal';
import { addInstance, clearColumns, group, trimColumns } from './instance-columns';
import { countGroup } from './support';

@unmanaged
class Key {
  place: u32;
  /** Then `to`. */
  from: u32;
}

const KEY: usize = offsetof<Key>();
/** Clears the witness bit of a place: rows are at multiples of 4. */
const PLACE: usize = ~(<usize>3);

/** Rows that are prefetched at a time. */
const AT_ONCE: usize = 64;

/** Unused, but keeps prefetching loads from being optimized away. */
export let fetched: u32 = 0;
let marked: usize = 0;
let core: i32 = 0;

/** Counts the cores of a part that have at least `least` witnesses. */
export function countPart(deals: usize, count: i32, parts: i32, part: i32, least: i32): void {
  openPart(deals, count, parts, part, least);
  for (let next = nextGroup(); next != 0; next = nextGroup()) countGroup(next);
  closePart();
}

/** Finds the groups of a part in `count` deals at the given addresses. */
export function openPart(deals: usize, count: i32, parts: i32, part: i32, least: i32): void {
  marked = mark();
  core = 0;
  clearCores();
  const end = deals + ((<usize>count) << 2);
  for (let at = deals; at < end; at += 4) {
    const dealt = <usize>load<u32>(at);
    fileEntries(entriesOf(dealt, parts, part), entriesOf(dealt, parts, part + 1));
  }
  openKeys(take(<usize>wantedRows(least) * KEY), least);
  for (let at = deals; at < end; at += 4) {
    const dealt = <usize>load<u32>(at);
    fillKeys(entriesOf(dealt, parts, part), entriesOf(dealt, parts, part + 1));
  }
}

/** The next group of the part, or 0. It is valid until the next call. */
export function nextGroup(): usize {
  while (core < coreCount) {
    const end = keysEndOf(core);
    const rows = rowsOf(core++);
    if (end == 0) continue;
    fillColumns(end - <usize>rows * KEY, rows);
    return group();
  }
  return 0;
}

export function closePart(): void {
  release(marked);
  trimColumns();
}

function fillColumns(keys: usize, rows: i32): void {
  clearColumns(rows);
  sortKeys(keys, rows);
  const last = keys + <usize>rows * KEY;
  let near = keys;
  for (let start = keys; start < last;) {
    if (start >= near) near = fetch(start, last);
    const from = changetype<Key>(start).from;
    let end = start + KEY;
    while (end < last && changetype<Key>(end).from == from) end += KEY;
    if (end - start > KEY) sortByTo(start, end);
    for (; start < end; start += KEY) addInstance(rowOf(start));
  }
}

/** Prefetches the next rows: cache misses overlap. */
function fetch(keys: usize, last: usize): usize {
  const end = min(keys + AT_ONCE * KEY, last);
  let bits: u32 = 0;
  for (let key = keys; key < end; key += KEY) {
    const row = rowOf(key);
    bits |= load<u32>(row) | load<u32>(row + ROW - 4);
  }
  fetched = bits;
  return end;
}

function sortByTo(keys: usize, end: usize): void {
  for (let key = keys; key < end; key += KEY) changetype<Key>(key).from = toOfRow(rowOf(key));
  sortKeys(keys, <i32>((end - keys) / KEY));
}

function rowOf(key: usize): usize {
  return (<usize>changetype<Key>(key).place) & PLACE;
}

// Rows that come sorted from runs on disk need no table: rows with the same hash are adjacent, in the order of their
// URLs.

/** Columns with room for more rows grow: addresses are few. Those that no row gets to take no memory. */
const MOST_AT_ONCE: i32 = 1 << 23;

let hash: u64 = 0;
let witnesses: u32 = 0;
let rows: i32 = 0;

/** Begins with the first group. None has more than `most` rows. */
export function beginSorted(most: i32): void {
  rows = 0;
  clearColumns(min(most, MOST_AT_ONCE));
}

/** Adds the next `count` rows; counts the groups that end among them, if they have at least `least` witnesses. */
export function addSorted(row: usize, count: i32, least: i32): void {
  const end = row + <usize>count * ROW;
  for (; row < end; row += ROW) {
    if (rows == 0 || hashOfRow(row) != hash) {
      endSorted(least);
      hash = hashOfRow(row);
      witnesses = 0;
      clearColumns(0);
    }
    rows++;
    witnesses += witnessOfRow(row);
    addInstance(row);
  }
}

/** Counts the last group. */
export function endSorted(least: i32): void {
  if (rows > 0 && witnesses >= <u32>least) countGroup(group());
  rows = 0;
  trimColumns();
}
