// Who requests duplicates, and when? One sort joins the requests with the groups of their URLs:
//
//   hash of the URL | DUPLICATE            the URL is in a group with others
//   hash of the URL | NAME                 it is the one that the group is named by, so no duplicate
//   hash of the URL | TEMPLATE : number    the template of its address
//   hash of the URL | HIT : visitor, day   a request, and how many microseconds it took, where the log says
import { readU32, RowWriter } from '../../../base/row.js';
import { Run } from '../../../base/run.js';
import { type SpillRoom, SpillSorter } from '../../../base/spill.js';
import { FORGED, isForged } from '../../../log/agents/addresses.js';
import { agentOf } from '../../../log/agents/agents.js';
import { VISITOR } from '../../../log/record.js';
import { DAY_MS } from '../../../log/time.js';
import { HASH_BYTES, hashOfRange, msOf, putHash, putNumber, readNumber, type UrlHash } from '../../sort-keys.js';
import type { BotRow, PeriodRow } from '../model.js';

const DUPLICATE = 0;
const NAME = 1;
const TEMPLATE = 2;
const HIT = 3;
const NO_TEMPLATE = -1;
/** Length of the hash and the kind of row. */
const KEY_BYTES = HASH_BYTES + 1;

/** More days than this are shown as months. */
const MOST_DAYS = 92;
const UNKNOWN_DAY = -1;

interface VisitorFacts {
  /** Hits by number of a template and by visitor. */
  readonly byTemplate: ReadonlyMap<number, ReadonlyMap<number, Sums>>;
  /** Most hits on duplicates first. */
  readonly bots: readonly BotRow[];
  /** In order; empty if the log has no times. */
  readonly periods: readonly PeriodRow[];
  /** The sums that these are made of, by visitor and by day. */
  readonly byVisitor: ReadonlyMap<number, Sums>;
  readonly byDay: ReadonlyMap<number, Sums>;
}

type Sums = Omit<PeriodRow, 'from' | 'time'> & { readonly micros: number; readonly duplicateMicros: number };
type Count = { -readonly [Key in keyof Sums]: Sums[Key] };

/** The offset of the microseconds, behind visitor and day. */
const MICROS_AT = 5;

/** Build (`addHit`, then `addDuplicate` and `addName`), then read (`finish`). */
export class VisitorMeter {
  readonly #sorter: SpillSorter;
  readonly #row = new RowWriter();

  constructor(room: SpillRoom) {
    this.#sorter = new SpillSorter(room, room.stats);
  }

