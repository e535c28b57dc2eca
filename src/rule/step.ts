// What does a step of normalization do to a URL? Each step is a named rule, which may hold for a site or not:
//
//     fold-slashes            //a///b       -> /a/b          runs of slashes of the path become one
//     drop-end-slash          /a/;v=1?q     -> /a;v=1?q      after a segment that has a name; the root stays
//     add-end-slash           /a;v=1?q      -> /a/;v=1?q     after a segment that has a name, and no dot in it
//     drop-segment      b     /a/b;v=1/b/c  -> /a;v=1/c      with the slash before it; path parameters stay
//     drop-last-segment b     /a/b?q        -> /a/?q         the slash before it stays
//     lower-case              /A/%C3?Q      -> /a/%C3?Q      A to Z of the path, but not in escapes
//     lower-case        q     /A?q=B        -> /A?q=b        A to Z in the values of a parameter
//     drop-empty-fields       ?a=&&b=1      -> ?b=1          fields of the query without text, or without value
//     drop-number-fields      ?id=x&17      -> ?id=x         fields of digits only; a bare query `?17` is not one
//     drop-repeated-fields    ?a=1&b&a=1    -> ?a=1&b        a field that is equal to the previous field of its name
//     sort-fields             ?b=1&a=2&b=0  -> ?a=2&b=1&b=0  by bytes of their names, if all separators are alike
//     sort-values             ?a=2&b&a=1    -> ?a=1&b&a=2    repeated fields by bytes of their values, in places of theirs
//     one-separator           ?a=1;b=2      -> ?a=1&b=2
//     unescape                /%28a%29      -> /(a)          characters that need no escape
//     trim-end                /a").         -> /a            what is often left at the end of links
//
// Each step is idempotent, leaves scheme and host alone, and turns a URL into a URL; only add-end-slash makes a URL
// longer. So steps ignore everything before the path (`url/form`). `url/fields` defines fields.
import { AMPERSAND, DOT, EQUALS, PERCENT, QUESTION, SEMICOLON, SLASH } from '../base/ascii.js';
import { copyOf, decodeText, encodeText, isDigit, isText, newBytes, type NewBytes } from '../base/bytes.js';
import { chained, FNV_SEED } from '../base/hash.js';
import { emptyFields, hasName, splitFields, withoutFields, type Fields } from '../url/fields.js';
import { pathStart } from '../url/form.js';
import type { StepName, StepRule } from './rule.js';
import { isEscape } from '../url/token.js';
import { escapedAt, unescape } from './unescape.js';

/** A step, compiled to be applied to very many URLs. */
export interface StepEdit {
  readonly kind: 'step';
  readonly step: StepName;
  readonly text: Uint8Array;
}

export function compileStep({ step, text }: Pick<StepRule, 'step' | 'text'>): StepEdit {
  return { kind: 'step', step, text: encodeText(text) };
}

/** The image of `url`, in memory from `make`, or `url` itself, the same object, if the step changes nothing. */
export function takeStep({ step, text }: StepEdit, url: Uint8Array, make: NewBytes = newBytes): Uint8Array {
  return KINDS[step].take(url, make, text);
}

/**
 * The text that must occur after the host, as whole tokens, in every URL that the step changes; empty if there is none.
 */
export function stepKey({ step, text }: StepEdit): Uint8Array {
  return Uint8Array.of(...encodeText(KINDS[step].key ?? ''), ...text);
}

/**
 * False if the step cannot change the URL bytes[start, end), whose path begins at `path`. Needs no copy and no view of
 * the URL: of all rules, steps are tried most often, and mostly change nothing.
 */
export function mayChange({ step }: StepEdit, bytes: Uint8Array, path: number, end: number): boolean {
  return KINDS[step].mayChange?.(bytes, path, end) ?? true;
}

