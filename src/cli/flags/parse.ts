// Parses numbers and words of a command line, or says what was expected instead.
import { UserError } from '../../base/error.js';
import { closest } from './closest.js';

export interface NumberRange {
  readonly min: number;
  readonly max?: number;
  /** Whole numbers only, unless this is true. */
  readonly fraction?: boolean;
}

/** A parser for commander: a number of the range, else a UserError that names the option. */
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
