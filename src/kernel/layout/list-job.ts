// The job of the threads that make the list of all sites: a block of counts and addresses of columns, u32 each.
//
//   a place of text    | URL start | URL end | sketch start | sketch end |      u32 each, by row of the table
//   sizes              | hits | min | max |      f64 each
//   a cut              | address | length |      u32 each: the smallest URL of the stretch, in collation bytes
//
// Columns by place of a site are i32, in the order of site names; the first of them is by the number of the site in the
// table. The columns of first rows and first units have one more entry, the end. The column of stretches is u16.

// The table: its rows, the address that places of text are relative to, and its columns.
export const ROWS = 0;
export const TEXT_AT = 4;
export const PLACES = 8;
export const SIZES = 12;
export const SITES = 16;

// By place of a site: its place by number; its first row, unit and stretch; the root of its cuts, or 0.
export const PLACE_OF = 20;
export const FIRST_ROW = 24;
export const FIRST_UNIT = 28;
export const FIRST_STRETCH = 32;
export const ROOTS = 36;

// By stretch: the number of stretches, then columns: place of the first site, first row, first unit, cut.
export const STRETCHES = 40;
export const FIRST_SITE = 44;
export const STRETCH_ROW = 48;
export const STRETCH_UNIT = 52;
export const CUTS = 56;

// By row: its stretch.
export const STRETCH_OF = 60;

// The list.
export const RECORDS = 64;
export const POSITION = 68;
export const LENGTH = 72;
export const SITE = 76;
export const TOKENS = 80;
export const SHARED_FIRST = 84;

export const JOB_BYTES = 88;
