// Rows of instances (see instance), end to end in blocks of the heap that are passed to JavaScript: full ones at once,
// the last one on request.
import { ROW } from '../layout/instance-row';
import { give } from '../memory/calls';
import { alloc, free } from '../memory/heap';

const BLOCK: usize = 6000 * ROW;
let block: usize = 0;
let used: usize = 0;

/** Reserves a row, and returns its address. */
export function newRow(): usize {
  if (used == BLOCK) handOnBlock();
  if (block == 0) block = alloc(BLOCK);
  const row = block + used;
  used += ROW;
  return row;
}

function handOnBlock(): void {
  const full = block;
  block = used = 0;
  give(full, BLOCK);
}

/**
 * Passes on the remaining rows, in a block of just their size: most sites are small, and most steps of a walk make few
 * rows.
 */
export function handOnRows(): void {
  if (used == 0) return;
  const bytes = used;
  const rest = alloc(bytes);
  memory.copy(rest, block, bytes);
  used = 0;
  give(rest, bytes);
}

/** Drops rows that were not passed on. */
export function endRows(): void {
  free(block);
  block = used = 0;
}
