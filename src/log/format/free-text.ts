// A W3C line of which one field is free text with blanks, as cookies and agents that were not escaped:
//
//   #Fields:  time      cs-method  cs-uri-stem  cs(Cookie)             cs-host   sc-status
//             06:01:04  GET        /a           a=1; b=two words; c=7  www.h.de  200
//                                               ^ 4 words too many are here, if all other fields are what their names say
//
// If the words too many could be in several fields, the line is read only if the fields between those are not needed.
import { DASH, EQUALS } from '../../base/ascii.js';
import { isDigit, latin1 } from '../../base/bytes.js';
import type { Words } from './words.js';

type Check = (bytes: Uint8Array, start: number, end: number) => boolean;

const isNumber: Check = (bytes, start, end) => {
  for (let at = start; at < end; at++) if (!isDigit(bytes[at]) && bytes[at] !== 0x2e) return false;
  return true;
};

function shapeOf(shape: RegExp): Check {
  return (bytes, start, end) => end - start <= LONGEST && shape.test(latin1(bytes.subarray(start, end)));
}

const LONGEST = 256;
const ADDRESS = shapeOf(/^[\d.:a-f%[\]]+$/i);

/** What fields must look like, beside `-`. Fields without a row may have any text. */
const SHAPES: readonly (readonly [name: RegExp, check: Check])[] = [
  [/^date/, shapeOf(/^\d{4}-\d\d-\d\d$/)],
  [/^time(-local)?$/, shapeOf(/^\d\d:\d\d:\d\d/)],
  [/^cs-method$/, shapeOf(/^[A-Z_-]+$/)],
  [/^cs-uri(-stem|-path)?$/, (bytes, start) => bytes[start] === 0x2f || bytes[start] === 0x2a || bytes[start] === 0x68],
  [/^(s|c|r)-ip$/, ADDRESS],
  [/^sc-status$|^c-status$/, shapeOf(/^\d{3}$/)],
  [/^cs-version$|protocol-version$/, shapeOf(/^HTTP\/\d/)],
  [/^(cs-host|x-host-header|cs\(host\))$/, shapeOf(/^[\w.-]+(:\d+)?$/)],
  [/-(port|bytes|substatus|win32-status|taken)$|^time-to-/, isNumber],
];

/** What text with blanks in these fields looks like: `a=1; b=two words` is no agent. */
const TEXTS: readonly (readonly [name: RegExp, check: Check])[] = [
  [/cookie/, (bytes, start, end) => /^[^\s=]+=/.test(latin1(bytes.subarray(start, Math.min(end, start + LONGEST))))],
  [/agent/, (bytes, start, end) => !bytes.subarray(start, end).includes(EQUALS)],
];

export interface FreeText {
  /** For each field, what it must look like; null if it may have any text. */
  readonly checks: readonly (Check | null)[];
  /** The fields that may be free text, in order, and what that must look like. */
  readonly free: readonly { readonly place: number; readonly isText: Check | null }[];
  /** The positions of fields that are needed. */
  readonly needed: readonly number[];
}

export function freeTextOf(names: readonly string[], needed: readonly number[]): FreeText {
  const checks = names.map((name) => SHAPES.find(([shape]) => shape.test(name.toLowerCase()))?.[1] ?? null);
  const free = names.flatMap((name, place) => {
    const isText = TEXTS.find(([shape]) => shape.test(name.toLowerCase()))?.[1] ?? null;
    return checks[place] === null && !needed.includes(place) ? [{ place, isText }] : [];
  });
  return { checks, free, needed };
}

/** Joins the words of the field with blanks; false if it is not known which field that is. */
export function joinFreeText(bytes: Uint8Array, words: Words, { checks, free, needed }: FreeText): boolean {
  const extra = words.count - checks.length;
  if (extra <= 0 || words.count === words.starts.length) return false;
  const fitting = free.filter(
    ({ place, isText }) =>
      fits(bytes, words, checks, place, extra) &&
      (isText === null || isText(bytes, words.starts[place]!, words.ends[place + extra]!)),
  );
  const first = fitting[0]?.place;
  const last = fitting.at(-1)?.place;
  if (first === undefined || last === undefined) return false;
  if (needed.some((place) => place > first && place < last)) return false;
  const { starts, ends } = words;
  if (first === last) ends[first] = ends[first + extra]!;
  // Which of several fields has which of the words is not known: they have none.
  else for (let place = first; place <= last; place++) ends[place] = starts[place]!;
  for (let place = last + 1; place < checks.length; place++) {
    starts[place] = starts[place + extra]!;
    ends[place] = ends[place + extra]!;
  }
  words.count = checks.length;
  return true;
}

/** True if all other fields are what they must be when field `free` has `extra` more words. */
function fits(
  bytes: Uint8Array,
  { starts, ends }: Words,
  checks: FreeText['checks'],
  free: number,
  extra: number,
): boolean {
  return checks.every((check, place) => {
    const word = place > free ? place + extra : place;
    const [start, end] = [starts[word]!, ends[word]!];
    const isNone = end - start === 1 && bytes[start] === DASH;
    return check === null || isNone || check(bytes, start, end);
  });
}
