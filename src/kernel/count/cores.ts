// The cores of some entries (deal), with the number of rows and witnesses of each: a hash table in the arena.
//
//   a slot   | number of a core + 1 u32 |      0: none
import { ENTRY, Entry } from './deal';
import { take, takeZeros } from '../memory/heap';
import { mixed } from '../text/text';

@unmanaged
class Core {
  hash: u64;
  rows: u32;
  witnesses: u32;
  /** Cursor for its next key; 0 if it has too few witnesses. */
  key: u32;
}

const CORE: usize = 24;
const FEWEST: i32 = 256;

let cores: usize = 0;
let slots: usize = 0;
let mask: u32 = 0;
let room: i32 = 0;
export let coreCount: i32 = 0;

/** Begins a table in the arena. */
export function clearCores(): void {
  coreCount = 0;
  room = FEWEST;
  cores = take(<usize>FEWEST * CORE);
  takeSlots();
}

/** Allocates two slots for each core of the capacity. */
function takeSlots(): void {
  mask = <u32>(2 * room - 1);
  slots = takeZeros((<usize>room) << 3);
}

/** Adds entries to the table; in each entry, the number of its core replaces the hash. */
export function fileEntries(entry: usize, end: usize): void {
  let number: i32 = -1;
  let core = changetype<Core>(0);
  for (; entry < end; entry += ENTRY) {
    const hash = changetype<Entry>(entry).hash;
    if (number < 0 || core.hash != hash) {
      number = numberOf(hash);
      core = coreAt(number);
    }
    core.rows++;
    core.witnesses += changetype<Entry>(entry).place & 1;
    store<i32>(entry, number);
  }
}

function numberOf(hash: u64): i32 {
  let slot = firstSlot(hash);
  for (; ; slot = (slot + 1) & mask) {
    const number = load<u32>(slots + ((<usize>slot) << 2));
    if (number == 0) break;
    if (coreAt(<i32>number - 1).hash == hash) return <i32>number - 1;
  }
  if (coreCount == room) {
    widen();
    slot = freeSlot(hash);
  }
  return add(slot, hash);
}

function add(slot: u32, hash: u64): i32 {
  const number = coreCount++;
  store<i32>(slots + ((<usize>slot) << 2), number + 1);
  const core = coreAt(number);
  core.hash = hash;
  core.rows = core.witnesses = 0;
  return number;
}

/** The old table stays in the arena until the part is done. It is never larger than the new one. */
function widen(): void {
  const before = cores;
  cores = take(<usize>(2 * room) * CORE);
  memory.copy(cores, before, <usize>room * CORE);
  room *= 2;
  takeSlots();
  for (let number = 0; number < coreCount; number++) {
    store<i32>(slots + ((<usize>freeSlot(coreAt(number).hash)) << 2), number + 1);
  }
}

function freeSlot(hash: u64): u32 {
  let slot = firstSlot(hash);
  while (load<u32>(slots + ((<usize>slot) << 2)) != 0) slot = (slot + 1) & mask;
  return slot;
}

/** Skips the last bits, which are the same in all hashes of a part. */
function firstSlot(hash: u64): u32 {
  return (<u32>(mixed(hash) >> 24)) & mask;
}

function coreAt(number: i32): Core {
  return changetype<Core>(cores + <usize>number * CORE);
}

/** Number of rows whose core has at least `least` witnesses. */
export function wantedRows(least: i32): i32 {
  let wanted: i32 = 0;
  for (let number = 0; number < coreCount; number++) {
    const core = coreAt(number);
    if (<i32>core.witnesses >= least) wanted += <i32>core.rows;
  }
  return wanted;
}

/** Assigns a range of keys to each core with at least `least` witnesses: one key per row. */
export function openKeys(keys: usize, least: i32): void {
  for (let number = 0; number < coreCount; number++) {
    const core = coreAt(number);
    const isWanted = <i32>core.witnesses >= least;
    core.key = isWanted ? <u32>keys : 0;
    if (isWanted) keys += (<usize>core.rows) << 3;
  }
}

/** Writes the keys of these entries: | place u32 | from u32 |. */
export function fillKeys(entry: usize, end: usize): void {
  for (; entry < end; entry += ENTRY) {
    const core = coreAt(load<i32>(entry));
    const key = <usize>core.key;
    if (key == 0) continue;
    store<u64>(key, load<u64>(entry, offsetof<Entry>('place')));
    core.key = <u32>(key + 8);
  }
}

/** Where the keys of a core end, after they were written; 0 if it has too few witnesses. */
export function keysEndOf(number: i32): usize {
  return <usize>coreAt(number).key;
}

export function rowsOf(number: i32): i32 {
  return <i32>coreAt(number).rows;
}
