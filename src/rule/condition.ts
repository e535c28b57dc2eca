// Does a URL meet the conditions of a rule (SPEC 7)?
//
//     http://me@www.example.com:8080/forum/x;s=1/list.old.html;v=2?id=7&sort
//               | host              | first     | last           |
//               |                   | segments: forum, x, list.old.html   depth 3   extension html
//               with its port       parameters: s, v, id, sort              fields: s=1, v=2, id=7, sort
//
// Segments are the parts between the slashes of the path, without path parameters, so that `/a/` has `a` and ``, and
// `/` has only ``. An extension is what follows the last dot of the last segment, unless that dot begins it.
// `url/fields` defines fields and parameters. Everything is compared byte by byte, as in the URL.
import { AT, DOT, QUESTION, SEMICOLON, SLASH } from '../base/ascii.js';
import { encodeText, isText } from '../base/bytes.js';
import { emptyFields, hasName, splitFields } from '../url/fields.js';
import { hostStart, pathStart } from '../url/form.js';
import type { Condition } from './rule.js';

type Part = Condition['part'];

interface CompiledCondition {
  readonly part: Part;
  readonly is: Uint8Array;
  /** A depth, or a number of fields. */
  readonly count: number;
}

/** Where a rule holds, compiled to be tested on very many URLs; undefined if everywhere. */
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

/** Whether a rule with these conditions holds for the URL. */
export function holdsFor({ only, not }: Conditions, url: Uint8Array): boolean {
  for (let at = 0; at < not.length; at++) if (isMet(not[at]!, url)) return false;
  if (only === undefined) return true;
  for (let at = 0; at < only.length; at++) if (isMet(only[at]!, url)) return true;
  return false;
}

/** Whether the URL meets the condition. */
export function meets(url: Uint8Array, condition: Condition): boolean {
  return isMet(compile(condition), url);
}

const fields = emptyFields();

function isMet({ part, is, count }: CompiledCondition, url: Uint8Array): boolean {
  switch (part) {
    case 'host':
      return isHost(url, is);
    case 'first':
    case 'last':
    case 'segment':
    case 'extension':
      return eachSegment(url, part, is);
    case 'depth':
      return depthOf(url) === count;
    case 'fields':
      return fieldsInQuery(url) === count;
    case 'parameter':
      splitFields(url, fields);
      for (let at = 0; at < fields.count; at++) if (hasName(url, fields, at, is)) return true;
      return false;
    case 'field':
      splitFields(url, fields);
      for (let at = 0; at < fields.count; at++) if (isText(url, fields.start[at]!, fields.end[at]!, is)) return true;
      return false;
    case 'text':
      return hasText(url, is);
    default:
      return part satisfies never;
  }
}

/** Without user information. */
function isHost(url: Uint8Array, is: Uint8Array): boolean {
  const authority = hostStart(url);
  if (authority < 0) return is.length === 0;
  const end = pathStart(url);
  let start = authority;
  for (let at = authority; at < end; at++) if (url[at] === AT) start = at + 1;
  return isText(url, start, end, is);
}

/** Visits segment after segment until one decides. */
function eachSegment(url: Uint8Array, part: 'first' | 'last' | 'segment' | 'extension', is: Uint8Array): boolean {
  let at = pathStart(url);
  for (;;) {
    const start = url[at] === SLASH ? at + 1 : at;
    let end = start;
    while (end < url.length && url[end] !== SLASH && url[end] !== SEMICOLON && url[end] !== QUESTION) end++;
    at = end;
    while (at < url.length && url[at] !== SLASH && url[at] !== QUESTION) at++;
    const isLast = at === url.length || url[at] === QUESTION;
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

/** Segments that are not empty. */
function depthOf(url: Uint8Array): number {
  let depth = 0;
  let isBegin = true;
  let isName = true;
  for (let at = pathStart(url); at < url.length && url[at] !== QUESTION; at++) {
    if (url[at] === SLASH) isBegin = isName = true;
    else if (url[at] === SEMICOLON) isName = false;
    else if (isBegin && isName) {
      depth++;
      isBegin = false;
    }
  }
  return depth;
}

/** Fields of the query that are not empty. */
function fieldsInQuery(url: Uint8Array): number {
  splitFields(url, fields);
  let filled = 0;
  for (let at = fields.firstInQuery; at < fields.count; at++) if (fields.end[at]! > fields.start[at]!) filled++;
  return filled;
}

/** Anywhere in path and query. */
function hasText(url: Uint8Array, is: Uint8Array): boolean {
  for (let at = pathStart(url); at + is.length <= url.length; at++)
    if (isText(url, at, at + is.length, is)) return true;
  return false;
}

/** A text that is equal for equal sets of conditions, whatever their order; '' without any. */
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
      return is === '' || /[&;=#]/.test(is) ? `a parameter has a name without & ; = #` : undefined;
    case 'field':
      return /[&;#]/.test(is) ? `no field has any of & ; #` : undefined;
    case 'text':
      return is === '' || /[/?#]/.test(is) ? 'a text is not empty, and has none of / ? #' : undefined;
    default:
      return part satisfies never;
  }
}
