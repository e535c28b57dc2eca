// Finds where the tokens of a URL start. Repetitions need that for the same few URLs again and again, so a
// direct-mapped cache has the recent ones.
//
//   slot      | row, or -1 | capacity in bytes | offsets at | 0 | of i32, by the last bits of the row
//   offsets   m + 1 of u16 for m tokens: where each starts, and where the last ends
import { alloc, free } from '../memory/heap';
import { lengthOf, urlAt } from '../list/site';
import { isInEscape, isRun } from '../text/text';

@unmanaged
class Slot {
  /** -1 if the slot is empty. */
  row: i32;
  /** Capacity in bytes. */
  room: usize;
  offsets: usize;
}

const SLOTS: usize = 64;
/** A power of two. */
const SLOT: usize = 16;
let slots: usize = 0;

/** The offsets of a row with so many tokens, including START and END; valid until the next call. */
export function offsetsOf(row: i32, tokens: i32): usize {
  if (slots == 0) openSlots();
  const slot = slotAt((<usize>row) & (SLOTS - 1));
  if (slot.row != row) {
    // START and END have no bytes, and one offset more is the end.
    makeRoom(slot, (<usize>(tokens - 1)) << 1);
    find(row, slot.offsets);
    slot.row = row;
  }
  return slot.offsets;
}

export function offsetAt(offsets: usize, token: i32): usize {
  return <usize>load<u16>(offsets + ((<usize>token) << 1));
}

function slotAt(k: usize): Slot {
  return changetype<Slot>(slots + k * SLOT);
}

function openSlots(): void {
  slots = alloc(SLOTS * SLOT);
  memory.fill(slots, 0, SLOTS * SLOT);
  for (let k: usize = 0; k < SLOTS; k++) slotAt(k).row = -1;
}

function makeRoom(slot: Slot, bytes: usize): void {
  if (bytes <= slot.room) return;
  free(slot.offsets);
  slot.room = slot.offsets = 0;
  slot.offsets = alloc(bytes);
  slot.room = bytes;
}

function find(row: i32, offsets: usize): void {
  const url = urlAt(row);
  const length = lengthOf(row);
  let isInside: bool = false;
  for (let k: usize = 0; k < length; k++) {
    const inRun = isRun(url + k);
    if (!(inRun && isInside) && !isInEscape(url + k)) {
      store<u16>(offsets, <u16>k);
      offsets += 2;
    }
    isInside = inRun;
  }
  store<u16>(offsets, <u16>length);
}

/** Frees the cache. */
export function forgetOffsets(): void {
  if (slots == 0) return;
  for (let k: usize = 0; k < SLOTS; k++) free(slotAt(k).offsets);
  free(slots);
  slots = 0;
}
