// How are counts said? `1 line`, `2 lines`.

/** A count with its noun, whose plural has an s if it is not named. */
export function many(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** The word that goes with a count: `1 line is`, `2 lines are`. */
export function agreeing(count: number, one: string, more: string): string {
  return count === 1 ? one : more;
}
