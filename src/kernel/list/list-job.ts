// What the threads that make the list of all sites are told: addresses of columns, u32 each, in a block (table/list-task).
//
//   of the table       +0 rows | +4 what is added to places of text | +8 places | +12 sizes | +16 sites
//   by place of site   +20 its number's place | +24 first row | +28 first unit | +32 first stretch | +36 root of its cuts, or 0
//   by stretch         +40 how many there are | +44 place of its first site | +48 first row | +52 first unit | +56 cut
//   by row             +60 stretch
//   of the list        +64 records | +68 position | +72 length | +76 site | +80 tokens | +84 sharedFirst
//
//   a place of text    | URL start | URL end | sketch start | sketch end |      u32 each, by row of the table
//   sizes              | hits | min | max |      f64 each
//   a cut              | address | length |      u32 each: the least URL that the stretch may have, in collation bytes
//
// Columns by place of site are i32, by the order of site names (the first by the number of the site in the table); those of first
// rows and units have one more: the end. That of stretches is u16.

export const ROWS: usize = 0;
export const TEXT_AT: usize = 4;
export const PLACES: usize = 8;
export const SIZES: usize = 12;
export const SITES: usize = 16;
export const PLACE_OF: usize = 20;
export const FIRST_ROW: usize = 24;
export const FIRST_UNIT: usize = 28;
export const FIRST_STRETCH: usize = 32;
export const ROOTS: usize = 36;
export const STRETCHES: usize = 40;
export const FIRST_SITE: usize = 44;
export const STRETCH_ROW: usize = 48;
export const STRETCH_UNIT: usize = 52;
export const CUTS: usize = 56;
export const STRETCH_OF: usize = 60;
export const RECORDS: usize = 64;
export const POSITION: usize = 68;
export const LENGTH: usize = 72;
export const SITE: usize = 76;
export const TOKENS: usize = 80;
export const SHARED_FIRST: usize = 84;

/** Bytes of a row in the columns of the table. */
export const PLACE_BYTES: usize = 16;
export const SIZE_BYTES: usize = 24;

/** What comes before the URL in a record, next to the sketch: sketch length u16, hits, min, max (table/site-urls). */
export const FIXED: usize = 26;
export const UNIT_BITS: usize = 3;

/** The column of a job. */
export function column(job: usize, field: usize): usize {
  return <usize>load<u32>(job + field);
}

export function i32At(address: usize, index: i32): i32 {
  return load<i32>(address + ((<usize>index) << 2));
}

/** Units that come before the URL in a record. */
export function headUnits(sketchLength: usize): usize {
  return (sketchLength + FIXED + 7) >> UNIT_BITS;
}

/** Units that a URL takes in a record. */
export function urlUnits(urlLength: usize): usize {
  return (urlLength + 7) >> UNIT_BITS;
}
