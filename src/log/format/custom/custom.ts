// Reads a log whose format the user describes with Apache's LogFormat or nginx's log_format. `compile` turns the string
// into a plan once. The plan then reads lines: it first finds the fields, then their values.
//
// These servers escape quotes and backslashes, so a byte after a backslash does not end a field. If a line cannot be
// read that way, backslashes are taken literally: not every server escapes.
import { BACKSLASH, COLON, COMMA, DASH, SLASH } from '../../../base/ascii.js';
import { decodeText, isDigit } from '../../../base/bytes.js';
import { METHOD, type Misfit } from '../../record.js';
import { detectFormat } from '../detect.js';
import { type Fields, type LineFormat, NO_WANTS, NOT_IN_FORMAT, readDigits, readDuration, setSpan } from '../format.js';
import { methodIn, parseRequest } from '../request.js';
import { compileFormat, type HostStep, type Plan, type Step } from './compile.js';
import { Joiner } from './join.js';

/** Throws a UserError for a string that cannot be parsed, or has no URL. */
export function createCustom(text: string, wants = NO_WANTS): LineFormat {
  const reader = new CustomReader(compileFormat(text, wants));
  return {
    name: 'custom',
    parse: (bytes, start, end, fields) => reader.parse(bytes, start, end, fields),
    misfitOf: (bytes, start, end) => reader.misfitOf(bytes, start, end),
  };
}

/** The scheme, as far as a field shows it. */
const SCHEME = { unknown: 0, http: 1, https: 2 } as const;

class CustomReader {
  readonly #plan: Plan;
  /** Field k is bytes[starts[k], ends[k]) of the line. */
  readonly #starts: Int32Array;
  readonly #ends: Int32Array;
  readonly #url: Joiner;
  readonly #host: Joiner;
  readonly #isEscaped: boolean;

  constructor(plan: Plan) {
    this.#plan = plan;
    this.#starts = new Int32Array(plan.steps.length);
    this.#ends = new Int32Array(plan.steps.length);
    this.#isEscaped = plan.escape !== 'none';
    this.#url = new Joiner(this.#isEscaped);
    this.#host = new Joiner(this.#isEscaped);
  }

