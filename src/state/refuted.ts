// To which questions did the site say no on earlier nights? They rest, so that a night does not spend requests on what
// it knows, whether the fetch cache still has the answers or not: for a week first, then for twice as long each time,
// as retired rules do (`rule/visit`).
//
//     key (of the question)    on            times
//     9f86d081884c7d65         2026-11-21    2         rests until 2026-12-05
//
// A question may hold values of the log. So only a hash of it is kept, and `forget` has nothing to erase here.
import { createHash } from 'node:crypto';
import { daysBetween } from '../rule/night.js';
import { retryDays } from '../rule/visit.js';

/** The hash of a question, the night of its last refutation, and the number of refutations. */
export type RefutedQuestion = readonly [key: string, on: string, times: number];

/** Some 400 kB. Beyond that the oldest refutations are forgotten. */
const MOST_QUESTIONS = 10_000;
const KEY_DIGITS = 16;

export class RefutedQuestions {
  readonly #night: string;
  readonly #kept: Map<string, RefutedQuestion>;

  constructor(kept: readonly RefutedQuestion[], night: string) {
    this.#night = night;
    this.#kept = new Map(kept.map((one) => [one[0], one]));
  }

  /** Whether a question, by its text, is not to be asked tonight. */
  rests(question: string): boolean {
    const known = this.#kept.get(keyOf(question));
    return known !== undefined && daysBetween(known[1], this.#night) < retryDays(known[2]);
  }

  /** Records an answer of tonight. */
  note(question: string, isRefuted: boolean): void {
    const key = keyOf(question);
    const times = this.#kept.get(key)?.[2] ?? 0;
    this.#kept.delete(key);
    if (isRefuted) this.#kept.set(key, [key, this.#night, times + 1]);
  }

  /** What to keep: the newest last. */
  content(): readonly RefutedQuestion[] {
    return [...this.#kept.values()].slice(-MOST_QUESTIONS);
  }
}

function keyOf(question: string): string {
  return createHash('sha256').update(question).digest('hex').slice(0, KEY_DIGITS);
}
