// The layout of a batch of records in the heap. Threads fill it, in JavaScript and in the kernel; the URL table folds
// it in.
//
//   | rows | used | room u32 | … 64: | sizes f64 | URL starts | ends | sketch starts | ends u32 | text | slack |
//
// Starts and ends are offsets in the text. `used` is the length of the text, and `room` how much fits.

export const ROWS = 0;
export const USED = 4;
export const ROOM = 8;

export const MOST_ROWS = 1 << 14;
/** A batch with at least so much text is full. */
export const FULL_BYTES = 1 << 20;

export const SIZES = 64;
export const URL_START = SIZES + 8 * MOST_ROWS;
export const URL_END = URL_START + 4 * MOST_ROWS;
export const SKETCH_START = URL_END + 4 * MOST_ROWS;
export const SKETCH_END = SKETCH_START + 4 * MOST_ROWS;
export const TEXT = SKETCH_END + 4 * MOST_ROWS;
