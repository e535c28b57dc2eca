// Which of these words was meant? The one at the smallest edit distance (changed, missing, added or swapped letters).

/** The nearest of `words` to `word`, if it is one mistake away, or two in a long word. */
export function closest(word: string, words: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Infinity;
  for (const candidate of words) {
    const distance = distanceOf(word.toLowerCase(), candidate.toLowerCase());
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best !== undefined && least <= (best.length > 5 ? 2 : 1) ? best : undefined;
}

/** ` Did you mean mine?`, for the end of a message; empty if no word is near. */
export function didYouMean(word: string, words: Iterable<string>): string {
  const near = closest(word, words);
  return near === undefined ? '' : ` Did you mean ${near}?`;
}

/** Damerau-Levenshtein distance, in the variant where no letter is moved twice (optimal string alignment). */
function distanceOf(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let distance = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + cost);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) distance = Math.min(distance, before[j - 2]! + 1);
      row.push(distance);
    }
    [before, last] = [last, row];
  }
  return last[b.length]!;
}