  /** `micros`: how long the server took; undefined if the log does not say. */
  addHit(hash: UrlHash, visitor: number, day: number, micros: number | undefined): void {
    const row = putHash(this.#row.clear(), hash)
      .byte(HIT)
      .byte(visitor)
      .u32(day - UNKNOWN_DAY);
    if (micros !== undefined) putNumber(row, micros);
    this.#sorter.add(row.bytes, 0, row.length, KEY_BYTES);
  }

  /** The URL bytes[start, end). */
  addDuplicate(bytes: Uint8Array, start: number, end: number): void {
    this.#addUrl(bytes, start, end, DUPLICATE);
  }

  addName(bytes: Uint8Array, start: number, end: number): void {
    this.#addUrl(bytes, start, end, NAME);
  }

  /** The URL bytes[start, end) has the template with this number, below 256. */
  addTemplate(bytes: Uint8Array, start: number, end: number, template: number): void {
    const row = putHash(this.#row.clear(), hashOfRange(bytes, start, end))
      .byte(TEMPLATE)
      .byte(template);
    this.#sorter.add(row.bytes, 0, row.length, KEY_BYTES);
  }

  #addUrl(bytes: Uint8Array, start: number, end: number, kind: number): void {
    const row = putHash(this.#row.clear(), hashOfRange(bytes, start, end)).byte(kind);
    this.#sorter.add(row.bytes, 0, row.length, KEY_BYTES);
  }

  /** `hasDurations`: whether any hit had one. */
  finish(hasDurations: boolean): VisitorFacts {
    const byVisitor = new Map<number, Count>();
    const byDay = new Map<number, Count>();
    const url = new Run();
    const byTemplate = new Map<number, Map<number, Count>>();
    let isDuplicate = false;
    let template = NO_TEMPLATE;
    const rows = this.#sorter.finish();
    for (let row = rows.next(); row !== undefined; row = rows.next()) {
      if (url.isNew(row, row.keyStart, row.keyStart + HASH_BYTES)) [isDuplicate, template] = [false, NO_TEMPLATE];
      const kind = row.bytes[row.keyStart + HASH_BYTES]!;
      if (kind === TEMPLATE) template = row.bytes[row.keyEnd]!;
      else if (kind !== HIT) isDuplicate = kind === DUPLICATE;
      else {
        const visitor = row.bytes[row.keyEnd]!;
        const micros = row.end - row.keyEnd > MICROS_AT ? readNumber(row.bytes, row.keyEnd + MICROS_AT) : 0;
        count(sumsOf(byVisitor, visitor), visitor, micros, isDuplicate);
        if (template !== NO_TEMPLATE) count(sumsOf(visitorsOf(byTemplate, template), visitor), visitor, 0, isDuplicate);
        count(sumsOf(byDay, readU32(row.bytes, row.keyEnd + 1) + UNKNOWN_DAY), visitor, micros, isDuplicate);
      }
    }
    rows.close();
    return {
      byTemplate,
      bots: botsOf(byVisitor, hasDurations),
      periods: periodsOf(byDay, hasDurations),
      byVisitor,
      byDay,
    };
  }
}

const nothing: Sums = { hits: 0, duplicateHits: 0, duplicateBotHits: 0, micros: 0, duplicateMicros: 0 };

function sumsOf<Key>(counts: Map<Key, Count>, key: Key): Count {
  let one = counts.get(key);
  if (one === undefined) counts.set(key, (one = { ...nothing }));
  return one;
}

function visitorsOf(byTemplate: Map<number, Map<number, Count>>, template: number): Map<number, Count> {
  let visitors = byTemplate.get(template);
  if (visitors === undefined) byTemplate.set(template, (visitors = new Map()));
  return visitors;
}

function count(one: Count, visitor: number, micros: number, isDuplicate: boolean): void {
  one.hits++;
  one.micros += micros;
  if (!isDuplicate) return;
  one.duplicateHits++;
  one.duplicateMicros += micros;
  if (visitor >= VISITOR.bot) one.duplicateBotHits++;
}

/** The server's time for these hits, in whole milliseconds. */
function timeOf({ micros, duplicateMicros }: Sums, hasDurations: boolean): Pick<PeriodRow, 'time'> {
  return hasDurations ? { time: { ms: msOf(micros), duplicateMs: msOf(duplicateMicros) } } : {};
}

function botsOf(byVisitor: ReadonlyMap<number, Sums>, hasDurations: boolean): BotRow[] {
  const bots = Array.from(joinedForged(byVisitor)).filter(([visitor]) => visitor >= VISITOR.bot);
  return bots
    .toSorted(
      ([a, one], [b, other]) =>
        Number(a === VISITOR.bot) - Number(b === VISITOR.bot) ||
        other.duplicateHits - one.duplicateHits ||
        other.hits - one.hits ||
        a - b,
    )
    .map(([visitor, sums]) => ({
      name: agentOf(visitor).name,
      hits: sums.hits,
      duplicateHits: sums.duplicateHits,
      ...timeOf(sums, hasDurations),
    }));
}

/** All forged bots as one visitor. */
function joinedForged(byVisitor: ReadonlyMap<number, Sums>): ReadonlyMap<number, Sums> {
  const joined = new Map<number, Count>();
  for (const [visitor, sums] of byVisitor) addSums(sumsOf(joined, isForged(visitor) ? FORGED : visitor), sums);
  return joined;
}

function addSums(one: Count, more: Sums): void {
  for (const key of Object.keys(nothing) as (keyof Sums)[]) one[key] += more[key];
}

function periodsOf(byDay: ReadonlyMap<number, Sums>, hasDurations: boolean): PeriodRow[] {
  const days = Array.from(byDay).filter(([day]) => day !== UNKNOWN_DAY);
  const letters = days.length > MOST_DAYS ? 'YYYY-MM'.length : 'YYYY-MM-DD'.length;
  const periods = new Map<string, Count>();
  for (const [day, sums] of days) {
    const from = new Date(day * DAY_MS).toISOString().replace(/T.*/, '').slice(0, letters);
    addSums(sumsOf(periods, from), sums);
  }
  return Array.from(periods, ([from, sums]) => {
    const { hits, duplicateHits, duplicateBotHits } = sums;
    return { from, hits, duplicateHits, duplicateBotHits, ...timeOf(sums, hasDurations) };
  }).toSorted((a, b) => (a.from < b.from ? -1 : 1));
}
