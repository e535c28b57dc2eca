// The second half of the sample sort (table/stretches): each record is copied to its stretch, unsorted, then each
// stretch is sorted by itself, inside the cache of a core.
//
//   scattered   | record 7 | record 2 | … |  record 5 | record 1 | …      in the order of the table
//   sorted      | record 2 | record 7 | … |  record 1 | record 5 | …
//
// A scattered record has no columns yet, only the length of its URL: so a stretch is read from its end. If a stretch
// has several small sites, the place of the record's site is stored too.
import { collateTo } from '../text/collation';
import { setForward } from './forward';
import { mark, release, take } from '../memory/heap';
import { column, headUnits, i32At, urlUnits } from './job';
import {
  FIRST_ROW,
  FIRST_SITE,
  FIRST_UNIT,
  LENGTH as LENGTHS,
  PLACE_OF,
  PLACES,
  POSITION,
  RECORDS,
  SHARED_FIRST,
  SITE,
  SITES,
  SIZES,
  STRETCH_OF,
  STRETCH_ROW,
  STRETCH_UNIT,
  STRETCHES,
  TEXT_AT,
  TOKENS,
} from '../layout/list-job';
import { FIXED, UNIT_BITS } from '../layout/record';
import { SIZE_BYTES } from '../layout/url-table';
import { placeIn } from './place';
import { ADDRESS, COUNTS_BYTES, ENTRY, LENGTH, sortKeys, sortStrings } from '../sort/sort';

/** Where the next record of a stretch goes. */
@unmanaged
class Cursor {
  row: usize;
  unit: usize;
}

/** Bytes past the last record that may be read. */
const SLACK: usize = 8;

/**
 * Copies rows [from, to) of the table to their stretches; `next` has the cursors of all stretches.
 */
export function scatter(job: usize, next: usize, from: i32, to: i32): void {
  const places = column(job, PLACES);
  const text = column(job, TEXT_AT);
  const sizes = column(job, SIZES);
  const sites = column(job, SITES);
  const placeOf = column(job, PLACE_OF);
  const stretchOf = column(job, STRETCH_OF);
  const firstSite = column(job, FIRST_SITE);
  const records = column(job, RECORDS);
  const lengths = column(job, LENGTHS);
  const siteColumn = column(job, SITE);
  for (let row = from; row < to; row++) {
    const place = placeIn(places, row);
    const urlAt = place.urlStart;
    const length = place.urlEnd - urlAt;
    const sketchAt = place.sketchStart;
    const sketchLength = place.sketchEnd - sketchAt;
    const stretch = <i32>load<u16>(stretchOf + ((<usize>row) << 1));
    const cursor = changetype<Cursor>(next + ((<usize>stretch) << 3));
    const goal = cursor.row;
    const unit = cursor.unit + headUnits(sketchLength);
    cursor.row = goal + 1;
    cursor.unit = unit + urlUnits(length);
    store<u16>(lengths + (goal << 1), <u16>length);
    if (isShared(firstSite, stretch)) store<i32>(siteColumn + (goal << 2), i32At(placeOf, i32At(sites, row)));
    const url = records + (unit << UNIT_BITS);
    copyUnits(url - SIZE_BYTES, sizes + <usize>row * SIZE_BYTES, SIZE_BYTES);
    store<u16>(url - FIXED, <u16>sketchLength);
    if (sketchLength > 0) memory.copy(url - FIXED - sketchLength, text + sketchAt, sketchLength);
    collateTo(url, text + urlAt, length);
  }
}

/** True if a stretch has several sites. All of them are whole. */
function isShared(firstSite: usize, stretch: i32): bool {
  return i32At(firstSite, stretch + 1) - i32At(firstSite, stretch) > 1;
}

/** Sorts stretches [from, to), and computes what each row shares with the row before it in the same stretch. */
export function sortStretches(job: usize, from: i32, to: i32): void {
  const marked = mark();
  const firstRow = column(job, STRETCH_ROW);
  const firstUnit = column(job, STRETCH_UNIT);
  let rows: usize = 0;
  let units: usize = 0;
  for (let stretch = from; stretch < to; stretch++) {
    rows = max(rows, <usize>(i32At(firstRow, stretch + 1) - i32At(firstRow, stretch)));
    units = max(units, <usize>(i32At(firstUnit, stretch + 1) - i32At(firstUnit, stretch)));
  }
  const copy = take((units << UNIT_BITS) + SLACK);
  const entries = take(rows * ENTRY);
  const spare = take(rows * ENTRY + COUNTS_BYTES);
  for (let stretch = from; stretch < to; stretch++) sortStretch(job, stretch, copy, entries, spare);
  release(marked);
}

