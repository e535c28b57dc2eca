// How are counts said? `1 line`, `2 lines`.

/** A count with its noun, whose plural has an s. */
export function many(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
