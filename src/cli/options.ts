// Turns the words of a command line into numbers and sizes, or says what was expected instead.
import type { Effects } from '../base/effects.js';
import { UserError } from '../base/error.js';

export interface NumberRange {
  readonly min: number;
  readonly max?: number;
  readonly integer?: boolean;
}

/** A parser for commander: a number of the range, else a UserError that names the option. */
export function numberOption(name: string, range: NumberRange): (text: string) => number {
  const { min, max = Number.MAX_SAFE_INTEGER, integer = true } = range;
  return (text) => {
    const value = Number(text);
    const fits = text.trim() !== '' && value >= min && value <= max && (!integer || Number.isInteger(value));
    if (fits) return value;
    const kind = integer ? 'a whole number' : 'a number';
    const bounds = range.max === undefined ? `of at least ${min}` : `from ${min} to ${max}`;
    throw new UserError(`${name}: got "${text}", expected ${kind} ${bounds}`);
  };
}

/** A parser for commander: one of the words, else a UserError that lists them. */
export function wordOption<Word extends string>(name: string, words: readonly Word[]): (text: string) => Word {
  return (text) => {
    const word = words.find((candidate) => candidate === text);
    if (word !== undefined) return word;
    const near = closest(text, words);
    const meant = near === undefined ? '' : `; did you mean ${near}?`;
    throw new UserError(`${name}: got "${text}", expected ${words.join(', ')}${meant}`);
  };
}

/** The word that `text` was meant for, if it is one mistake away, or two in a long word. */
function closest(text: string, words: readonly string[]): string | undefined {
  const typed = text.toLowerCase();
  const distances = words.map((word) => ({ word, mistakes: editDistance(typed, word.toLowerCase()) }));
  const nearest = distances.reduce((best, next) => (next.mistakes < best.mistakes ? next : best));
  return nearest.mistakes <= (nearest.word.length > 5 ? 2 : 1) ? nearest.word : undefined;
}

/** Letters to insert, remove, replace, or exchange with the next (Damerau's, each letter once). */
function editDistance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let least = Math.min(replaced, rows[i - 1]![j]! + 1, row[j - 1]! + 1);
      const isExchanged = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isExchanged) least = Math.min(least, rows[i - 2]![j - 2]! + 1);
      row.push(least);
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}

/** 1g, or a quarter of the machine if that is less. */
export function defaultMemory(effects: Effects): string {
  const quarter = Math.floor(effects.memoryBytes / 4 / 2 ** 20);
  return quarter < 1024 ? `${quarter}m` : '1g';
}