  parse(bytes: Buffer, start: number, end: number, fields: Fields): string | null {
    const found = this.#split(bytes, start, end, this.#isEscaped) || this.#split(bytes, start, end, false);
    if (!found) return NOT_IN_FORMAT;
    const { status, sizes, sketches, agent, referrer, client, durations, time } = this.#plan;
    if (status >= 0) fields.status = this.#number(bytes, status);
    for (let k = 0; k < sizes.length && fields.size < 0; k++) fields.size = this.#number(bytes, sizes[k]!);
    for (let k = 0; k < sketches.length && fields.sketch.start === fields.sketch.end; k++) {
      const step = sketches[k]!;
      if (!this.#isMissing(bytes, step)) setSpan(fields.sketch, bytes, this.#starts[step]!, this.#ends[step]!);
    }
    if (agent >= 0) setSpan(fields.agent, bytes, this.#starts[agent]!, this.#ends[agent]!);
    if (referrer >= 0) setSpan(fields.referrer, bytes, this.#starts[referrer]!, this.#ends[referrer]!);
    if (client >= 0) setSpan(fields.client, bytes, this.#starts[client]!, this.#ends[client]!);
    for (let k = 0; k < durations.length && fields.duration < 0; k++) {
      const { step, unitMs } = durations[k]!;
      fields.duration = readDuration(bytes, this.#starts[step]!, this.#ends[step]!, unitMs);
    }
    if (time !== null) setSpan(fields.time, bytes, this.#starts[time[0]]!, this.#ends[time[1]]!);
    this.#readUrl(bytes, fields);
    if (fields.method !== METHOD.missing) this.#readOrigin(bytes, fields);
    return null;
  }

  /** Finds the fields; false if the line is not in the format. */
  #split(bytes: Buffer, start: number, end: number, isEscaped: boolean): boolean {
    const { prefix, steps, suffix } = this.#plan;
    if (!hasAt(bytes, start, end, prefix)) return false;
    let at = start + prefix.length;
    for (let k = 0; k < steps.length; k++) {
      const step = steps[k]!;
      const stop = endOfField(bytes, at, end, step, isEscaped);
      if (stop < 0) return false;
      this.#starts[k] = at;
      this.#ends[k] = stop;
      at = stop + step.literal.length;
    }
    return suffix === null ? at === end : at <= end - suffix.length && hasAt(bytes, end - suffix.length, end, suffix);
  }

  /** Where the line stops matching: of both ways to read it, the one that matches more. */
  misfitOf(bytes: Buffer, start: number, end: number): Omit<Misfit, 'line'> {
    const stops = [this.#isEscaped, false].map((isEscaped) => this.#stopOf(bytes, start, end, isEscaped));
    const { at, word, expected } = stops[1]!.at > stops[0]!.at ? stops[1]! : stops[0]!;
    const got = bytes.subarray(at, Math.min(end, at + SHOWN_BYTES));
    return {
      column: at - start + 1,
      word,
      got: decodeText(got) + (end > at + SHOWN_BYTES ? '…' : ''),
      expected,
      format: detectFormat(Buffer.from(bytes.subarray(start, end))),
    };
  }

  /** Where the line stops matching the format, read as in {@link #split}. */
  #stopOf(bytes: Buffer, start: number, end: number, isEscaped: boolean): Stop {
    const { prefix, words, steps, suffix } = this.#plan;
    if (!hasAt(bytes, start, end, prefix)) return stopIn(bytes, start, end, prefix, words[0]!);
    let at = start + prefix.length;
    for (let k = 0; k < steps.length; k++) {
      const step = steps[k]!;
      const stop = endOfField(bytes, at, end, step, isEscaped);
      if (stop < 0) return this.#stopAt(bytes, at, end, k);
      at = stop + step.literal.length;
    }
    return {
      at: suffix === null ? at : end,
      word: '',
      expected: suffix === null ? 'the end of the line' : quoted(suffix),
    };
  }

  #stopAt(bytes: Buffer, at: number, end: number, step: number): Stop {
    const { words, steps } = this.#plan;
    const { stop, literal, width } = steps[step]!;
    const word = words[step]!;
    if (stop === 'slash') return { at, word, expected: 'a host and a slash' };
    if (stop === 'literal') {
      const found = stopIn(bytes, at, end, literal, words[step + 1] ?? '', word);
      return found.expected === quoted(NOTHING) ? { ...found, expected: 'a number' } : found;
    }
    let last = at;
    if (stop === 'number') while (last < end && isDigit(bytes[last])) last++;
    if (stop === 'width') last = Math.min(end, at + width);
    if (stop === 'number' && last === at) return { at, word, expected: 'a number' };
    if (last === end && literal.length > 0) return { at: last, word, expected: quoted(literal) };
    return { at: last, word: words[step + 1] ?? '', expected: quoted(literal) };
  }

  #number(bytes: Buffer, step: number): number {
    return readDigits(bytes, this.#starts[step]!, this.#ends[step]!);
  }

  #isMissing(bytes: Buffer, step: number): boolean {
    const length = this.#ends[step]! - this.#starts[step]!;
    return length === 0 || (length === 1 && bytes[this.#starts[step]!] === DASH);
  }

  /** Reads method and URL, as in the line. */
  #readUrl(bytes: Buffer, fields: Fields): void {
    const { request, target, path, query, method } = this.#plan;
    if (request >= 0) return parseRequest(bytes, this.#starts[request]!, this.#ends[request]!, fields);
    if (method >= 0) fields.method = methodIn(bytes, this.#starts[method]!, this.#ends[method]!);
    const step = target >= 0 ? target : path;
    const start = this.#starts[step]!;
    let end = this.#ends[step]!;
    const lacksQuery = this.#plan.pathEndsInDash && bytes.subarray(start, end).indexOf(0x3f) < 0;
    if (lacksQuery && bytes[end - 1] === DASH) end--;
    if (end <= start || (end === start + 1 && bytes[start] === DASH)) {
      fields.method = METHOD.missing;
      return;
    }
    const url = this.#url;
    url.start(end - start + (query < 0 ? 0 : this.#ends[query]! - this.#starts[query]!));
    if (target >= 0) url.putText(bytes, start, end);
    else url.putPath(bytes, start, end);
    if (query >= 0 && !this.#isMissing(bytes, query)) url.putQuery(bytes, this.#starts[query]!, this.#ends[query]!);
    url.finish(fields.url);
  }

  /** Reads the host with its port; with the scheme before it, if that is known. */
  #readOrigin(bytes: Buffer, fields: Fields): void {
    const host = this.#bestHost(bytes);
    if (host === null) return;
    const start = this.#starts[host.step]!;
    let end = start;
    while (end < this.#ends[host.step]! && bytes[end] !== COMMA) end++;
    const { bytes: target, start: from, end: to } = fields.url;
    const scheme = this.#scheme(bytes);
    const isWhole = scheme !== SCHEME.unknown && target[from] === SLASH;
    const out = this.#host;
    out.start(end - start + (isWhole ? to - from : 0));
    if (isWhole) {
      out.putAll(HTTPS, 0, 4);
      if (scheme === SCHEME.https) out.putAll(HTTPS, 4, 5);
      out.putAll(HTTPS, 5, 8);
    }
    out.putText(bytes, start, end);
    this.#putPort(bytes, host, scheme, end);
    if (!isWhole) return out.finish(fields.host);
    out.putAll(target, from, to);
    out.finish(fields.url);
  }

  #bestHost(bytes: Buffer): HostStep | null {
    for (const host of this.#plan.hosts) {
      const start = this.#starts[host.step]!;
      // `_` is nginx's name for the server that takes every host.
      const isCatchAll = this.#ends[host.step] === start + 1 && bytes[start] === 0x5f;
      if (!isCatchAll && !this.#isMissing(bytes, host.step)) return host;
    }
    return null;
  }

  #scheme(bytes: Buffer): number {
    for (const step of this.#plan.schemes) {
      const start = this.#starts[step]!;
      const length = this.#ends[step]! - start;
      if (length === 4 && isWord(bytes, start, 'http')) return SCHEME.http;
      if (length === 5 && isWord(bytes, start, 'https')) return SCHEME.https;
      if (length === 2 && isWord(bytes, start, 'on')) return SCHEME.https;
    }
    return SCHEME.unknown;
  }

  /** Writes `:port` if it adds something to the host and the scheme. */
  #putPort(bytes: Buffer, { step, bringsPort }: HostStep, scheme: number, hostEnd: number): void {
    const { port } = this.#plan;
    if (port < 0 || this.#isMissing(bytes, port)) return;
    const number = this.#number(bytes, port);
    if (scheme === SCHEME.unknown) {
      if (bringsPort && (number !== 443 || hasPort(bytes, this.#starts[step]!, hostEnd))) return;
    } else if (bringsPort || number === (scheme === SCHEME.https ? 443 : 80)) return;
    this.#host.putByte(COLON);
    this.#host.putAll(bytes, this.#starts[port]!, this.#ends[port]!);
  }
}

/** How many bytes of a line a message shows. */
const SHOWN_BYTES = 40;

const NOTHING = new Uint8Array(0);

function quoted(literal: Uint8Array): string {
  const cut = literal.length > SHOWN_BYTES ? '…' : '';
  return `"${decodeText(literal, 0, Math.min(literal.length, SHOWN_BYTES))}${cut}"`;
}

interface Stop {
  readonly at: number;
  readonly word: string;
  readonly expected: string;
}

/**
 * The likely place of a text that is missing from bytes[start, end): the first place with most of its beginning. So a
 * missing ` [` between a name and a time is reported at the time. `word` comes after the text, and `before` is the word
 * before it.
 */
function stopIn(bytes: Buffer, start: number, end: number, text: Uint8Array, word: string, before?: string): Stop {
  let [most, best] = [0, start];
  const last = before === undefined ? start : end - 1;
  for (let at = start; at <= last; at++) {
    let length = 0;
    while (length < text.length && at + length < end && bytes[at + length] === text[length]) length++;
    if (length > most) [most, best] = [length, at];
  }
  const isBefore = most === 0 && before !== undefined;
  return { at: best + most, word: isBefore ? before : word, expected: quoted(text.subarray(most)) };
}

const HTTPS = Buffer.from('https://');

function isWord(bytes: Buffer, start: number, word: string): boolean {
  for (let k = 0; k < word.length; k++) if (bytes[start + k] !== word.charCodeAt(k)) return false;
  return true;
}

/** True if there is a colon after the last bracket. */
function hasPort(bytes: Buffer, start: number, end: number): boolean {
  for (let at = end - 1; at >= start && bytes[at] !== 0x5d; at--) if (bytes[at] === COLON) return true;
  return false;
}

function hasAt(bytes: Buffer, at: number, end: number, literal: Uint8Array): boolean {
  if (at + literal.length > end) return false;
  for (let k = 0; k < literal.length; k++) if (bytes[at + k] !== literal[k]) return false;
  return true;
}

/** The offset where the field that begins at `at` ends, before the literal of the step; -1 if there is none. */
function endOfField(bytes: Buffer, at: number, end: number, step: Step, isEscaped: boolean): number {
  const { literal } = step;
  switch (step.stop) {
    case 'literal':
      return findLiteral(bytes, at, end, step, isEscaped);
    case 'end':
      return end;
    case 'slash': {
      let stop = at;
      while (stop < end && bytes[stop] !== SLASH) stop++;
      return stop < end ? stop : -1;
    }
    case 'number': {
      let stop = at;
      if (bytes[at] === DASH) stop++;
      else while (stop < end && isDigit(bytes[stop])) stop++;
      return stop > at && hasAt(bytes, stop, end, literal) ? stop : -1;
    }
    case 'width': {
      // `-` if the server has no time, or if the condition of the directive is not met.
      const stop = bytes[at] === DASH && hasAt(bytes, at + 1, end, literal) ? at + 1 : at + step.width;
      return stop <= end && hasAt(bytes, stop, end, literal) ? stop : -1;
    }
    default:
      return step.stop satisfies never;
  }
}

function findLiteral(bytes: Buffer, start: number, end: number, step: Step, isEscaped: boolean): number {
  const { literal, beforeNumber } = step;
  const first = literal[0];
  const length = literal.length;
  const last = end - length;
  for (let at = start; at <= last; at++) {
    const byte = bytes[at];
    if (byte === first) {
      let k = 1;
      while (k < length && bytes[at + k] === literal[k]) k++;
      if (k === length && (!beforeNumber || startsNumber(bytes, at + length, end))) return at;
    } else if (byte === BACKSLASH && isEscaped) at++;
  }
  return -1;
}

function startsNumber(bytes: Buffer, at: number, end: number): boolean {
  return at < end && (isDigit(bytes[at]) || bytes[at] === DASH);
}
