// The k-way merge of sorted runs of rows (base/merge), each with one block in memory: finds the next rows.
//
// The entries of all runs (layout/sorted-row) are a binary heap by key, rows with equal keys by run.
import { END, ENTRY, ROW, RUN, HEADER, ROW_LENGTH } from '../layout/sorted-row';
import { compare } from '../text/text';
import { wordAt } from './sort-rows';

/** An entry as it is moved. */
@unmanaged
class Moved {
  word: u64;
  /** The row, and the end of its block. */
  row: u64;
  run: u64;
}

/** Makes a heap of `count` entries, each with a whole row in memory. */
export function beginMerge(entries: usize, count: i32): void {
  for (let k = 0; k < count; k++) setWord(entries + <usize>k * ENTRY);
  for (let k = (count >> 1) - 1; k >= 0; k--) sift(entries, count, k);
}

/** Restores the heap after the first entry has got another row. */
export function replaceFirst(entries: usize, count: i32): void {
  setWord(entries);
  sift(entries, count, 0);
}

/**
 * Writes the addresses of the next rows and their runs: at most `most`, and none after the last whole row that a run
 * has in memory. Returns how many. The first entry is then that of this run, and has the rest of its block.
 */
export function mergeRows(entries: usize, count: i32, rows: usize, runs: usize, most: i32): i32 {
  let given = 0;
  while (given < most && isWhole(entries)) {
    const row = <usize>load<u32>(entries, ROW);
    const at = (<usize>given) << 2;
    given++;
    store<u32>(rows + at, <u32>row);
    store<u32>(runs + at, load<u32>(entries, RUN));
    store<u32>(entries, <u32>(row + HEADER) + load<u32>(row, ROW_LENGTH), ROW);
    if (isWhole(entries)) replaceFirst(entries, count);
  }
  return given;
}

function isWhole(entry: usize): bool {
  const row = <usize>load<u32>(entry, ROW);
  const left = <usize>load<u32>(entry, END) - row;
  return left >= <usize>HEADER && left - HEADER >= <usize>load<u32>(row, ROW_LENGTH);
}

function setWord(entry: usize): void {
  store<u64>(entry, wordAt(<usize>load<u32>(entry, ROW), 0));
}

function sift(entries: usize, count: i32, from: i32): void {
  const word = movedAt(entries + <usize>from * ENTRY).word;
  const low = movedAt(entries + <usize>from * ENTRY).row;
  const high = movedAt(entries + <usize>from * ENTRY).run;
  const row = <usize>(<u32>low);
  const run = <u32>high;
  let hole = entries + <usize>from * ENTRY;
  let at = from;
  while (true) {
    const child = 2 * at + 1;
    if (child >= count) break;
    let least = entries + <usize>child * ENTRY;
    let next = child;
    if (
      child + 1 < count &&
      isBefore(load<u64>(least + ENTRY), <usize>load<u32>(least + ENTRY, ROW), load<u32>(least + ENTRY, RUN), least)
    ) {
      least += ENTRY;
      next++;
    }
    if (isBefore(word, row, run, least)) break;
    movedAt(hole).word = movedAt(least).word;
    movedAt(hole).row = movedAt(least).row;
    movedAt(hole).run = movedAt(least).run;
    hole = least;
    at = next;
  }
  movedAt(hole).word = word;
  movedAt(hole).row = low;
  movedAt(hole).run = high;
}

function movedAt(entry: usize): Moved {
  return changetype<Moved>(entry);
}

/** True if the row of a run, whose first word is `word`, comes before the row of an entry. */
function isBefore(word: u64, row: usize, run: u32, entry: usize): bool {
  const other = load<u64>(entry);
  if (word != other) return word < other;
  const otherRow = <usize>load<u32>(entry, ROW);
  const order = compare(row + HEADER, <usize>load<u32>(row), otherRow + HEADER, <usize>load<u32>(otherRow));
  return order < 0 || (order == 0 && run < load<u32>(entry, RUN));
}