/** Why a step with this text is invalid, or undefined. */
export function faultOfStep({ step, text }: Pick<StepRule, 'step' | 'text'>): string | undefined {
  const { fault } = KINDS[step];
  if (fault === undefined ? text === '' : !fault.pattern.test(text)) return undefined;
  return `"text" is ${JSON.stringify(text)}, but ${fault?.reason ?? `${step} takes none`}`;
}

/** True if the test holds at any byte of path and query. */
function isAnywhere(
  isOne: (bytes: Uint8Array, at: number, end: number) => boolean,
): NonNullable<StepKind['mayChange']> {
  return (bytes, path, end) => {
    for (let at = path; at < end; at++) if (isOne(bytes, at, end)) return true;
    return false;
  };
}

/** True for a byte that precedes every field of the query. Other bytes of a URL may match too. */
function isMark(byte: number): boolean {
  return byte === AMPERSAND || byte === QUESTION || byte === SEMICOLON;
}

function isCapital(byte: number): boolean {
  return byte >= 0x41 && byte <= 0x5a;
}

function isJunkByte(byte: number): boolean {
  return byte < 128 && junk[byte] === 1;
}

/** The index of the query's `?`, or the end of the URL. */
function pathEnd(url: Uint8Array, start: number): number {
  const at = url.indexOf(QUESTION, start);
  return at < 0 ? url.length : at;
}

function isSlash(url: Uint8Array, at: number): boolean {
  return url[at] === SLASH;
}

function foldSlashes(url: Uint8Array, make: NewBytes): Uint8Array {
  const start = pathStart(url);
  const end = pathEnd(url, start);
  let out: Uint8Array | undefined;
  let length = start;
  for (let at = start; at < url.length; at++) {
    if (at < end && at > start && isSlash(url, at) && isSlash(url, at - 1)) out ??= copyOf(url, make);
    else {
      if (out !== undefined) out[length] = url[at]!;
      length++;
    }
  }
  return out === undefined ? url : out.subarray(0, length);
}

/**
 * The last segment of the path: [start, end) is its name, before path parameters; the slash before it is at start - 1.
 */
interface LastSegment {
  readonly start: number;
  readonly end: number;
}

/** Undefined for a path without a slash. */
function lastSegment(url: Uint8Array): LastSegment | undefined {
  const path = pathStart(url);
  const stop = pathEnd(url, path);
  let slash = stop - 1;
  while (slash >= path && !isSlash(url, slash)) slash--;
  if (slash < path) return undefined;
  let end = slash + 1;
  while (end < stop && url[end] !== SEMICOLON) end++;
  return { start: slash + 1, end };
}

function dropEndSlash(url: Uint8Array, make: NewBytes): Uint8Array {
  const last = lastSegment(url);
  if (last === undefined || last.end > last.start) return url;
  const path = pathStart(url);
  let end = last.start;
  while (end > path && isSlash(url, end - 1)) end--;
  let name = end;
  while (name > path && !isSlash(url, name - 1)) name--;
  // No earlier segment has a name.
  if (end === path || name === path || url[name] === SEMICOLON) return url;
  return without(url, end, last.start, make);
}

function addEndSlash(url: Uint8Array, make: NewBytes): Uint8Array {
  const last = lastSegment(url);
  if (last === undefined || last.end === last.start) return url;
  for (let at = last.start; at < last.end; at++) if (url[at] === DOT) return url;
  const out = make(url.length + 1);
  out.set(url.subarray(0, last.end));
  out[last.end] = SLASH;
  out.set(url.subarray(last.end), last.end + 1);
  return out;
}

/** The URL without the bytes [start, end). */
function without(url: Uint8Array, start: number, end: number, make: NewBytes): Uint8Array {
  const out = make(url.length - (end - start));
  out.set(url.subarray(0, start));
  out.set(url.subarray(end), start);
  return out;
}

