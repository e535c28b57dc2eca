// What does a pattern do to a URL (SPEC 7)? It describes whole URLs, with classes for variable text. A template builds
// the image from the text that the pattern keeps:
//
//     pattern    /{1:word}/story-{2:digits}.html?from={value}     template    /story?id={2}&section={1}
//     pattern    //cnn.com/{1:label}/{2:path}                     template    //{1}.cnn.com/{2}
//     pattern    /_export/xhtml/{1:path}?{*}                      template    /{1}?{*}
//
// Both begin at the path, or with `//` at the host; the text before stays. The fields of the query may be in any order,
// each once. `{*}` stands for all other fields, if any; a template writes them in their order at its end, or drops
// them.
//
// `pattern-text.ts` makes sure that there is only one way to match. So the path and the query of a URL are read once
// each: no URL takes more than n steps of n bytes, and one for each part of the pattern and each field that it names.
import { AMPERSAND, EQUALS, QUESTION, SEMICOLON } from '../base/ascii.js';
import { newBytes, sameBytes, type NewBytes } from '../base/bytes.js';
import { hostStart, pathStart } from '../url/form.js';
import { isRunByte } from '../url/token.js';
import { MOST_FIELDS, parsePattern, type PatternPart, type PatternSides, type PatternText } from './pattern-text.js';

/** A pattern, compiled to be applied to very many URLs. */
export interface PatternEdit {
  readonly kind: 'pattern';
  readonly sides: PatternSides;
  /** Text that must occur, as whole tokens, in every URL that the pattern changes; empty if there is none. */
  readonly key: Uint8Array;
}

/** Why a rule with this text is invalid, or undefined. */
export function faultOfPattern(text: PatternText): string | undefined {
  const sides = parsePattern(text);
  return typeof sides === 'string' ? sides : undefined;
}

export function compilePattern(text: PatternText): PatternEdit {
  const sides = parsePattern(text);
  if (typeof sides === 'string') throw new Error(`pattern: ${sides}`);
  return { kind: 'pattern', sides, key: keyOf(sides) };
}

/** The longest literal or field name, without text that may be part of a longer token. */
function keyOf({ head, fields }: PatternSides): Uint8Array {
  let key = new Uint8Array(0);
  const keep = (text: Uint8Array) => {
    if (text.length > key.length && text.some(isRunByte)) key = new Uint8Array(text);
  };
  for (let at = 0; at < head.length; at++) {
    const { text } = head[at]!;
    if (text === undefined) continue;
    let [start, end] = [0, text.length];
    while (at > 0 && start < end && isRunByte(text[start]!)) start++;
    while (at + 1 < head.length && end > start && isRunByte(text[end - 1]!)) end--;
    keep(text.subarray(start, end));
  }
  for (const { name } of fields) keep(name.at(-1) === EQUALS ? name.subarray(0, -1) : name);
  return key;
}

/** The ranges [start, end) of copies 1 to 9. */
const startOf = new Int32Array(10);
const endOf = new Int32Array(10);
/** For each field of the pattern, whether the URL had it. */
const seen = new Uint8Array(MOST_FIELDS);
/** The ranges [start, end) of the other fields. */
let others: number[] = [];

/** How many bytes and parts were looked at, for tests. */
export const patternSteps = { count: 0 };

/**
 * The image of `url`, in memory from `make`, or `url` itself, the same object, if the pattern does not match or changes
 * nothing. START is at `origin`. Rules of paths have no patterns with hosts.
 */
export function takePattern(
  { sides }: PatternEdit,
  url: Uint8Array,
  origin: number,
  make: NewBytes = newBytes,
): Uint8Array {
  const host = hostStart(url);
  const path = pathStart(url);
  if ((sides.fromHost || sides.toHost) && (host < 0 || origin > 0)) return url;
  const from = sides.fromHost ? host - 2 : path;
  let query = path;
  while (query < url.length && url[query] !== QUESTION) query++;
  patternSteps.count += query - from;
  if (matchParts(sides.head, url, from, query) && matchQuery(sides, url, query))
    return written(sides, url, sides.toHost ? host - 2 : path, make);
  return url;
}

