// Compiles globs to an automaton.
//
// Thompson's construction (1968): each part of a glob becomes states of a nondeterministic automaton, in time and space
// linear in the length of the glob. Nested braces are cheap too: forty times `{a,a}` is 200 states, while expanding it
// would make 2^40 globs.
import { SLASH } from '../../base/ascii.js';
import { UserError } from '../../base/error.js';

/** All characters outside of ASCII count as this one. */
export const OTHER = 128;
export const CHARACTERS = 129;

/** A state either takes a character of `set` and goes on to `next`, or goes on to all states of `empty` without one. */
interface State {
  readonly set: Uint8Array | null;
  next: number;
  readonly empty: number[];
}

/** A match begins at `start`, and ends if `end` is reached with the last character. */
export interface Automaton {
  readonly states: readonly State[];
  readonly start: number;
  readonly end: number;
}

/** `slash` is the character that only `**` matches, or null if `*` and `?` match everything. */
interface Kind {
  readonly slash: '/' | null;
  readonly ignoreCase: boolean;
}

const MOST_OF_A_RANGE = 100;
const MOST_CHARACTERS = 4096;

/**
 * Makes one automaton for several globs. Throws a UserError for brackets that do not close and for ranges such as z-a.
 */
export class AutomatonBuilder {
  readonly #states: State[] = [];
  readonly #kind: Kind;
  readonly #start = this.#add(null);
  readonly #end = this.#add(null);
  /** Offsets of braces that only close literal braces. */
  readonly #literals = new Set<number>();
  #glob = '';
  #at = 0;

  constructor(kind: Kind) {
    this.#kind = kind;
  }

  /** With `anywhere`, the glob may also match the part after any slash. */
  glob(text: string, anywhere: boolean): this {
    if (text.length > MOST_CHARACTERS) {
      throw new UserError(`got a glob of ${text.length} characters; expected at most ${MOST_CHARACTERS}`);
    }
    this.#glob = text;
    this.#at = 0;
    this.#literals.clear();
    let from = this.#add(null);
    this.#link(this.#start, from);
    if (anywhere) from = this.#folders(from);
    this.#link(this.#sequence(from, false), this.#end);
    return this;
  }

  build(): Automaton {
    return { states: this.#states, start: this.#start, end: this.#end };
  }

  /** Reads to the end of the glob, or in braces to the next comma or closing brace. Returns the last state. */
  #sequence(from: number, inBraces: boolean): number {
    let last = from;
    while (this.#at < this.#glob.length) {
      const sign = this.#glob[this.#at]!;
      if (inBraces && (sign === ',' || sign === '}') && !this.#literals.has(this.#at)) return last;
      if (sign === '*') last = this.#star(last);
      else if (sign === '?') last = this.#take(last, this.#anyInName(), 1);
      else if (sign === '[') last = this.#bracket(last);
      else if (sign === '{') last = this.#braces(last);
      else last = this.#literal(last);
    }
    if (inBraces) throw this.#unexpected();
    return last;
  }

  #literal(from: number): number {
    const isEscape = this.#glob[this.#at] === '\\' && this.#at + 1 < this.#glob.length;
    const code = this.#glob.charCodeAt(this.#at + (isEscape ? 1 : 0));
    return this.#take(from, this.#setOf([[code, code]], false), isEscape ? 2 : 1);
  }

