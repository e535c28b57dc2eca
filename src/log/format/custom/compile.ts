// Compiles a format string into the steps that read a line, and finds the step with the URL:
//
//   %h %l %u %t "%r" %>s %b    ->    to ` `   to ` `   to ` [`   to `] "`   request to `" `   status, ` `   size, end
//
// A step is a field and the literal that ends it. Nothing after the last wanted field is parsed, except for the end of
// the line.
import { encodeText } from '../../../base/bytes.js';
import { UserError } from '../../../base/error.js';
import { misspelt, readFormatText, type Escape, type FormatText, type Piece, type Word } from './text.js';
import { SKIPPED, type Meaning, type Role } from './words.js';
import type { Wants } from '../format.js';

export interface Step {
  /** Where the field ends: before `literal`, after digits (or `-`), before a slash, after `width` bytes, at the end. */
  readonly stop: 'literal' | 'number' | 'slash' | 'width' | 'end';
  readonly width: number;
  /** The text after the field. May be empty if something else ends the field. */
  readonly literal: Uint8Array;
  /** True if a number follows the literal, which tells it from the same bytes inside of the field. */
  readonly beforeNumber: boolean;
}

export interface HostStep {
  readonly step: number;
  readonly bringsPort: boolean;
}

/** Indices of steps, best first if there are several; -1 if there is none. */
export interface Plan {
  readonly prefix: Uint8Array;
  /** The words of the format string as given: one per step, then those that are not read. */
  readonly words: readonly string[];
  readonly steps: readonly Step[];
  /** The end of the line if unwanted fields follow the last step; otherwise null. */
  readonly suffix: Uint8Array | null;
  readonly escape: Escape;
  readonly request: number;
  readonly target: number;
  readonly path: number;
  /** For `$uri$is_args$args`: nginx writes `-` for missing arguments. */
  readonly pathEndsInDash: boolean;
  readonly query: number;
  readonly method: number;
  readonly status: number;
  readonly sizes: readonly number[];
  readonly hosts: readonly HostStep[];
  readonly port: number;
  readonly schemes: readonly number[];
  readonly sketches: readonly number[];
  readonly agent: number;
  readonly referrer: number;
  readonly client: number;
  readonly durations: readonly { readonly step: number; readonly unitMs: number }[];
  /** The first and the last step that make up the time. */
  readonly time: readonly [number, number] | null;
}

/** Throws a UserError for a string that is misspelt, has no URL, or does not tell where a field ends. */
export function compileFormat(given: string, wants: Wants): Plan {
  const format = readFormatText(given);
  const [prefix, placed] = placeWords(format);
  const find = (role: Role): number[] =>
    placed
      .map(({ meaning }, step) => ({ step, meaning }))
      .filter(({ meaning }) => meaning.role === role)
      .sort((a, b) => a.meaning.rank - b.meaning.rank)
      .map(({ step }) => step);
  const first = (role: Role): number => find(role)[0] ?? -1;
  const request = first('request');
  const target = request >= 0 ? -1 : first('target');
  const path = request >= 0 || target >= 0 ? -1 : first('path');
  if (request < 0 && target < 0 && path < 0) throw noUrl(format);
  const plan = {
    request,
    target,
    path,
    pathEndsInDash: path >= 0 && placed[path]!.endsInDash,
    query: path < 0 ? -1 : first('query'),
    method: first('method'),
    status: first('status'),
    sizes: find('size'),
    hosts: find('host').map((step) => ({ step, bringsPort: placed[step]!.meaning.bringsPort === true })),
    port: first('port'),
    schemes: find('scheme'),
    sketches: find('sketch'),
    agent: wants.agent ? first('agent') : -1,
    referrer: wants.answers === true ? first('referrer') : -1,
    client: wants.client === true ? first('client') : -1,
    durations: wants.duration ? find('duration').map((step) => ({ step, unitMs: placed[step]!.meaning.unitMs! })) : [],
    time: wants.time ? timeOf(placed) : null,
  };
  const { hosts, sizes, schemes, sketches, durations, time } = plan;
  const single = [
    request,
    target,
    path,
    plan.query,
    plan.method,
    plan.status,
    plan.port,
    plan.agent,
    plan.referrer,
    plan.client,
  ];
  const placedSteps = [...hosts, ...durations].map(({ step }) => step);
  const several = [...sizes, ...schemes, ...sketches, ...placedSteps, ...(time ?? [])];
  const wanted = Math.max(...single, ...several);
  const steps = placed.slice(0, wanted + 1).map((_, at) => stepOf(placed, at, format));
  const suffix = wanted + 1 < placed.length ? placed.at(-1)!.literal : null;
  const words = placed.map(({ word }) => word.text);
  return { prefix, words, steps, suffix, escape: format.escape, ...plan };
}