/** True if url[start, end) consists of these parts. Sets the copies. */
function matchParts(parts: readonly PatternPart[], url: Uint8Array, start: number, end: number): boolean {
  let at = start;
  for (const part of parts) {
    const first = at;
    if (part.text === undefined) {
      while (at < end && part.takes[url[at]!] === 1) at++;
      patternSteps.count += at - first + 1;
      if (at === first) return false;
      startOf[part.copy] = first;
      endOf[part.copy] = at;
      continue;
    }
    const { text } = part;
    while (at < end && at - first < text.length && url[at] === text[at - first]) at++;
    patternSteps.count += at - first + 1;
    if (at - first < text.length) return false;
  }
  return at === end;
}

/** True if the query at `question`, if there is one, has all fields once, and no others unless the pattern is open. */
function matchQuery({ fields, isOpen }: PatternSides, url: Uint8Array, question: number): boolean {
  others = [];
  if (!isOpen && fields.length === 0) return question === url.length;
  let missing = fields.length;
  seen.fill(0, 0, missing);
  for (let start = question + 1; start < url.length;) {
    let end = start;
    let nameEnd = -1;
    for (; end < url.length && url[end] !== AMPERSAND && url[end] !== SEMICOLON; end++)
      if (nameEnd < 0 && url[end] === EQUALS) nameEnd = end + 1;
    patternSteps.count += end - start;
    const field = fieldNamed(fields, url, start, nameEnd < 0 ? end : nameEnd);
    if (field >= 0) {
      if (seen[field] === 1) return false;
      seen[field] = 1;
      missing--;
      if (nameEnd >= 0 && !matchParts(fields[field]!.value, url, nameEnd, end)) return false;
    } else if (!isOpen) return false;
    else if (end > start) others.push(start, end);
    start = end + 1;
  }
  return missing === 0;
}

/** The index of the field with the name url[start, end), which includes `=` if there is one; or -1. */
function fieldNamed(fields: PatternSides['fields'], url: Uint8Array, start: number, end: number): number {
  for (let field = 0; field < fields.length; field++) {
    const { name } = fields[field]!;
    let at = 0;
    while (at < name.length && start + at < end && url[start + at] === name[at]) at++;
    patternSteps.count += at + 1;
    if (at === name.length && start + at === end) return field;
  }
  return -1;
}

/**
 * Joins url[0, start), the template, and the other fields if they are kept; returns `url` itself if that is the same.
 */
function written({ template, keepsOthers }: PatternSides, url: Uint8Array, start: number, make: NewBytes): Uint8Array {
  const kept = keepsOthers ? others : [];
  let length = start;
  for (const piece of template) length += typeof piece === 'number' ? endOf[piece]! - startOf[piece]! : piece.length;
  for (let at = 0; at < kept.length; at += 2) length += 1 + kept[at + 1]! - kept[at]!;
  const image = make(length);
  image.set(url.subarray(0, start));
  let used = start;
  const add = (bytes: Uint8Array) => {
    image.set(bytes, used);
    used += bytes.length;
  };
  let hasQuery = false;
  for (const piece of template) {
    const bytes = typeof piece === 'number' ? url.subarray(startOf[piece], endOf[piece]) : piece;
    hasQuery ||= bytes.includes(QUESTION);
    add(bytes);
  }
  for (let at = 0; at < kept.length; at += 2) {
    image[used++] = hasQuery ? separatorOf(url, kept[at]!, kept[at + 1]!) : QUESTION;
    hasQuery = true;
    add(url.subarray(kept[at], kept[at + 1]));
  }
  return sameBytes(url, image) ? url : image;
}

/** The separator before the field url[start, end), or after it if it is the first. */
function separatorOf(url: Uint8Array, start: number, end: number): number {
  const before = url[start - 1]!;
  return before === QUESTION ? (url[end] ?? AMPERSAND) : before;
}