/** Drops segments. A path without any segment left is `/`. */
function dropSegment(url: Uint8Array, make: NewBytes, text: Uint8Array): Uint8Array {
  const path = pathStart(url);
  const stop = pathEnd(url, path);
  let out: Uint8Array | undefined;
  let length = path;
  for (let at = path; at < url.length;) {
    if (at < stop && isSlash(url, at) && isSegment(url, at + 1, stop, text)) {
      out ??= copyOf(url, make);
      at += 1 + text.length;
      if (length === path && !(at < stop && isSlash(url, at))) out[length++] = SLASH;
      continue;
    }
    if (out !== undefined) out[length] = url[at]!;
    length++;
    at++;
  }
  return out === undefined ? url : out.subarray(0, length);
}

/** True if the segment that begins at `at` has this name. */
function isSegment(url: Uint8Array, at: number, stop: number, text: Uint8Array): boolean {
  const end = at + text.length;
  if (end > stop || (end < stop && !isSlash(url, end) && url[end] !== SEMICOLON)) return false;
  return isText(url, at, end, text);
}

function dropLastSegment(url: Uint8Array, make: NewBytes, text: Uint8Array): Uint8Array {
  const last = lastSegment(url);
  if (last === undefined || text.length === 0 || !isText(url, last.start, last.end, text)) return url;
  return without(url, last.start, last.end, make);
}

/** Lowers the path, or the values of the parameter `name`. */
function lowerCase(url: Uint8Array, make: NewBytes, name: Uint8Array): Uint8Array {
  const start = pathStart(url);
  if (name.length === 0) return lowered(url, url, start, pathEnd(url, start), make);
  splitFields(url, fields);
  let out = url;
  for (let at = 0; at < fields.count; at++)
    if (hasName(url, fields, at, name)) out = lowered(url, out, fields.nameEnd[at]!, fields.end[at]!, make);
  return out;
}

/** `out` with the letters of url[start, end) in lower case; copies it first if it is the URL itself. */
function lowered(url: Uint8Array, out: Uint8Array, start: number, end: number, make: NewBytes): Uint8Array {
  let result = out;
  for (let at = start; at < end; at++) {
    if (isEscape(url, at, end)) at += 2;
    else if (isCapital(url[at]!)) {
      if (result === url) result = copyOf(url, make);
      result[at] = url[at]! + 0x20;
    }
  }
  return result;
}

const fields = emptyFields();

type IsField = (url: Uint8Array, fields: Fields, at: number) => boolean;

/** Removes the fields of the query for which `isOne` is true. */
function dropFields(url: Uint8Array, isOne: IsField, make: NewBytes): Uint8Array {
  splitFields(url, fields);
  for (let at = fields.firstInQuery; at < fields.count; at++)
    if (isOne(url, fields, at)) return dropThese(url, (field) => isOne(url, fields, field), make);
  return url;
}

function dropThese(url: Uint8Array, goes: (field: number) => boolean, make: NewBytes): Uint8Array {
  return withoutFields(url, fields, (field) => field >= fields.firstInQuery && goes(field), make);
}

const isEmptyField: IsField = (_url, { start, nameEnd, end }, at) =>
  end[at] === start[at] || end[at] === nameEnd[at]! + 1;

const isNumberField: IsField = (url, { start, end, isBareQuery }, at) => {
  if (isBareQuery || end[at] === start[at]) return false;
  for (let place = start[at]!; place < end[at]!; place++) if (!isDigit(url[place]!)) return false;
  return true;
};

function dropRepeated(url: Uint8Array, make: NewBytes): Uint8Array {
  splitFields(url, fields);
  const { firstInQuery, count } = fields;
  if (!hasSameHash(url)) return url;
  const last = new Map<string, string>();
  const repeated = new Set<number>();
  for (let at = firstInQuery; at < count; at++) {
    const text = decodeText(url, fields.start[at]!, fields.end[at]!);
    if (text === '') continue;
    const name = decodeText(url, fields.start[at]!, fields.nameEnd[at]!);
    if (last.get(name) === text) repeated.add(at);
    last.set(name, text);
  }
  return repeated.size === 0 ? url : dropThese(url, (field) => repeated.has(field), make);
}

