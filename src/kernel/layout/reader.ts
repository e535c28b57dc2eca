// The parameters and results of a reader of plain lines: a block of u32 numbers.
//
//   0     the format of the lines and of the records; after a call, the number of lines and of paths
//   64    the meaning of each cell of a table, u8
//   128   the origin of the last valid URL, cached by the kernel
//   208   the origin of the last host, cached as well
//   480   the address of the prefixes
//   496   the origin for paths

/** One of the kinds of lines below. */
export const KIND = 0;
/** The most cells that a line may have, and the number of cells up to the last one with a meaning. */
export const MOST_CELLS = 4;
export const CELLS = 8;
/** Number of lines read. */
export const LINES = 12;
/** The address of the origin for paths. */
export const BASE = 16;
export const BASE_LENGTH = 20;
/** 1 if URLs must be in normal form. */
export const IS_SAFE = 24;
/** The most bytes of a URL. */
export const MOST_URL = 28;
/** Number of URLs that are paths without an origin. */
export const PATHS = 32;
export const ORIGIN_LENGTH = 36;
/** 1 if only paths are plain: for full URLs, JavaScript decides whether they are of this server. */
export const ONLY_PATHS = 40;
/** 1 if hosts without a scheme are read as https. */
export const IS_HTTPS = 44;
/** The address of the trie of JSON names (./json-names). */
export const NAMES = 48;
/** The index of the time among the words of a load balancer's line: the other words are counted from it. */
export const FIRST_WORD = 52;
export const HOST_ORIGIN_LENGTH = 56;
/** The address of a column with the places of each line, by row of the batch, or 0 if nobody needs it. */
export const PLACES = 60;

/** The places of a line, u32 each: its start, the quotes around its request, its newline. */
export const LINE_START = 0;
export const LINE_OPEN = 4;
export const LINE_CLOSE = 8;
export const LINE_END = 12;
export const PLACE_BYTES = 16;

export const MEANINGS = 64;
/** Some bytes after the origin may be overwritten. */
export const ORIGIN = 128;
export const MOST_ORIGIN = 64;
export const HOST_ORIGIN = 208;
export const MOST_HOST = 255;
/** The address of the prefixes before each line (./prefix), or 0. */
export const PREFIXES = 480;
/** 1 if sketches get the time of their capture (./facts). */
export const WANTS_TIME = 484;
export const BASE_TEXT = 496;

/** Kinds of lines. */
export const TABLE = 0;
export const NCSA = 1;
export const ELB = 2;
export const JSON_OBJECT = 3;
export const CDXJ = 4;
export const W3C = 5;
export const URLS = 6;

/** Meanings of cells and names; 0 is no meaning. */
export const URL_CELL = 1;
export const SIZE_CELL = 2;
export const STATUS_CELL = 3;
export const METHOD_CELL = 4;
export const SKETCH_CELL = 5;
export const QUERY_CELL = 6;
export const REQUEST_CELL = 7;
export const HOST_CELL = 8;
export const SCHEME_CELL = 9;
export const TARGET_CELL = 10;
export const TIME_CELL = 11;
/** The number of meanings, including 0. */
export const MEANING_COUNT = 12;
