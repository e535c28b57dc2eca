// Who asks for duplicates, and when? One sort joins the requests with what the groups say of their URLs:
//
//   hash of the URL | DUPLICATE            the URL is in a group with others
//   hash of the URL | NAME                 it is the one that the group is named by, so no duplicate
//   hash of the URL | HIT : visitor, day   a request
import type { SpillRoom } from '../../../base/spill.js';
import { readU32 } from '../../../base/row.js';
import { RowWriter } from '../../../base/row-writer.js';
import { SpillSorter } from '../../../base/spill.js';
import { FIRST_NAMED_BOT, NAMED_BOTS, VISITOR } from '../../../log/record.js';
import { DAY_MS } from '../../../log/time.js';
import { Run } from '../../measure-row.js';
import { HASH_BYTES, hashOfRange, putHash, type UrlHash } from './hash.js';
import type { BotRow, PeriodRow } from '../model.js';

const DUPLICATE = 0;
const NAME = 1;
const HIT = 2;

/** More days than this are shown as months. */
const MOST_DAYS = 92;
const UNKNOWN_DAY = -1;

export interface VisitorFacts {
  /** Most hits on duplicates first. */
  readonly bots: readonly BotRow[];
  /** In order; empty if the log has no times. */
  readonly periods: readonly PeriodRow[];
}

type Count = { -readonly [Key in keyof Omit<PeriodRow, 'from'>]: PeriodRow[Key] };

/** Build (`addHit`, then `addDuplicate` and `addName`), then read (`finish`). */
export class VisitorMeter {
  readonly #sorter: SpillSorter;
  readonly #row = new RowWriter();

  constructor(room: SpillRoom) {
    this.#sorter = new SpillSorter(room, room.stats);
  }

  addHit(hash: UrlHash, visitor: number, day: number): void {
    this.#add(putHash(this.#row.clear(), hash).byte(HIT), (row) => row.byte(visitor).u32(day - UNKNOWN_DAY));
  }

  /** The URL bytes[start, end). */
  addDuplicate(bytes: Uint8Array, start: number, end: number): void {
    this.#add(putHash(this.#row.clear(), hashOfRange(bytes, start, end)).byte(DUPLICATE));
  }

  addName(bytes: Uint8Array, start: number, end: number): void {
    this.#add(putHash(this.#row.clear(), hashOfRange(bytes, start, end)).byte(NAME));
  }

  #add(row: RowWriter, payload?: (row: RowWriter) => void): void {
    const keyLength = row.length;
    payload?.(row);
    this.#sorter.add(row.bytes, 0, row.length, keyLength);
  }

  finish(): VisitorFacts {
    const byVisitor = new Map<number, Count>();
    const byDay = new Map<number, Count>();
    const url = new Run();
    let isDuplicate = false;
    const rows = this.#sorter.finish();
    for (let row = rows.next(); row !== undefined; row = rows.next()) {
      if (url.isNew(row, row.keyStart, row.keyStart + HASH_BYTES)) isDuplicate = false;
      const kind = row.bytes[row.keyStart + HASH_BYTES]!;
      if (kind !== HIT) isDuplicate = kind === DUPLICATE;
      else {
        const visitor = row.bytes[row.keyEnd]!;
        count(byVisitor, visitor, visitor, isDuplicate);
        count(byDay, readU32(row.bytes, row.keyEnd + 1) + UNKNOWN_DAY, visitor, isDuplicate);
      }
    }
    rows.close();
    return { bots: botsOf(byVisitor), periods: periodsOf(byDay) };
  }
}

function count(counts: Map<number, Count>, key: number, visitor: number, isDuplicate: boolean): void {
  let one = counts.get(key);
  if (one === undefined) counts.set(key, (one = { hits: 0, duplicateHits: 0, duplicateBotHits: 0 }));
  one.hits++;
  if (!isDuplicate) return;
  one.duplicateHits++;
  if (visitor >= VISITOR.bot) one.duplicateBotHits++;
}

function botsOf(byVisitor: ReadonlyMap<number, Count>): BotRow[] {
  const bots = Array.from(byVisitor).filter(([visitor]) => visitor >= VISITOR.bot);
  return bots
    .toSorted(
      ([a, one], [b, other]) =>
        Number(a === VISITOR.bot) - Number(b === VISITOR.bot) ||
        other.duplicateHits - one.duplicateHits ||
        other.hits - one.hits ||
        a - b,
    )
    .map(([visitor, { hits, duplicateHits }]) => ({
      name: NAMED_BOTS[visitor - FIRST_NAMED_BOT] ?? 'other bots',
      hits,
      duplicateHits,
    }));
}

function periodsOf(byDay: ReadonlyMap<number, Count>): PeriodRow[] {
  const days = Array.from(byDay).filter(([day]) => day !== UNKNOWN_DAY);
  const letters = days.length > MOST_DAYS ? 'YYYY-MM'.length : 'YYYY-MM-DD'.length;
  const periods = new Map<string, Count>();
  for (const [day, { hits, duplicateHits, duplicateBotHits }] of days) {
    const from = new Date(day * DAY_MS).toISOString().replace(/T.*/, '').slice(0, letters);
    const sum = periods.get(from) ?? { hits: 0, duplicateHits: 0, duplicateBotHits: 0 };
    sum.hits += hits;
    sum.duplicateHits += duplicateHits;
    sum.duplicateBotHits += duplicateBotHits;
    periods.set(from, sum);
  }
  return Array.from(periods, ([from, sums]) => ({ from, ...sums })).toSorted((a, b) => (a.from < b.from ? -1 : 1));
}
