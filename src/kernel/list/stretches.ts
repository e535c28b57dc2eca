// Finds the stretch of each row of the URL table: stretches are in the order of (site, URL). See table/stretches.
import { collateTo } from '../text/collation';
import { lastCutBefore } from './cuts';
import { mark, release, take } from '../memory/heap';
import { column, headUnits, i32At, urlUnits } from './job';
import { CUTS, FIRST_STRETCH, PLACE_OF, PLACES, ROOTS, SITES, STRETCH_OF, TEXT_AT } from '../layout/list-job';
import { Place, placeIn } from './place';

/** Rows, and units of their records. */
@unmanaged
class Counts {
  rows: u32;
  units: u32;
}

/** The longest URL, and slack for reading past its end. */
const URL_BYTES: usize = 0x10000 + 16;

/**
 * Counts the rows of each site of a table, and the units of their records: u32 each, interleaved, by number of the
 * site.
 */
export function countSites(rows: i32, places: usize, sites: usize, counts: usize): void {
  for (let row = 0; row < rows; row++) {
    const place = placeIn(places, row);
    countRow(counts + ((<usize>i32At(sites, row)) << 3), place);
  }
}

function countRow(cell: usize, place: Place): void {
  const counts = changetype<Counts>(cell);
  counts.rows += 1;
  counts.units += <u32>unitsOf(place);
}

/** Units of the record of a row. */
function unitsOf(place: Place): usize {
  return headUnits(place.sketchLength) + urlUnits(place.urlLength);
}

/**
 * Finds the stretches of rows [from, to), and adds to `counts`: rows and units of each stretch, u32 each, interleaved.
 */
export function findStretches(job: usize, counts: usize, from: i32, to: i32): void {
  const marked = mark();
  const url = take(URL_BYTES);
  const places = column(job, PLACES);
  const text = column(job, TEXT_AT);
  const sites = column(job, SITES);
  const placeOf = column(job, PLACE_OF);
  const firstStretch = column(job, FIRST_STRETCH);
  const roots = column(job, ROOTS);
  const cuts = column(job, CUTS);
  const stretchOf = column(job, STRETCH_OF);
  for (let row = from; row < to; row++) {
    const place = placeIn(places, row);
    const site = i32At(placeOf, i32At(sites, row));
    const root = <usize>i32At(roots, site);
    let goesTo = i32At(firstStretch, site);
    if (root != 0) {
      const length = place.urlLength;
      collateTo(url, text + place.urlStart, length);
      goesTo = lastCutBefore(cuts, root, url, length);
    }
    store<u16>(stretchOf + ((<usize>row) << 1), <u16>goesTo);
    countRow(counts + ((<usize>goesTo) << 3), place);
  }
  release(marked);
}
