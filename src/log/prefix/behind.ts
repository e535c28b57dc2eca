// Reads lines behind prefixes, in any format: the prefixes are stripped before the format sees a line.
//
// An input has the same prefixes on nearly all lines, which detection finds (./find). A line that lacks them, or cannot
// be read behind them, is tried without any and behind others that one line is enough to know by: prefixes may change
// midway. It counts only if it then is a whole line of the format. Last, colours inside of it are removed.
import { METHOD } from '../record.js';
import { clearFields, type Fields, type LineFormat, NOT_IN_FORMAT } from '../format/format.js';
import { skipPattern } from './pattern.js';
import { hasOwnHost, isLoose, isWhole } from './plausible.js';
import { copyWithoutColours, ESCAPE, patternOf, type PrefixName, skipPrefixes, SURE_NAMES } from './prefixes.js';

/** So many prefixes may stand before a line. */
export const MOST_PREFIXES = 3;

/** The format, for lines that have these prefixes. */
export function behindPrefixes(format: LineFormat, prefixes: readonly PrefixName[]): LineFormat {
  const reader = new PrefixedReader(format, prefixes);
  const { name, earlierLines } = format;
  return {
    name,
    prefixes,
    ...(earlierLines !== undefined && { earlierLines }),
    get plain() {
      return format.plain;
    },
    parse: (bytes, start, end, fields) => reader.parse(bytes, start, end, fields),
    ...(format.readMore !== undefined && { readMore: (line, fields) => format.readMore!(line, fields) }),
    ...(format.misfitOf !== undefined && {
      misfitOf: (bytes, start, end) => {
        const at = Math.max(start, skipPrefixes(prefixes, bytes, start, end));
        const misfit = format.misfitOf!(bytes, at, end);
        return { ...misfit, column: misfit.column + at - start };
      },
    }),
  };
}

class PrefixedReader {
  readonly #format: LineFormat;
  readonly #prefixes: readonly PrefixName[];
  readonly #isLoose: boolean;
  #bare = Buffer.alloc(0);

  constructor(format: LineFormat, prefixes: readonly PrefixName[]) {
    this.#format = format;
    this.#prefixes = prefixes;
    this.#isLoose = isLoose(format.name);
  }

  parse(bytes: Buffer, start: number, end: number, fields: Fields): string | null {
    const at = skipPrefixes(this.#prefixes, bytes, start, end);
    let cause: string | null = NOT_IN_FORMAT;
    if (this.#format.earlierLines !== undefined) return this.#parseOnce(bytes, start, Math.max(start, at), end, fields);
    if (at >= 0) {
      cause = this.#format.parse(bytes, at, end, fields);
      if (!this.#isDoubtful(cause, bytes, at, end, fields)) return cause;
    }
    if (this.#parseElsewhere(bytes, start, end, fields)) return null;
    if (cause !== null || at < 0) return cause;
    clearFields(fields);
    return this.#format.parse(bytes, at, end, fields);
  }

  /** A line that is read twice would be two lines to formats in which lines depend on earlier ones. */
  #parseOnce(bytes: Buffer, start: number, at: number, end: number, fields: Fields): string | null {
    if (bytes[start] !== ESCAPE) return this.#format.parse(bytes, at, end, fields);
    const length = this.#removeColours(bytes, start, end);
    const from = Math.max(0, skipPrefixes(this.#prefixes, this.#bare, 0, length));
    return this.#format.parse(this.#bare, from, length, fields);
  }

  #isDoubtful(cause: string | null, bytes: Buffer, start: number, end: number, fields: Fields): boolean {
    if (cause !== null) return cause === NOT_IN_FORMAT;
    const { host } = fields;
    if (this.#isLoose && host.end > host.start && !hasOwnHost(this.#format.name, bytes, start, end, fields))
      return true;
    return fields.method === METHOD.missing && (this.#format.name === 'custom' || hasEscape(bytes, start, end));
  }

  /** Reads a line that is not as most are. */
  #parseElsewhere(bytes: Buffer, start: number, end: number, fields: Fields): boolean {
    if (this.#parseBehindAny(bytes, start, end, fields, 0)) return true;
    if (!hasEscape(bytes, start, end)) return false;
    const length = this.#removeColours(bytes, start, end);
    if (length === end - start) return false;
    const at = skipPrefixes(this.#prefixes, this.#bare, 0, length);
    return (
      (at >= 0 && this.#parseAt(this.#bare, at, length, fields)) ||
      this.#parseBehindAny(this.#bare, 0, length, fields, 0)
    );
  }

  /** Copies the line; returns its length. */
  #removeColours(bytes: Buffer, start: number, end: number): number {
    if (this.#bare.length < end - start) this.#bare = Buffer.alloc(2 * (end - start));
    return copyWithoutColours(bytes, start, end, this.#bare);
  }

  /** Tries the line at `start`, and behind each sure prefix that it has there. */
  #parseBehindAny(bytes: Buffer, start: number, end: number, fields: Fields, depth: number): boolean {
    if (this.#parseAt(bytes, start, end, fields)) return true;
    if (depth === MOST_PREFIXES) return false;
    for (const name of SURE_NAMES) {
      const at = skipPattern(patternOf(name), bytes, start, end);
      if (at > start && this.#parseBehindAny(bytes, at, end, fields, depth + 1)) return true;
    }
    return false;
  }

  #parseAt(bytes: Buffer, start: number, end: number, fields: Fields): boolean {
    clearFields(fields);
    const cause = this.#format.parse(bytes, start, end, fields);
    if (cause !== null || !isWhole(this.#format.name, bytes, start, end, fields)) return false;
    return fields.method !== METHOD.missing || !(this.#isLoose || hasEscape(bytes, start, end));
  }
}

function hasEscape(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] === ESCAPE) return true;
  return false;
}
