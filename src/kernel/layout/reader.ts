// What is a reader of plain lines told, and what does it tell? A block of numbers, u32 each.
//
//   0     what lines are like, and what records are to be like; of the last call, how many lines and paths
//   64    what each cell of a table means, u8
//   128   the origin of a URL that was good, which the kernel keeps
//   208   the origin that paths get

/** TABLE, or the NCSA family. */
export const KIND = 0;
/** Cells that a line may have, and those up to the last that means something. */
export const MOST_CELLS = 4;
export const CELLS = 8;
/** Lines that were read. */
export const LINES = 12;
/** The origin of paths: its address. */
export const BASE = 16;
export const BASE_LENGTH = 20;
/** 1 if URLs are to be in normal form. */
export const IS_SAFE = 24;
/** The bytes of a URL at most. */
export const MOST_URL = 28;
/** How many URLs are paths that got no origin. */
export const PATHS = 32;
export const ORIGIN_LENGTH = 36;

export const MEANINGS = 64;
/** Some bytes behind the origin may be overwritten. */
export const ORIGIN = 128;
export const MOST_ORIGIN = 64;
export const BASE_TEXT = 208;

/** Kinds of lines. */
export const TABLE = 0;
export const NCSA = 1;

/** What cells mean; 0: nothing. */
export const URL_CELL = 1;
export const SIZE_CELL = 2;
export const STATUS_CELL = 3;
export const METHOD_CELL = 4;
export const SKETCH_CELL = 5;
