// How does a batch of records lie in the heap? Threads write it, in JavaScript and in the kernel, and the URL table
// takes it in.
//
//   | rows | used | room u32 | … 64: | sizes f64 | URL starts | URL ends | sketch starts | sketch ends u32 | text | slack |
//
// Starts and ends are from the text on, which has so many bytes `used`, and room for so many.

export const ROWS = 0;
export const USED = 4;
export const ROOM = 8;

export const MOST_ROWS = 1 << 14;
/** A batch with so much text is full. */
export const FULL_BYTES = 1 << 20;

export const SIZES = 64;
export const URL_START = SIZES + 8 * MOST_ROWS;
export const URL_END = URL_START + 4 * MOST_ROWS;
export const SKETCH_START = URL_END + 4 * MOST_ROWS;
export const SKETCH_END = SKETCH_START + 4 * MOST_ROWS;
export const TEXT = SKETCH_END + 4 * MOST_ROWS;