interface PlacedWord {
  readonly word: Word;
  readonly meaning: Meaning;
  readonly endsInDash: boolean;
  literal: Uint8Array;
}

/** Appends literals to the word before them, and joins words that only make sense together. */
function placeWords({ pieces, server, text }: FormatText): [Uint8Array, PlacedWord[]] {
  const placed: PlacedWord[] = [];
  let prefix = '';
  let literal = '';
  const close = () => {
    if (placed.length === 0) prefix = literal;
    else placed.at(-1)!.literal = encodeText(literal);
    literal = '';
  };
  for (const piece of pieces as readonly Piece[]) {
    if (piece.kind === 'literal') {
      if (piece.text.includes('\n')) throw misspelt(text, piece.at, 'the format has a line end; expected one line');
      literal += piece.text;
      continue;
    }
    const last = placed.at(-1);
    const joined = last !== undefined && literal === '' ? join(last.meaning, piece.meaning) : null;
    if (joined !== null) {
      const isQuery = piece.meaning.role === 'query' && joined.role === 'path';
      const endsInDash = last!.endsInDash || (isQuery && server === 'nginx');
      placed.splice(-1, 1, { word: last!.word, meaning: joined, endsInDash, literal: NOTHING });
      continue;
    }
    close();
    placed.push({ word: piece, meaning: piece.meaning, endsInDash: false, literal: NOTHING });
  }
  close();
  return [encodeText(prefix), placed];
}

const NOTHING = new Uint8Array(0);

/** The meaning of two adjacent words together, or null. */
function join(one: Meaning, other: Meaning): Meaning | null {
  if (one.role === 'path' && (other.role === 'question' || other.role === 'query')) return one;
  if (one.role === 'question' && other.role === 'query') return other;
  if (one.role === 'skip' && other.role === 'skip') return SKIPPED;
  if (one.role !== 'time' || other.role !== 'time') return null;
  if (one.width !== undefined && other.width !== undefined) {
    return { ...one, width: one.width + other.width, hasDate: one.hasDate === true || other.hasDate === true };
  }
  return { role: 'time', rank: 0, hasDate: one.hasDate === true || other.hasDate === true };
}

const isNumber = ({ role }: Meaning) => role === 'status' || role === 'size' || role === 'port';

function stepOf(placed: readonly PlacedWord[], at: number, { text }: FormatText): Step {
  const { word, meaning, literal } = placed[at]!;
  const next = placed[at + 1];
  const step = (stop: Step['stop']): Step => {
    const beforeNumber = stop === 'literal' && next !== undefined && isNumber(next.meaning);
    return { stop, width: meaning.width ?? 0, literal, beforeNumber };
  };
  if (meaning.width !== undefined) return step('width');
  if (isNumber(meaning)) return step('number');
  if (literal.length > 0) return step('literal');
  if (next === undefined) return step('end');
  if (meaning.role === 'host' && (next.meaning.role === 'path' || next.meaning.role === 'target')) return step('slash');
  const problem = `nothing stands between ${word.text} and ${next.word.text}, so where the first ends is not known`;
  throw misspelt(text, next.word.at, `${problem}; expected a blank or another sign between them`);
}

/** Adjacent times are one time if only one of them has the day: `%{%d/%b/%Y %T}t.%{msec_frac}t %{%z}t`. */
function timeOf(placed: readonly PlacedWord[]): [number, number] | null {
  let best: [number, number] | null = null;
  for (let at = 0; at < placed.length && best === null;) {
    const from = at;
    let hasDate = false;
    for (; at < placed.length && placed[at]!.meaning.role === 'time'; at++) {
      if (at > from && !isBetweenTimes(placed[at - 1]!.literal)) break;
      if (hasDate && startsAnother(placed, at)) break;
      if (placed[at]!.meaning.hasDate === true) hasDate = true;
    }
    if (hasDate) best = [from, at - 1];
    if (at === from) at++;
  }
  return best;
}

/** True if another word with the day begins here. */
function startsAnother(placed: readonly PlacedWord[], at: number): boolean {
  const word = placed[at]!.word.at;
  return word !== placed[at - 1]!.word.at && saysDay(placed, word);
}

/** True if a piece of the word at `at` of the format string has the day. */
function saysDay(placed: readonly PlacedWord[], at: number): boolean {
  return placed.some(({ word, meaning }) => word.at === at && meaning.hasDate === true);
}

function isBetweenTimes(literal: Uint8Array): boolean {
  return literal.length === 1 && ' .,:T/-\t'.includes(String.fromCharCode(literal[0]!));
}

function noUrl({ server, text }: FormatText): UserError {
  const words =
    server === 'apache'
      ? '%r (the request), or %U (the path) with %q (the query)'
      : '$request, $request_uri, or $uri with $args';
  return new UserError(`--log-format: no word of "${text}" gives the URL; expected ${words}`);
}
