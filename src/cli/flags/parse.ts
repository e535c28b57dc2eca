// Parses numbers, words and times of a command line. Errors say what was expected.
import { UserError } from '../../base/error.js';

interface NumberRange {
  readonly min: number;
  readonly max?: number;
  /** True to allow fractions. */
  readonly fraction?: boolean;
}

/** A parser for commander: returns a number of the range, or throws a UserError that names the option. */
export function numberOption(name: string, range: NumberRange): (text: string) => number {
  const { min, max = Number.MAX_SAFE_INTEGER, fraction = false } = range;
  return (text) => {
    const value = Number(text);
    const fits = text.trim() !== '' && value >= min && value <= max && (fraction || Number.isInteger(value));
    if (fits) return value;
    const kind = fraction ? 'a number' : 'a whole number';
    const bounds = range.max === undefined ? `of at least ${min}` : `from ${min} to ${max}`;
    throw new UserError(`${name}: got "${text}", expected ${kind} ${bounds}`);
  };
}

/** A parser for commander: returns one of the words, or throws a UserError that lists them. */
export function wordOption<Word extends string>(name: string, words: readonly Word[]): (text: string) => Word {
  return (text) => {
    const word = words.find((candidate) => candidate === text);
    if (word !== undefined) return word;
    const near = closest(text, words);
    const meant = near === undefined ? '' : `; did you mean ${near}?`;
    throw new UserError(`${name}: got "${text}", expected ${words.join(', ')}${meant}`);
  };
}

// Which word was meant? The word with the smallest edit distance (changed, missing, added or swapped letters).

/** The word nearest to `word`, if it is at most one mistake away, or two in a long word. */
export function closest(word: string, words: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Infinity;
  for (const candidate of words) {
    const distance = distanceOf(word.toLowerCase(), candidate.toLowerCase());
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best !== undefined && least <= (best.length > 5 ? 2 : 1) ? best : undefined;
}

/** Such as ` Did you mean mine?`, for the end of a message; empty if no word is near. */
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

// A duration is a number and a unit: `90s`, `12h`, `7d`.

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/** Returns seconds. `option` is named in the message. */
export function parseDuration(text: string, option: string): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?)([smhdw])$/.exec(text.trim()) ?? [];
  if (number === undefined) throw new UserError(`${option}: got "${text}", expected a time as in 90s, 12h, 7d`);
  return Number(number) * SECONDS[unit!]!;
}

/** The flag of a commander attribute: `--max-url-length` for `maxUrlLength`. */
export function flagOf(attribute: string): string {
  return `--${attribute.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
