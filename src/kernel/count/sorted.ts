// Groups rows that come sorted from runs on disk: rows with the same hash are adjacent, in the order of their URLs.
import { addInstance, clearColumns, group, trimColumns } from './instance-columns';
import { hashOfRow, witnessOfRow } from '../instances/row';
import { ROW } from '../layout/instance-row';
import { countGroup } from './support';

let hash: u64 = 0;
let witnesses: u32 = 0;
let rows: i32 = 0;

/** Begins with the first group. */
export function beginSorted(): void {
  rows = 0;
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
