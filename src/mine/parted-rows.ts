// Sorts the rules of all sites by the part of their site, then by rank, so that one run writes a file for each part. No
// rule is dropped before all are sorted: each part has as many as a file may have (most-rules).
//
//   row of a rule      [ key | rule as JSON ]
//   row here           [ part | key | rule as JSON ]
import { decodeText } from '../base/bytes.js';
import { eachRow, readBigEndian, RowWriter, type Row } from '../base/row.js';
import { SpillSorter, type SpillRoom } from '../base/spill.js';
import { roomFor } from '../memory-plan.js';
import type { RuleRows } from './best-rows.js';
import type { MostRules } from './most-rules.js';
import { partOfSite } from './part.js';

const PART_BYTES = 4;

export interface PartRow {
  /** From 1. */
  readonly part: number;
  readonly row: Row;
}

export class PartedRows implements RuleRows {
  readonly #parts: number;
  readonly #sorter: SpillSorter;
  readonly #row = new RowWriter();
  /** How many were added. */
  rules = 0;

  constructor(parts: number, room: SpillRoom) {
    this.#parts = parts;
    this.#sorter = new SpillSorter(roomFor('rows/sort', room), room.stats);
  }

  wants(): boolean {
    return true;
  }

  add(bytes: Uint8Array, length: number, keyLength: number): void {
    const { site } = JSON.parse(decodeText(bytes, keyLength, length)) as { readonly site: string };
    const row = this.#row.clear().bigEndian(partOfSite(site, this.#parts)).raw(bytes.subarray(0, length));
    this.#sorter.add(row.bytes, 0, row.length, PART_BYTES + keyLength);
    this.rules++;
  }

  /** The rows by part and rank, of each part at most the number wanted. No more can be added afterwards. */
  *best(most: MostRules): Generator<PartRow> {
    let [part, rules, bytes] = [0, 0, 0];
    for (const row of eachRow(this.#sorter.finish())) {
      const next = readBigEndian(row.bytes, row.keyStart);
      if (next !== part) [part, rules, bytes] = [next, 0, 0];
      bytes += row.end - row.keyEnd;
      if (rules++ < most.rules && bytes <= most.bytes) yield { part, row };
    }
  }
}
