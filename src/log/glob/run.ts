// Does a text match the automaton of a glob, in time linear in its length?
//
// The subset construction, done lazily (as RE2 and Rust's regex do): each set of states that occurs becomes one state
// of a table, and each character of the text costs one table look-up. The table is dropped when it is full; the cost of
// filling it is bounded by the length of the text times the number of states.
import { CHARACTERS, OTHER, type Automaton } from './parse.js';

/** 1,000 x 129 transitions are 516 kB. */
const MOST_SETS = 1000;
const UNKNOWN = -1;
/** The set of no states, from which nothing matches any more. */
const NONE = 0;

export class GlobRunner {
  readonly #automaton: Automaton;
  readonly #marks: Uint32Array;
  #mark = 0;
  #table = new Int32Array(0);
  #sets: Int32Array[] = [];
  #ends: boolean[] = [];
  readonly #known = new Map<string, number>();
  #first = 0;

  constructor(automaton: Automaton) {
    this.#automaton = automaton;
    this.#marks = new Uint32Array(automaton.states.length);
    this.#reset();
  }

  /** The whole of the text, beginning to end. */
  matches(text: string): boolean {
    let set = this.#first;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      const sign = code < OTHER ? code : OTHER;
      const next = this.#table[set * CHARACTERS + sign]!;
      set = next === UNKNOWN ? this.#step(set, sign) : next;
      if (set === NONE) return false;
    }
    return this.#ends[set]!;
  }

  #reset(): void {
    this.#table = new Int32Array(16 * CHARACTERS).fill(UNKNOWN);
    this.#sets = [];
    this.#ends = [];
    this.#known.clear();
    this.#number(Int32Array.of());
    this.#first = this.#number(this.#closure([this.#automaton.start]));
  }

  /** The set after a character, which becomes known. */
  #step(set: number, code: number): number {
    const { states } = this.#automaton;
    const reached: number[] = [];
    for (const state of this.#sets[set]!) {
      const { set: taken, next } = states[state]!;
      if (taken?.[code] === 1) reached.push(next);
    }
    const found = this.#closure(reached);
    if (this.#sets.length >= MOST_SETS && !this.#known.has(found.join())) {
      this.#reset();
      return this.#number(found);
    }
    const number = this.#number(found);
    this.#table[set * CHARACTERS + code] = number;
    return number;
  }

  /** All states that are reached without a character; only those that consume one or end the match are kept. */
  #closure(from: readonly number[]): Int32Array {
    const { states, end } = this.#automaton;
    const kept: number[] = [];
    const open = [...from];
    this.#mark++;
    for (let state = open.pop(); state !== undefined; state = open.pop()) {
      if (this.#marks[state] === this.#mark) continue;
      this.#marks[state] = this.#mark;
      const { set, empty } = states[state]!;
      if (set !== null || state === end) kept.push(state);
      open.push(...empty);
    }
    return Int32Array.from(kept).sort();
  }

  #number(found: Int32Array): number {
    const key = found.join();
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const number = this.#sets.push(found) - 1;
    this.#ends.push(found.includes(this.#automaton.end));
    this.#known.set(key, number);
    if ((number + 1) * CHARACTERS > this.#table.length) {
      const larger = new Int32Array(this.#table.length * 2).fill(UNKNOWN);
      larger.set(this.#table);
      this.#table = larger;
    }
    return number;
  }
}
