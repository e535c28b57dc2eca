// Where do the tokens of a URL start? Needed for repetitions, where the same few URLs come again and again: a
// direct-mapped cache of recent ones.
//
//   slot      | row, or -1 | bytes there is room for | offsets at | 0 | of i32, by the last bits of the row
//   offsets   m + 1 of u16 for m tokens: where each starts, and where the last ends
import { alloc, free } from '../memory/heap';
import { lengthOf, urlAt } from '../list/site';
import { isRun } from '../text/text';

const SLOTS: usize = 64;
const SLOT: usize = 16;
let slots: usize = 0;

/** The offsets of a row of so many tokens, START and END included; valid until the next call. */
export function offsetsOf(row: i32, tokens: i32): usize {
  if (slots == 0) openSlots();
  const slot = slots + ((<usize>row) & (SLOTS - 1)) * SLOT;
  if (load<i32>(slot) != row) {
    // START and END have no bytes, and there is an end.
    makeRoom(slot, (<usize>(tokens - 1)) << 1);
    find(row, <usize>load<u32>(slot, 8));
    store<i32>(slot, row);
  }
  return <usize>load<u32>(slot, 8);
}

export function offsetAt(offsets: usize, token: i32): usize {
  return <usize>load<u16>(offsets + ((<usize>token) << 1));
}

function openSlots(): void {
  slots = alloc(SLOTS * SLOT);
  memory.fill(slots, 0, SLOTS * SLOT);
  for (let k: usize = 0; k < SLOTS; k++) store<i32>(slots + k * SLOT, -1);
}

function makeRoom(slot: usize, bytes: usize): void {
  if (bytes <= <usize>load<u32>(slot, 4)) return;
  free(<usize>load<u32>(slot, 8));
  store<u64>(slot, 0, 4);
  store<u32>(slot, <u32>alloc(bytes), 8);
  store<u32>(slot, <u32>bytes, 4);
}

function find(row: i32, offsets: usize): void {
  const url = urlAt(row);
  const length = lengthOf(row);
  let isInside: bool = false;
  for (let k: usize = 0; k < length; k++) {
    const inRun = isRun(url + k);
    if (!(inRun && isInside)) {
      store<u16>(offsets, <u16>k);
      offsets += 2;
    }
    isInside = inRun;
  }
  store<u16>(offsets, <u16>length);
}

/** Frees all of it. */
export function forgetOffsets(): void {
  if (slots == 0) return;
  for (let k: usize = 0; k < SLOTS; k++) free(<usize>load<u32>(slots + k * SLOT, 8));
  free(slots);
  slots = 0;
}
