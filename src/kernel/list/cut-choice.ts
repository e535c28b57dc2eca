// Chooses the splitters (cuts) of the large sites: quantiles of a sample of their URLs.
//
//   a site   | cuts | step | rows seen | the next row to sample | its first entry | entries |   u32, by place
//
// One of every `step` rows of a site is sampled, at a random position among them, as logs may be periodic.
import { collateTo } from '../text/collation';
import { makeNodes, NODE_BYTES } from './cuts';
import { alloc, mark, release, take } from '../memory/heap';
import { column, i32At } from './job';
import { CUTS, FIRST_ROW, FIRST_STRETCH, PLACE_OF, PLACES, ROOTS, ROWS, SITES, TEXT_AT } from '../layout/list-job';
import { placeIn } from './place';
import { ADDRESS, COUNTS_BYTES, ENTRY, LENGTH, sortStrings } from '../sort/sort';
import { mixed } from '../text/text';

/**
 * URLs sampled per cut, and the least distance between two samples. The distance matters if stretches have few rows, as
 * they do with long URLs.
 */
const SAMPLES: u32 = 16;
const LEAST_STEP: u32 = 8;
/** Bytes past a URL that a sort may read. */
const SLACK: usize = 8;

const SITE_BYTES: usize = 24;
const STEP: usize = 4;
const SEEN: usize = 8;
const NEXT: usize = 12;
const FIRST: usize = 16;
const ENTRIES: usize = 20;
const NEVER: u32 = 0xffffffff;

/**
 * Makes the cuts and the tries of large sites. `cutsOf`, by place of the site, is the number of cuts inside of it.
 * Returns the block with all of them, or 0 if there are none.
 */
export function findCuts(job: usize, sites: i32, cutsOf: usize): usize {
  const marked = mark();
  const state = take(<usize>sites * SITE_BYTES);
  const most = planSamples(job, sites, cutsOf, state);
  const entries = take(<usize>most * ENTRY);
  takeSamples(job, state, entries);
  const bytes = chooseCuts(job, sites, state, entries);
  const block: usize = bytes == 0 ? 0 : alloc(bytes);
  keepCuts(job, sites, state, block);
  release(marked);
  return block;
}

/** Plans how many samples to take from each site; returns the total. */
function planSamples(job: usize, sites: i32, cutsOf: usize, state: usize): u32 {
  const firstRow = column(job, FIRST_ROW);
  let entries: u32 = 0;
  for (let place = 0; place < sites; place++) {
    const site = state + <usize>place * SITE_BYTES;
    const cuts = i32At(cutsOf, place);
    const rows = <u32>(i32At(firstRow, place + 1) - i32At(firstRow, place));
    const step = stepOf(rows, <u32>cuts + 1);
    store<i32>(site, cuts);
    store<u32>(site, step, STEP);
    store<u32>(site, 0, SEEN);
    store<u32>(site, cuts == 0 ? NEVER : spread(place) % step, NEXT);
    store<u32>(site, entries, FIRST);
    store<u32>(site, 0, ENTRIES);
    if (cuts > 0) entries += rows / step + 1;
  }
  return entries;
}

function stepOf(rows: u32, parts: u32): u32 {
  const each = rows / parts;
  return max(1, each >= SAMPLES * LEAST_STEP ? each / SAMPLES : min(each, LEAST_STEP));
}

function spread(value: i32): u32 {
  return <u32>(mixed(<u64>value + 1) >> 32);
}

/** Makes entries of the samples, with copies of them in collation bytes. */
function takeSamples(job: usize, state: usize, entries: usize): void {
  const rows = load<i32>(job, ROWS);
  const sites = column(job, SITES);
  const placeOf = column(job, PLACE_OF);
  for (let row = 0; row < rows; row++) {
    const site = state + <usize>i32At(placeOf, i32At(sites, row)) * SITE_BYTES;
    const seen = load<u32>(site, SEEN);
    store<u32>(site, seen + 1, SEEN);
    if (seen != load<u32>(site, NEXT)) continue;
    const step = load<u32>(site, STEP);
    store<u32>(site, seen - (seen % step) + step + (spread(row) % step), NEXT);
    const taken = load<u32>(site, ENTRIES);
    store<u32>(site, taken + 1, ENTRIES);
    writeSample(job, row, entries + <usize>(load<u32>(site, FIRST) + taken) * ENTRY);
  }
}

function writeSample(job: usize, row: i32, entry: usize): void {
  const place = placeIn(column(job, PLACES), row);
  const start = place.urlStart;
  const length = place.urlEnd - start;
  const copy = take(length + SLACK);
  collateTo(copy, column(job, TEXT_AT) + start, length);
  store<u32>(entry, <u32>copy, ADDRESS);
  store<u32>(entry, <u32>length, LENGTH);
}

/** Sorts the samples of each site and chooses its cuts; returns the bytes of the cuts and of their nodes. */
function chooseCuts(job: usize, sites: i32, state: usize, entries: usize): usize {
  const firstStretch = column(job, FIRST_STRETCH);
  const cutColumn = column(job, CUTS);
  let bytes: usize = 0;
  for (let place = 0; place < sites; place++) {
    const site = state + <usize>place * SITE_BYTES;
    const cuts = load<i32>(site);
    if (cuts == 0) continue;
    const first = entries + <usize>load<u32>(site, FIRST) * ENTRY;
    const count = load<u32>(site, ENTRIES);
    const marked = mark();
    sortStrings(first, <i32>count, take(COUNTS_BYTES + <usize>count * ENTRY));
    release(marked);
    for (let k = 1; k <= cuts; k++) {
      const chosen = first + <usize>((<u64>k * <u64>count) / <u64>(cuts + 1)) * ENTRY;
      store<u64>(cutColumn + ((<usize>(i32At(firstStretch, place) + k)) << 3), load<u64>(chosen, ADDRESS));
      bytes += <usize>load<u32>(chosen, LENGTH) + NODE_BYTES;
    }
  }
  // Some more, to align the nodes.
  return bytes == 0 ? 0 : bytes + 2 * SLACK;
}

/** The smallest URL of a stretch (layout/list-job). */
@unmanaged
class Cut {
  at: usize;
  length: usize;
}

/** Copies the cuts to a block, and makes the nodes of each site after them. */
function keepCuts(job: usize, sites: i32, state: usize, block: usize): void {
  const firstStretch = column(job, FIRST_STRETCH);
  const cutColumn = column(job, CUTS);
  const roots = column(job, ROOTS);
  let free = block;
  for (let place = 0; place < sites; place++) {
    const cuts = load<i32>(state + <usize>place * SITE_BYTES);
    for (let k = 1; k <= cuts; k++) {
      const cut = changetype<Cut>(cutColumn + ((<usize>(i32At(firstStretch, place) + k)) << 3));
      const length = cut.length;
      memory.copy(free, cut.at, length);
      cut.at = free;
      free += length;
    }
  }
  free = (free + SLACK + 7) & ~(<usize>7);
  for (let place = 0; place < sites; place++) {
    const cuts = load<i32>(state + <usize>place * SITE_BYTES);
    store<u32>(roots + ((<usize>place) << 2), cuts == 0 ? 0 : <u32>free);
    const first = i32At(firstStretch, place) + 1;
    if (cuts > 0) free = makeNodes(cutColumn, first, first + cuts, free);
  }
}
