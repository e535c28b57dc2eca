// Links between clusters as rows ⟨Ri, Rj, page, target⟩, sorted, and as groups of the links of two clusters.
import { type Bits, widened } from '../base/numbers.js';
import { readBigEndian, type RewindableReader, type Row } from '../base/row.js';

/** The links from one cluster to another. */
export interface LinkGroup {
  readonly from: number;
  readonly to: number;
  readonly links: Uint32Array;
}

export function* groupsOf(between: Iterable<Row>): Generator<LinkGroup> {
  let links = new Uint32Array(1024);
  let [from, to, length] = [0, 0, 0];
  for (const { bytes, keyStart } of between) {
    const [ownFrom, ownTo] = [readBigEndian(bytes, keyStart), readBigEndian(bytes, keyStart + 4)];
    if (length > 0 && (ownFrom !== from || ownTo !== to)) {
      yield { from, to, links: links.subarray(0, length) };
      length = 0;
    }
    [from, to] = [ownFrom, ownTo];
    if (length === links.length) links = widened(links);
    const [page, target] = [readBigEndian(bytes, keyStart + 8), readBigEndian(bytes, keyStart + 12)];
    if (length > 0 && links[length - 2] === page && links[length - 1] === target) continue;
    links[length++] = page;
    links[length++] = target;
  }
  if (length > 0) yield { from, to, links: links.subarray(0, length) };
}

/** All rows, leaving the reader open. */
export function* fromStart(rows: RewindableReader): Generator<Row> {
  rows.rewind();
  for (let row = rows.next(); row !== undefined; row = rows.next()) yield row;
}

/** Of ⟨Ri, Rj, page, target⟩, the page and the target. */
export function endsOf({ bytes, keyStart }: Row): [page: number, target: number] {
  return [readBigEndian(bytes, keyStart + 8), readBigEndian(bytes, keyStart + 12)];
}

export function* without(aside: Bits, rows: Iterable<Row>): Generator<Row> {
  for (const row of rows) if (!endsOf(row).some((page) => aside.has(page))) yield row;
}