function sortStretch(job: usize, stretch: i32, copy: usize, entries: usize, spare: usize): void {
  const firstUnit = column(job, STRETCH_UNIT);
  const firstSite = column(job, FIRST_SITE);
  const row = i32At(column(job, STRETCH_ROW), stretch);
  const rows = i32At(column(job, STRETCH_ROW), stretch + 1) - row;
  const unit = <usize>i32At(firstUnit, stretch);
  const size = (<usize>i32At(firstUnit, stretch + 1) - unit) << UNIT_BITS;
  const target = column(job, RECORDS) + (unit << UNIT_BITS);
  memory.copy(copy, target, size);
  readBackwards(column(job, LENGTHS) + ((<usize>row) << 1), rows, copy + size, entries);
  const site = i32At(firstSite, stretch);
  if (!isShared(firstSite, stretch)) {
    sortStrings(entries, rows, spare);
    storeSorted(job, entries, rows, site, row, target);
    return;
  }
  sortBySite(column(job, SITE) + ((<usize>row) << 2), rows, site, entries, spare);
  const siteRow = column(job, FIRST_ROW);
  let entry = entries;
  let goal = target;
  for (let place = site; place < i32At(firstSite, stretch + 1); place++) {
    const from = i32At(siteRow, place);
    const count = i32At(siteRow, place + 1) - from;
    sortStrings(entry, count, spare);
    goal = storeSorted(job, entry, count, place, from, goal);
    entry += <usize>count * ENTRY;
  }
}

/** Makes entries of the records that end at `end`, last record first. */
function readBackwards(lengths: usize, rows: i32, end: usize, entries: usize): void {
  for (let row = rows - 1; row >= 0; row--) {
    const length = <usize>load<u16>(lengths + ((<usize>row) << 1));
    const url = end - (urlUnits(length) << UNIT_BITS);
    const entry = entries + <usize>row * ENTRY;
    store<u32>(entry, <u32>url, ADDRESS);
    store<u32>(entry, <u32>length, LENGTH);
    end = url - (headUnits(<usize>load<u16>(url - FIXED)) << UNIT_BITS);
  }
}

function sortBySite(sites: usize, rows: i32, first: i32, entries: usize, spare: usize): void {
  let differing: u64 = 0;
  for (let row = 0; row < rows; row++) {
    const key = <u64>(i32At(sites, row) - first);
    store<u64>(entries + <usize>row * ENTRY, key);
    differing |= key;
  }
  sortKeys(entries, entries + <usize>rows * ENTRY, differing, spare);
}

/**
 * Copies records of one site, sorted, to `target`, and fills in their columns from `row` on; returns where they end.
 */
function storeSorted(job: usize, entries: usize, count: i32, site: i32, row: i32, target: usize): usize {
  const base = column(job, RECORDS) + ((<usize>i32At(column(job, FIRST_UNIT), site)) << UNIT_BITS);
  let position = column(job, POSITION) + ((<usize>row) << 2);
  let lengths = column(job, LENGTHS) + ((<usize>row) << 1);
  let tokens = column(job, TOKENS) + ((<usize>row) << 1);
  let shared = column(job, SHARED_FIRST) + ((<usize>row) << 1);
  let before: usize = 0;
  let beforeLength: usize = 0;
  const end = entries + <usize>count * ENTRY;
  for (let entry = entries; entry < end; entry += ENTRY) {
    const source = <usize>load<u32>(entry, ADDRESS);
    const length = <usize>load<u32>(entry, LENGTH);
    const head = headUnits(<usize>load<u16>(source - FIXED)) << UNIT_BITS;
    const size = head + (urlUnits(length) << UNIT_BITS);
    copyUnits(target, source - head, size);
    const url = target + head;
    store<u32>(position, <u32>((url - base) >> UNIT_BITS));
    store<u16>(lengths, <u16>length);
    setForward(tokens, shared, before, beforeLength, url, length);
    before = url;
    beforeLength = length;
    target += size;
    position += 4;
    lengths += 2;
    tokens += 2;
    shared += 2;
  }
  return target;
}

function copyUnits(target: usize, source: usize, size: usize): void {
  let k: usize = 0;
  for (; k + 16 <= size; k += 16) v128.store(target + k, v128.load(source + k));
  if (k < size) store<u64>(target + k, load<u64>(source + k));
}

/** Computes what the first row of each stretch shares with the row before it, if both belong to one site. */
export function joinStretches(job: usize): void {
  const stretches = load<i32>(job, STRETCHES);
  for (let stretch = 1; stretch < stretches; stretch++) {
    // A stretch that begins with a cut has at least one row of its first site: the cut itself.
    const row = i32At(column(job, STRETCH_ROW), stretch);
    const site = i32At(column(job, FIRST_SITE), stretch);
    if (row == i32At(column(job, FIRST_ROW), site)) continue;
    const first = column(job, RECORDS) + ((<usize>i32At(column(job, FIRST_UNIT), site)) << UNIT_BITS);
    joinRow(job, row, first);
  }
}

function joinRow(job: usize, row: i32, first: usize): void {
  const position = column(job, POSITION) + ((<usize>row) << 2);
  const at = (<usize>row) << 1;
  const lengths = column(job, LENGTHS) + at;
  const before = first + ((<usize>load<u32>(position - 4)) << UNIT_BITS);
  const url = first + ((<usize>load<u32>(position)) << UNIT_BITS);
  const beforeLength = <usize>load<u16>(lengths - 2);
  const length = <usize>load<u16>(lengths);
  setForward(column(job, TOKENS) + at, column(job, SHARED_FIRST) + at, before, beforeLength, url, length);
}
