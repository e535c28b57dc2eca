// Scratch buffers of this thread, by number. They grow on demand and are reused.
//
//   the table   | address of a block u32 | its bytes u32 | … |
import { IS_DEBUG } from './debug';
import { alloc, free } from './heap';

export const STACK: usize = 0;
export const LEFT_COLUMN: usize = 1;
export const RIGHT_COLUMN: usize = 2;
export const OTHER_CORES: usize = 3;
export const SHAPE_COUNTS: usize = 4;
export const SHAPE_REACHES: usize = 5;
export const FOUND_SHAPES: usize = 6;
export const BY_REACH: usize = 7;
export const SIDES: usize = 8;
export const LEFT_CHAIN: usize = 9;
export const RIGHT_CHAIN: usize = 10;
export const TEXT: usize = 11;
export const WAYS: usize = 12;
export const WAY_SLOTS: usize = 13;
export const WAY_OF: usize = 14;
export const SORTED: usize = 15;
export const CELLS: usize = 16;
export const SEEN: usize = 17;
export const FROM_TEXT: usize = 18;
export const TO_TEXT: usize = 19;
export const PLACE_BOX: usize = 20;
export const SCAN_PIECES: usize = 21;
export const REST_PATH: usize = 22;
const ROOMS: usize = 23;

@unmanaged
class Room {
  at: usize;
  bytes: usize;
}

const LEAST_BYTES: usize = 1024;
/** Larger buffers are freed at the end of a site. */
const MOST_KEPT: usize = 1 << 20;

let table: usize = 0;

/** A block of at least `bytes`; keeps the first `kept` bytes of the old one if it has to grow. */
export function room(which: usize, bytes: usize, kept: usize): usize {
  const one = placeOf(which);
  const has = one.bytes;
  const address = one.at;
  return bytes <= has ? address : widened(one, address, max(LEAST_BYTES, max(bytes, has + (has >> 1))), kept);
}

function placeOf(which: usize): Room {
  if (IS_DEBUG) assert(which < ROOMS);
  if (table == 0) {
    table = alloc(ROOMS << 3);
    memory.fill(table, 0, ROOMS << 3);
  }
  return changetype<Room>(table + (which << 3));
}

function widened(one: Room, address: usize, bytes: usize, kept: usize): usize {
  if (kept == 0) giveBack(one);
  const wider = alloc(bytes);
  if (kept > 0) {
    memory.copy(wider, address, kept);
    free(address);
  }
  one.at = wider;
  one.bytes = bytes;
  return wider;
}

function giveBack(one: Room): void {
  free(one.at);
  store<u64>(changetype<usize>(one), 0);
}

/** Frees the large buffers: most sites are small. */
export function giveLargeBack(): void {
  for (let which: usize = 0; which < ROOMS; which++) {
    if (placeOf(which).bytes > MOST_KEPT) giveBack(placeOf(which));
  }
}
