// Matches globs against the path of a URL, or a host:
//
//   *.php        in any folder                 `*` and `?` match anything but a slash, `**` slashes too
//   /shop/**     from the root on              {a,b} and [a-z] as in a shell; everything else is literal
//   /private/    everything below, as it ends with a slash
//   /s\?q=*      with the query: `\?` is a question mark; after it, `*` and `?` match slashes too
//
// As with rsync, a glob that begins with a slash is matched against the whole path, and any other glob against the part
// after any slash. The path is matched as in the URL: percent-encoded and case-sensitive.
//
// An automaton, because the libraries make a regular expression that backtracks: picomatch takes 26 s to tell that sixty
// times `a` does not match `*a*a*a*a*a*a*a*ab`, and anybody can write the path of a log.
import { type Automaton, AutomatonBuilder, CHARACTERS, OTHER } from './parse.js';

export interface PathMatcher {
  /** `query` is the part after the question mark, or null if there is none. */
  matches(path: string, query: string | null): boolean;
}

const PATH = { slash: '/', ignoreCase: false } as const;
const QUERY = { slash: null, ignoreCase: false } as const;
const HOST = { slash: null, ignoreCase: true } as const;

/** Throws a UserError for a glob whose brackets or braces do not close. */
export function createPathMatcher(globs: readonly string[]): PathMatcher {
  const queries: { readonly path: GlobRunner; readonly query: GlobRunner }[] = [];
  const plain: string[] = [];
  for (const glob of globs) {
    const at = placeOfQuery(glob);
    if (at < 0) {
      plain.push(glob);
      continue;
    }
    const query = new AutomatonBuilder(QUERY).glob(encoded(glob.slice(at + 2)), false).build();
    queries.push({ path: pathRunner([glob.slice(0, at)]), query: new GlobRunner(query) });
  }
  const paths = plain.length === 0 ? null : pathRunner(plain);
  return {
    matches(path, query) {
      if (paths?.matches(path) === true) return true;
      if (query === null) return false;
      for (const glob of queries) if (glob.path.matches(path) && glob.query.matches(query)) return true;
      return false;
    },
  };
}

/** Matches `host`, or `host:port` if the glob has a colon. `*` also matches dots, and case is ignored. */
export function createHostMatcher(globs: readonly string[]): (host: string, port: string) => boolean {
  const runner = (isWanted: (glob: string) => boolean) => {
    const wanted = globs.filter(isWanted);
    if (wanted.length === 0) return null;
    const builder = new AutomatonBuilder(HOST);
    for (const glob of wanted) builder.glob(encoded(glob), false);
    return new GlobRunner(builder.build());
  };
  const hosts = runner((glob) => !glob.includes(':'));
  const withPort = runner((glob) => glob.includes(':'));
  return (host, port) => hosts?.matches(host) === true || withPort?.matches(host + port) === true;
}

/** The offset of the first `\?` whose backslash is not itself escaped, or -1. */
function placeOfQuery(glob: string): number {
  for (let at = 0; at < glob.length; at++) {
    if (glob[at] !== '\\') continue;
    if (glob[at + 1] === '?') return at;
    at++;
  }
  return -1;
}

function pathRunner(globs: readonly string[]): GlobRunner {
  const builder = new AutomatonBuilder(PATH);
  for (const glob of globs) {
    const whole = glob.endsWith('/') ? `${glob}**` : glob;
    builder.glob(encoded(whole), !whole.startsWith('/'));
  }
  return new GlobRunner(builder.build());
}

/** In URLs, characters that are not ASCII are UTF-8, percent-encoded. */
function encoded(glob: string): string {
  return glob.replace(/[^\0-\x7f]+/g, encodeURIComponent);
}

// Matching takes time linear in the length of the text, by the lazy subset construction (as in RE2 and Rust's regex):
// each set of states that occurs becomes one state of a table, and each character costs one table look-up. A full table
// is dropped. The cost of filling it is at most the length of the text times the number of states.

/** 1,000 × 129 transitions are 516 kB. */
const MOST_SETS = 1000;
const UNKNOWN = -1;
/** The empty set of states, from which nothing matches. */
const NONE = 0;

class GlobRunner {
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

  /** The set after a character; stores it in the table. */
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

  /** All states that are reachable without a character. Keeps only those that consume one or end the match. */
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