const hashes = new Uint8Array(256);

/** True if two fields of the query may be equal. */
function hasSameHash(url: Uint8Array): boolean {
  hashes.fill(0);
  for (let at = fields.firstInQuery; at < fields.count; at++) {
    const hash = chained(FNV_SEED, url, fields.start[at]!, fields.end[at]!) & 255;
    if (hashes[hash]!++ === 1) return true;
  }
  return false;
}

function sortFields(url: Uint8Array, make: NewBytes): Uint8Array {
  splitFields(url, fields);
  const { firstInQuery, count, start, end } = fields;
  if (count - firstInQuery < 2) return url;
  const separator = url[end[firstInQuery]!]!;
  const order: number[] = [];
  let isSorted = true;
  for (let at = firstInQuery; at < count; at++) {
    if (at + 1 < count && url[end[at]!] !== separator) return url;
    if (at > firstInQuery && compareNames(url, fields, at - 1, at) > 0) isSorted = false;
    order.push(at);
  }
  if (isSorted) return url;
  order.sort((a, b) => compareNames(url, fields, a, b) || a - b);
  const out = copyOf(url, make);
  let length = start[firstInQuery]!;
  for (const [k, at] of order.entries()) {
    if (k > 0) out[length++] = separator;
    for (let place = start[at]!; place < end[at]!; place++) out[length++] = url[place]!;
  }
  return out;
}

function sortValues(url: Uint8Array, make: NewBytes): Uint8Array {
  splitFields(url, fields);
  const { firstInQuery, count, start, end } = fields;
  const places = Array.from({ length: Math.max(0, count - firstInQuery) }, (_, k) => firstInQuery + k);
  places.sort((a, b) => compareNames(url, fields, a, b) || a - b);
  const texts = [...places].sort(
    (a, b) => compareNames(url, fields, a, b) || compareBytes(url, start[a]!, end[a]!, start[b]!, end[b]!) || a - b,
  );
  if (texts.every((at, k) => at === places[k])) return url;
  const order: number[] = [];
  for (const [k, place] of places.entries()) order[place] = texts[k]!;
  const out = copyOf(url, make);
  let length = start[firstInQuery]!;
  for (let place = firstInQuery; place < count; place++) {
    if (place > firstInQuery) out[length++] = url[end[place - 1]!]!;
    for (let at = start[order[place]!]!; at < end[order[place]!]!; at++) out[length++] = url[at]!;
  }
  return out;
}

/** Compares the names of two fields byte by byte. */
export function compareNames(url: Uint8Array, { start, nameEnd }: Fields, a: number, b: number): number {
  return compareBytes(url, start[a]!, nameEnd[a]!, start[b]!, nameEnd[b]!);
}

function compareBytes(url: Uint8Array, a: number, aEnd: number, b: number, bEnd: number): number {
  const length = Math.min(aEnd - a, bEnd - b);
  for (let k = 0; k < length; k++) {
    const order = url[a + k]! - url[b + k]!;
    if (order !== 0) return order;
  }
  return aEnd - a - (bEnd - b);
}

function oneSeparator(url: Uint8Array, make: NewBytes): Uint8Array {
  const query = pathEnd(url, pathStart(url));
  let at = url.indexOf(SEMICOLON, query);
  if (at < 0) return url;
  const out = copyOf(url, make);
  for (; at < out.length; at++) if (out[at] === SEMICOLON) out[at] = AMPERSAND;
  return out;
}

/** Bytes that URLs do not end in, raw or escaped. A bracket that closes an earlier one is an exception. */
const junk = new Uint8Array(128);
for (const char of '"\'`,;\\<>()[]{} \t\n\r') junk[char.charCodeAt(0)] = 1;
const opening = new Uint8Array(128);
for (const pair of ['()', '[]', '{}', '<>']) opening[pair.charCodeAt(1)] = pair.charCodeAt(0);

