// Does a URL meet the conditions of a rule (SPEC 7)?
//
//     http://me@www.example.com:8080/forum/x;s=1/list.old.html;v=2?id=7&sort
//               | host              | first     | last           |
//               |                   | segments: forum, x, list.old.html   depth 3   extension html
//               with its port       parameters: s, v, id, sort              fields: s=1, v=2, id=7, sort
//
// Segments are the parts between the slashes of the path, without path parameters: `/a/` has `a` and ``, and `/` only
// ``. An extension is the text after the last dot of the last segment, unless the segment begins with that dot.
// `url/fields` defines fields and parameters. Everything is compared byte by byte, as in the URL.
import { AT, DOT, QUESTION, SEMICOLON, SLASH } from '../base/ascii.js';
import { encodeText, isText } from '../base/bytes.js';
import { emptyFields, hasName, splitFields, type Fields } from '../url/fields.js';
import { hostStart, pathStart } from '../url/form.js';
import type { Condition } from './rule.js';

type Part = Condition['part'];

export interface CompiledCondition {
  readonly part: Part;
  readonly is: Uint8Array;
  /** A depth or a number of fields, to compare with. */
  readonly count: number;
}

/** The conditions of a rule, compiled for very many URLs; undefined if the rule holds everywhere. */
export interface Conditions {
  readonly only: readonly CompiledCondition[] | undefined;
  readonly not: readonly CompiledCondition[];
}

interface Conditional {
  readonly only?: readonly Condition[];
  readonly not?: readonly Condition[];
}

export function compileConditions({ only, not }: Conditional): Conditions | undefined {
  if (only === undefined && (not === undefined || not.length === 0)) return undefined;
  return { only: only?.map(compile), not: (not ?? []).map(compile) };
}

function compile({ part, is }: Condition): CompiledCondition {
  return typeof is === 'number' ? { part, is: new Uint8Array(0), count: is } : { part, is: encodeText(is), count: -1 };
}

/** What the rule says, wherever it holds. */
export function withoutConditions<R extends Conditional>(rule: R): R {
  const { only: _only, not: _not, ...bare } = rule;
  return bare as R;
}

/** Whether a rule with these conditions holds for the URL. */
export function holdsFor({ only, not }: Conditions, url: Uint8Array): boolean {
  const path = pathStart(url);
  fields.count = UNSPLIT;
  const isIt = (condition: CompiledCondition) => isMet(condition, url, 0, path, url.length, fields);
  return !not.some(isIt) && (only === undefined || only.some(isIt));
}

/** Whether the URL meets the condition. */
export function meets(url: Uint8Array, condition: Condition): boolean {
  return holdsFor({ only: [compile(condition)], not: [] }, url);
}

const fields = emptyFields();

/** Stands for the number of fields before they are split. */
export const UNSPLIT = -1;

/**
 * True if the URL bytes[start, end), whose path begins at `path`, meets the condition. If `fields` is UNSPLIT, the
 * fields are split into it when a condition needs them.
 */
export function isMet(
  { part, is, count }: CompiledCondition,
  url: Uint8Array,
  start: number,
  path: number,
  end: number,
  fields: Fields,
): boolean {
  if (fields.count < 0) splitFields(url, fields, path, end);
  switch (part) {
    case 'host':
      return isHost(url, start, path, end, is);
    case 'first':
    case 'last':
    case 'segment':
    case 'extension':
      return eachSegment(url, path, end, part, is);
    case 'depth':
      return depthOf(url, path, end) === count;
    case 'fields':
      return fieldsInQuery(fields) === count;
    case 'parameter':
      for (let at = 0; at < fields.count; at++) if (hasName(url, fields, at, is)) return true;
      return false;
    case 'field':
      for (let at = 0; at < fields.count; at++) if (isText(url, fields.start[at]!, fields.end[at]!, is)) return true;
      return false;
    case 'text':
      return hasText(url, path, end, is);
    case 'query':
      return hasText(url, fields.queryStart + 1, end, is);
    default:
      return part satisfies never;
  }
}

