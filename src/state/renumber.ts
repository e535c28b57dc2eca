// Rows of a state that was written before escapes had collation bytes of their own (`url/token`), in today's numbers and
// order. Rows that are in them already stay as they are.
import { tmpdir } from 'node:os';
import type { Row } from '../base/row.js';
import { SpillSorter } from '../base/spill.js';
import { collate, uncollateTo } from '../url/token.js';

const MEMORY_BYTES = 64 << 20;

/** A row is valid until the next one. */
export function* renumbered(rows: Iterable<Row>): Generator<Row> {
  const sorter = new SpillSorter({ memoryBytes: MEMORY_BYTES, tmpdir: tmpdir() });
  for (const row of rows) {
    const { bytes, keyEnd, end } = recollated(row);
    sorter.add(bytes, 0, end, keyEnd);
  }
  const sorted = sorter.finish();
  for (let row = sorted.next(); row !== undefined; row = sorted.next()) yield row;
  sorted.close();
}

/** A copy of a row: its key is the site, 0 and the URL. */
export function recollated({ bytes, keyStart, keyEnd, end }: Row): Row {
  const copy = bytes.slice(keyStart, end);
  const urlStart = copy.indexOf(0) + 1;
  const urlEnd = keyEnd - keyStart;
  uncollateTo(copy, urlStart, copy, urlStart, urlEnd);
  collate(copy, urlStart, urlEnd);
  return { bytes: copy, keyStart: 0, keyEnd: urlEnd, end: end - keyStart };
}
