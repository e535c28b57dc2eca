// Turns the words of a command line into numbers and sizes, or says what was expected instead.
import { Option } from 'commander';
import type { Effects } from '../../base/effects.js';
import { UserError } from '../../base/error.js';
import { closest } from './closest.js';

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

/** An option that takes one of the words; help and completion show them. */
export function choice<Word extends string>(
  flags: string,
  description: string,
  words: readonly Word[],
  standard?: Word,
): Option {
  const name = flags.split(' ')[0]!;
  const option = new Option(flags, description).argParser(wordOption(name, words));
  option.argChoices = [...words]; // told by help, offered by completion
  return standard === undefined ? option : option.default(standard);
}

/** 1g, or a quarter of the machine if that is less. */
export function defaultMemory(effects: Effects): string {
  const quarter = Math.floor(effects.memoryBytes / 4 / 2 ** 20);
  return quarter < 1024 ? `${quarter}m` : '1g';
}
