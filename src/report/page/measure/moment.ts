// When was a request made? Its day, and on one day its place in the log: a number that orders requests.
//
//   (day + 1) 2^32 + line      0 is never; a day of -1 is unknown, as day is in columns

const LINES = 2 ** 32;

/** Days are in UTC, counted from 1970; -1 if unknown. `line` counts the lines that were read, from 1. */
export function momentOf(day: number, line: number): number {
  return (day + 1) * LINES + line;
}

/** The day of a moment; -1 if the log does not say. */
export function dayOf(moment: number): number {
  return Math.floor(moment / LINES) - 1;
}