/** Compares the host, without user information. */
function isHost(url: Uint8Array, from: number, path: number, end: number, is: Uint8Array): boolean {
  let start = hostStart(url, from, end);
  if (start < 0) return is.length === 0;
  for (let at = start; at < path; at++) if (url[at] === AT) start = at + 1;
  return isText(url, start, path, is);
}

/** Visits segments until `visit` decides. */
function eachSegment(
  url: Uint8Array,
  path: number,
  stop: number,
  part: 'first' | 'last' | 'segment' | 'extension',
  is: Uint8Array,
): boolean {
  let at = path;
  for (;;) {
    const start = at < stop && url[at] === SLASH ? at + 1 : at;
    let end = start;
    while (end < stop && url[end] !== SLASH && url[end] !== SEMICOLON && url[end] !== QUESTION) end++;
    at = end;
    while (at < stop && url[at] !== SLASH && url[at] !== QUESTION) at++;
    const isLast = at === stop || url[at] === QUESTION;
    if (part === 'first') return isText(url, start, end, is);
    if (part === 'segment' && isText(url, start, end, is)) return true;
    if (!isLast) continue;
    if (part === 'extension') return isText(url, extensionStart(url, start, end), end, is);
    return part === 'last' && isText(url, start, end, is);
  }
}

function extensionStart(url: Uint8Array, start: number, end: number): number {
  for (let at = end - 1; at > start; at--) if (url[at] === DOT) return at + 1;
  return end;
}

/** The number of segments that are not empty. */
function depthOf(url: Uint8Array, path: number, end: number): number {
  let depth = 0;
  let isBegin = true;
  let isName = true;
  for (let at = path; at < end && url[at] !== QUESTION; at++) {
    if (url[at] === SLASH) isBegin = isName = true;
    else if (url[at] === SEMICOLON) isName = false;
    else if (isBegin && isName) {
      depth++;
      isBegin = false;
    }
  }
  return depth;
}

/** The number of fields in the query that are not empty. */
function fieldsInQuery(fields: Fields): number {
  let filled = 0;
  for (let at = fields.firstInQuery; at < fields.count; at++) if (fields.end[at]! > fields.start[at]!) filled++;
  return filled;
}

/** True if the text is anywhere in url[start, end). */
function hasText(url: Uint8Array, start: number, end: number, is: Uint8Array): boolean {
  for (let at = start; at + is.length <= end; at++) if (isText(url, at, at + is.length, is)) return true;
  return false;
}

/** A text that is equal for equal sets of conditions, in any order; '' if there are none. */
export function conditionsKey({ only, not }: Conditional): string {
  if (only === undefined && (not ?? []).length === 0) return '';
  return JSON.stringify([only === undefined ? null : textsOf(only), textsOf(not ?? [])]);
}

function textsOf(conditions: readonly Condition[]): readonly string[] {
  return [...new Set(conditions.map(({ part, is }) => JSON.stringify([part, is])))].sort();
}

/** Why a condition can never be met, or undefined. */
export function faultOfCondition({ part, is }: Condition): string | undefined {
  switch (part) {
    case 'depth':
    case 'fields':
    case 'query':
      return undefined;
    case 'host':
      return /[/?#]/.test(is) ? `no host has any of / ? #` : undefined;
    case 'first':
    case 'last':
    case 'segment':
      return /[/;?#]/.test(is) ? `no segment has any of / ; ? #` : undefined;
    case 'extension':
      return /[/;?#.]/.test(is) ? `no extension has any of / ; ? # .` : undefined;
    case 'parameter':
      return is === '' || /[&;=#]/.test(is) ? `no parameter is empty or has any of & ; = #` : undefined;
    case 'field':
      return /[&;#]/.test(is) ? `no field has any of & ; #` : undefined;
    case 'text':
      return is === '' || /[/?#]/.test(is) ? `no text is empty or has any of / ? #` : undefined;
    default:
      return part satisfies never;
  }
}
