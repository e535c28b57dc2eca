// A part of the sites as text: `2/4` is the second of four.

/** Part k of n, from 1. */
export interface Part {
  readonly k: number;
  readonly n: number;
}

const MOST_PARTS = 1_000_000;

/** Undefined for anything else. */
export function partOfText(text: string): Part | undefined {
  const found = /^([1-9]\d{0,6})\/([1-9]\d{0,6})$/.exec(text);
  const [k, n] = [Number(found?.[1]), Number(found?.[2])];
  return k <= n && n <= MOST_PARTS ? { k, n } : undefined;
}

export function textOfPart({ k, n }: Part): string {
  return `${k}/${n}`;
}