function trimEnd(url: Uint8Array, make: NewBytes): Uint8Array {
  const path = pathStart(url);
  // The slash of the path stays, and the query is not part of the path.
  const floor = path + 1;
  let end = url.length;
  for (let cut = end; ;) {
    while (cut > floor && url[cut - 1] === DOT) cut--;
    const start = unitStart(url, floor, cut);
    if (start < 0 || !isJunk(url, path, start, cut)) break;
    end = cut = start;
  }
  return end === url.length ? url : copyOf(url.subarray(0, end), make);
}

/** The index of the last byte or escape before `end`; -1 if none is left. */
function unitStart(url: Uint8Array, floor: number, end: number): number {
  if (end - 3 >= floor && isEscape(url, end - 3, end)) return end - 3;
  return end - 1 >= floor ? end - 1 : -1;
}

function isJunk(url: Uint8Array, path: number, start: number, end: number): boolean {
  const byte = end - start === 1 ? url[start]! : escapedAt(url, start);
  if (!isJunkByte(byte)) return false;
  const opens = opening[byte]!;
  if (opens === 0) return true;
  for (let at = path; at < start; at++)
    if (url[at] === opens || (isEscape(url, at, start) && escapedAt(url, at) === opens)) return false;
  return true;
}

interface StepKind {
  readonly take: (url: Uint8Array, make: NewBytes, text: Uint8Array) => Uint8Array;
  /** The start of the key, if the step has a key; the text of the step follows. */
  readonly key?: string;
  /** False if the step cannot change the URL bytes[…, end), whose path begins at `path`. */
  readonly mayChange?: (bytes: Uint8Array, path: number, end: number) => boolean;
  /** Invalid texts, with the reason. Without this field, every text except the empty one is invalid. */
  readonly fault?: { readonly pattern: RegExp; readonly reason: string };
}

const segmentFault = {
  // eslint-disable-next-line no-control-regex -- a URL has none
  pattern: /^$|[/;?#\u0000-\u0020\u007f]/,
  reason: 'no segment is empty or has a space or any of / ; ? #',
};
const nameFault = { pattern: /[&;=#]/, reason: 'no parameter name has any of & ; = #' };

const KINDS: Readonly<Record<StepName, StepKind>> = {
  'fold-slashes': { take: foldSlashes, key: '//' },
  'drop-end-slash': {
    take: dropEndSlash,
    mayChange: isAnywhere((url, at, end) => url[at] === SLASH && (at + 1 === end || isMark(url[at + 1]!))),
  },
  'add-end-slash': { take: addEndSlash },
  'drop-segment': { take: dropSegment, key: '/', fault: segmentFault },
  'drop-last-segment': { take: dropLastSegment, key: '/', fault: segmentFault },
  'lower-case': {
    take: lowerCase,
    mayChange: isAnywhere((url, at) => isCapital(url[at]!)),
    fault: nameFault,
  },
  'drop-empty-fields': {
    take: (url, make) => dropFields(url, isEmptyField, make),
    key: '?',
    mayChange: isAnywhere(
      (url, at, end) => (at + 1 === end || isMark(url[at + 1]!)) && (url[at] === EQUALS || isMark(url[at]!)),
    ),
  },
  'drop-number-fields': { take: (url, make) => dropFields(url, isNumberField, make), key: '?' },
  'drop-repeated-fields': { take: dropRepeated, key: '?' },
  'sort-fields': { take: sortFields, key: '?' },
  'sort-values': { take: sortValues, key: '?' },
  'one-separator': { take: oneSeparator, key: ';' },
  unescape: { take: (url, make) => unescape(url, pathStart(url), make), key: '%' },
  'trim-end': {
    take: trimEnd,
    mayChange: (url, _path, end) => isJunkByte(url[end - 1]!) || url[end - 1] === DOT || url[end - 3] === PERCENT,
  },
};

/** All steps, in the order of the list above. */
export const STEP_NAMES = Object.keys(KINDS) as readonly StepName[];
