// How are the times of requests added up? As whole microseconds, whose sum is the same in any order.

export function microsOf(ms: number): number {
  return Math.round(ms * 1000);
}

/** Whole milliseconds. */
export function msOf(micros: number): number {
  return Math.round(micros / 1000);
}
