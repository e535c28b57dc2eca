// What a capture of a crawl says of its URL beside size and sketch: facts, in the place of the sketch and before it.
//
//   | MARK | flags | length of the name u16 | languages u32 | time f64 | name … | sketch … |
//
//   name        the URL that the page is given as its own: a redirect's target, or a canonical link; raw bytes
//   languages   a bit for each language of the page; two pages without a common bit have no common language; 0: unknown
//   time        of the capture, as a number that grows with time; 0: unknown
//
// A log of requests has no facts, and no bytes for them. A sketch that begins like facts and is not long enough for them
// is a sketch.

export const MARK = 1;
export const FLAGS = 1;
export const NAME_LENGTH = 2;
export const LANGUAGES = 4;
export const TIME = 8;
export const FACTS_BYTES = 16;

/** Longer names are not kept: facts and the digest of a long sketch fit into the bytes that a sketch may have. */
export const MOST_NAME = 960;

/** The capture has a page (200), and is no redirect. */
export const IS_PAGE = 1;
/** Captures of this URL had different sketches. */
export const HAS_CHANGED = 2;
/** Sketches of several captures were compared. */
export const WAS_SEEN_AGAIN = 4;
/** All flags. */
export const KNOWN_FLAGS = 7;

/** A time has at most so many digits: 20140126200624. */
export const TIME_DIGITS = 14;