  /**
   * `**` matches slashes too; between slashes it also matches no folder at all. A `*` between slashes needs a
   * character.
   */
  #star(from: number): number {
    const [before, isDouble] = [this.#glob[this.#at - 1], this.#glob[this.#at + 1] === '*'];
    const beginsName = this.#at === 0 || before === '/';
    if (isDouble) {
      while (this.#glob[this.#at] === '*') this.#at++;
      if (!beginsName || this.#glob[this.#at] !== '/' || this.#kind.slash === null) return this.#any(from, this.#all());
      this.#at++;
      return this.#folders(from);
    }
    this.#at++;
    const isWhole = beginsName && (this.#at === this.#glob.length || this.#glob[this.#at] === '/');
    const first = isWhole && this.#kind.slash !== null ? this.#take(from, this.#anyInName(), 0) : from;
    return this.#any(first, this.#anyInName());
  }

  /** `[a-c]`, `[!a-c]`, `[^a-c]`. A `]` that comes first belongs to the set, as in a shell. */
  #bracket(from: number): number {
    let at = this.#at + 1;
    const isNegated = this.#glob[at] === '!' || this.#glob[at] === '^';
    if (isNegated) at++;
    const ranges: [number, number][] = [];
    for (const first = at; this.#glob[at] !== ']' || at === first;) {
      const [low, afterLow] = this.#member(at);
      const isRange = this.#glob[afterLow] === '-' && this.#glob[afterLow + 1] !== ']';
      const [high, after] = isRange ? this.#member(afterLow + 1) : [low, afterLow];
      if (low > high) throw this.#unexpected();
      ranges.push([low, high]);
      at = after;
    }
    this.#at = at + 1;
    return this.#take(from, this.#setOf(ranges, isNegated), 0);
  }

  /** The character of a set at `at`, and the offset after it. */
  #member(at: number): [code: number, after: number] {
    const place = this.#glob[at] === '\\' ? at + 1 : at;
    if (place >= this.#glob.length) throw this.#unexpected();
    return [this.#glob.charCodeAt(place), place + 1];
  }

  /** `{a,b}` or `{1..9}`; braces with neither a comma nor a range are literal, as in a shell. */
  #braces(from: number): number {
    const range = /^\{(?:(\d{1,9})\.\.(\d{1,9})|([a-z])\.\.([a-z]))\}/i.exec(this.#glob.slice(this.#at, this.#at + 24));
    if (range !== null) return this.#range(from, range);
    if (!this.#hasComma()) return this.#literal(from);
    const end = this.#add(null);
    do {
      this.#at++;
      const begin = this.#add(null);
      this.#link(from, begin);
      this.#link(this.#sequence(begin, true), end);
    } while (this.#glob[this.#at] === ',');
    this.#at++;
    return end;
  }

  /** True if the braces that open here have a comma at their own level. If not, the closing brace is literal too. */
  #hasComma(): boolean {
    let depth = 0;
    for (let at = this.#at; at < this.#glob.length; at++) {
      const sign = this.#glob[at]!;
      if (sign === '\\') at++;
      else if (sign === '{') depth++;
      else if (sign === ',' && depth === 1) return true;
      else if (sign === '}' && --depth === 0) {
        this.#literals.add(at);
        return false;
      }
    }
    throw this.#unexpected();
  }

  #range(from: number, [text, low, high, first, last]: RegExpExecArray): number {
    const ends = low === undefined ? [first!.charCodeAt(0), last!.charCodeAt(0)] : [Number(low), Number(high)];
    const [least, most] = [Math.min(...ends), Math.max(...ends)];
    if (most - least >= MOST_OF_A_RANGE) {
      throw new UserError(`got "${text}" in the glob "${this.#glob}"; expected at most ${MOST_OF_A_RANGE} values`);
    }
    const end = this.#add(null);
    for (let value = least; value <= most; value++) {
      let state = this.#add(null);
      this.#link(from, state);
      for (const char of low === undefined ? String.fromCharCode(value) : String(value)) {
        const code = char.charCodeAt(0);
        state = this.#take(state, this.#setOf([[code, code]], false), 0);
      }
      this.#link(state, end);
    }
    this.#at += text.length;
    return end;
  }

  /** Matches nothing, or any text that ends with a slash. */
  #folders(from: number): number {
    const end = this.#add(null);
    this.#link(from, end);
    const inside = this.#any(from, this.#all());
    this.#link(this.#take(inside, this.#setOf([[SLASH, SLASH]], false), 0), end);
    return end;
  }

  /** Any number of characters of the set. */
  #any(from: number, set: Uint8Array): number {
    const state = this.#add(set);
    this.#link(from, state);
    this.#states[state]!.next = state;
    const end = this.#add(null);
    this.#link(state, end);
    return end;
  }

  /** Matches one character of the set. Advances by `width` characters of the glob. */
  #take(from: number, set: Uint8Array, width: number): number {
    const [state, end] = [this.#add(set), this.#add(null)];
    this.#link(from, state);
    this.#states[state]!.next = end;
    this.#at += width;
    return end;
  }

  #add(set: Uint8Array | null): number {
    return this.#states.push({ set, next: -1, empty: [] }) - 1;
  }

  #link(from: number, to: number): void {
    this.#states[from]!.empty.push(to);
  }

  #all(): Uint8Array {
    return new Uint8Array(CHARACTERS).fill(1);
  }

  #anyInName(): Uint8Array {
    const set = this.#all();
    if (this.#kind.slash !== null) set[SLASH] = 0;
    return set;
  }

  #setOf(ranges: readonly (readonly [number, number])[], isNegated: boolean): Uint8Array {
    const found = new Uint8Array(CHARACTERS);
    for (const [low, high] of ranges) {
      for (let code = Math.min(low, OTHER); code <= Math.min(high, OTHER); code++) {
        found[code] = 1;
        if (this.#kind.ignoreCase && /[a-z]/i.test(String.fromCharCode(code))) found[code ^ 32] = 1;
      }
    }
    if (!isNegated) return found;
    return this.#anyInName().map((isIn, code) => (isIn === 1 && found[code] === 0 ? 1 : 0));
  }

  #unexpected(): UserError {
    return new UserError(
      `got the glob "${this.#glob}" with an invalid set in brackets; expected one such as [a-z], or \\[ for a literal bracket`,
    );
  }
}
