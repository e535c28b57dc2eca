// What does a rule do to a URL (SPEC 7)? {@link imageOf} is the one answer, for validation, canonization and `explain`
// alike. Parameter rules are in `parameter.ts`, steps in `step.ts`, patterns in `pattern.ts`, and conditions in
// `condition.ts`. Substring rules:
//
// `from` has to occur in the URL as whole tokens, at the ends that the anchor names, and the leftmost such place
// becomes `to`. A place is skipped if the image would not be a URL, or if punctuation of scheme and host would be
// removed: `//` → `/` changes the `//` of a path, `.` → `-` the dot of a file name. A rule about the host contains a
// letter or digit of it. A lengthening rule such as `story` → `my-story` would match its own result. So a place is
// skipped when it is already the `story` of a `my-story`: with k the offset of `from` in `to`, when an occurrence of
// `to` (as whole tokens, anchors included) starts k bytes before it.
//
// SPEC 7 requires whole tokens of `from` only. So `to` may merge with the tokens around it (`-` → `` makes `ab` of
// `a-b`), and a lengthening rule that merges (`-` → `-a` on `x-b`) does match its own result; canonization then leaves
// such a URL alone.
import type { ByteBuffer } from '../base/buffer.js';
import { decodeText, encodeText, isText, newBytes, type NewBytes } from '../base/bytes.js';
import { hostStart, isClean, pathStart } from '../url/form.js';
import { isBoundary, isRunByte } from '../url/token.js';
import { appendEdit } from './append-edit.js';
import { compileConditions, holdsFor, type Conditions } from './condition.js';
import { compileParameter, editFields, type FieldEdit } from './parameter.js';
import type { SubstringPair } from './refine.js';
import type { Rule, SubstringRule } from './rule.js';
import { compilePattern, takePattern, type PatternEdit } from './pattern.js';
import { compileStep, mayChange, stepKey, takeStep, type StepEdit } from './step.js';

/** A substring rule, compiled to be applied to very many URLs. */
export interface Substitution {
  readonly kind: 'substring';
  readonly from: Uint8Array;
  readonly to: Uint8Array;
  readonly atStart: boolean;
  readonly atEnd: boolean;
  /** Every byte offset at which `to` contains `from`, as whole tokens and with the same anchors. */
  readonly inside: readonly number[];
}

/** The URLs that a rule does not hold for; undefined if it holds for all URLs of its site. */
interface Limits {
  readonly conditions: Conditions | undefined;
  /** URLs as `decodeText` writes them. */
  readonly except: ReadonlySet<string>;
}

export type CompiledRule = (Substitution | FieldEdit | StepEdit | PatternEdit) & { readonly limits?: Limits };

/**
 * The rule with its text as in normalized URLs: an earlier version learned `é` where these have `%C3%A9`. Its site is not
 * one then if it has such letters.
 */
export function spelledRule(rule: Rule): Rule {
  return JSON.parse(JSON.stringify(rule).replace(/[^\0-\x7f]+/g, encodeURI)) as Rule;
}

export function compileRule(rule: Rule): CompiledRule {
  const compiled = compileKind(rule);
  const conditions = compileConditions(rule);
  const { except = [] } = rule;
  if (conditions === undefined && except.length === 0) return compiled;
  return { ...compiled, limits: { conditions, except: new Set(except.map((url) => decodeText(encodeText(url)))) } };
}

function compileKind(rule: Rule): CompiledRule {
  switch (rule.kind) {
    case 'substring':
      return compileSubstring(rule);
    case 'parameter':
      return compileParameter(rule);
    case 'step':
      return compileStep(rule);
    case 'pattern':
      return compilePattern(rule);
    default:
      return rule satisfies never;
  }
}

/**
 * The image of a URL under the rule, or `url` itself, the same object, if nothing changes or the image would not be a
 * URL. START is at `origin`: 0, or the start of the path if a rule on paths (`urlForm` path) is applied to an absolute
 * URL.
 */
export function imageOf(rule: CompiledRule, url: Uint8Array, origin: number): Uint8Array {
  const image = rule.kind === 'substring' ? substitute(rule, url, origin) : edited(rule, url, origin, newBytes);
  return image === url || rule.limits === undefined || isWithin(rule.limits, url) ? image : url;
}

/** A rule that edits the whole URL. */
type WholeEdit = Exclude<CompiledRule, Substitution>;

function edited(rule: WholeEdit, url: Uint8Array, origin: number, make: NewBytes): Uint8Array {
  switch (rule.kind) {
    case 'parameter':
      return editFields(rule, url);
    case 'step':
      return takeStep(rule, url, make);
    case 'pattern':
      return takePattern(rule, url, origin, make);
    default:
      return rule satisfies never;
  }
}

function isWithin({ conditions, except }: Limits, url: Uint8Array): boolean {
  if (conditions !== undefined && !holdsFor(conditions, url)) return false;
  return except.size === 0 || !except.has(decodeText(url));
}

/** Offsets in the bytes that contain a URL: of START, and of the path, or of the query if there is no path. */
export interface Places {
  readonly origin: number;
  readonly path: number;
}

/**
 * The same for the URL bytes[start, end): its image is appended to `out`, which may hold the URL itself. False if there
 * is none.
 */
export function appendImage(
  rule: CompiledRule,
  bytes: Uint8Array,
  start: number,
  end: number,
  { origin, path }: Places,
  out: ByteBuffer,
): boolean {
  if (rule.kind === 'step' && !mayChange(rule, bytes, path, end)) return false;
  if (rule.limits !== undefined && !isWithin(rule.limits, viewOf(bytes, start, end))) return false;
  if (rule.kind !== 'substring') {
    const isEasy = rule.kind === 'parameter' ? appendEdit(rule, bytes, start, end, path, out) : undefined;
    return isEasy ?? appendWhole(rule, bytes, start, end, origin, out);
  }
  const at = findPlace(rule, bytes, start, end, { origin, path });
  if (at < 0) return false;
  out.add(bytes, start, at);
  out.addWhole(rule.to);
  out.add(bytes, at + rule.from.length, end);
  return true;
}

function appendWhole(
  rule: WholeEdit,
  bytes: Uint8Array,
  start: number,
  end: number,
  origin: number,
  out: ByteBuffer,
): boolean {
  const url = viewOf(bytes, start, end);
  const image = edited(rule, url, origin - start, inPlace);
  if (image === url) return false;
  out.addWhole(image);
  return true;
}

const place = new Uint8Array(1 << 14);
/** Memory for an image that is copied at once. */
const inPlace: NewBytes = (length) => (length <= place.length ? place.subarray(0, length) : newBytes(length));

const view = { bytes: new Uint8Array(0) as Uint8Array, start: 0, end: 0, url: new Uint8Array(0) as Uint8Array };

/** A view of bytes[start, end). All rules that are tried on the same form get the same object. */
function viewOf(bytes: Uint8Array, start: number, end: number): Uint8Array {
  if (view.bytes === bytes && view.start === start && view.end === end) return view.url;
  view.bytes = bytes;
  view.start = start;
  view.end = end;
  return (view.url = bytes.subarray(start, end));
}

/**
 * False if the rule can never replace its text within `head` (START, an origin and its slash), even if the text occurs
 * there. The caller then has to find the text after the origin.
 */
export function canBegin(rule: CompiledRule, head: Uint8Array): boolean {
  // A step without such a text may change anything.
  if (rule.kind === 'step') return stepKey(rule).length === 0;
  if (rule.kind !== 'substring' || !rule.atStart) return true;
  const length = Math.min(head.length, rule.from.length);
  for (let at = 0; at < length; at++) if (rule.from[at] !== head[at]) return false;
  return true;
}

function substitute(rule: Substitution, url: Uint8Array, origin: number): Uint8Array {
  const at = findPlace(rule, url, 0, url.length, { origin, path: pathStart(url) });
  return at < 0 ? url : replaceAt(rule, url, at);
}

/** The leftmost place in the URL bytes[start, end) that the rule may replace, or -1. */
function findPlace(rule: Substitution, bytes: Uint8Array, start: number, end: number, places: Places): number {
  const { origin, path } = places;
  let at = findMatch(rule, bytes, origin, end);
  if (at < 0 || !isClean(rule.to)) return -1;
  // A place after the first byte of the path, the usual case, cannot change scheme and host.
  while (at >= 0 && at <= path && !keepsBeginning(rule, bytes, start, end, at, places))
    at = findMatch(rule, bytes, origin, end, at + 1);
  return at;
}

const slash = 0x2f;
const query = 0x3f;
/** The length of `https://`. */
const schemeBytes = 8;
const head = new Uint8Array(schemeBytes);

/**
 * True if the image still begins with the same scheme and host, or if the rule replaces a letter or digit of them.
 * Decided without making the image: rules that would break all URLs of a site are tried on all of them.
 */
function keepsBeginning(
  rule: Substitution,
  bytes: Uint8Array,
  start: number,
  end: number,
  place: number,
  { origin, path }: Places,
): boolean {
  if (origin > start) return place > origin || byteOfImage(rule, bytes, end, place, origin) === slash;
  if (path === start) return byteOfImage(rule, bytes, end, place, start) === slash;
  if (hasRun(bytes, place, Math.min(place + rule.from.length, path))) {
    for (let at = 0; at < schemeBytes; at++) head[at] = byteOfImage(rule, bytes, end, place, start + at);
    return head[0] === slash || hostStart(head) > 0;
  }
  for (let at = place; at < path; at++) if (byteOfImage(rule, bytes, end, place, at) !== bytes[at]) return false;
  const next = byteOfImage(rule, bytes, end, place, path);
  return next === slash || next === query || next === 0;
}

function hasRun(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (isRunByte(bytes[at]!)) return true;
  return false;
}

/** The byte at `at` after `from` at `place` has become `to`; 0 after the end. */
function byteOfImage({ from, to }: Substitution, bytes: Uint8Array, end: number, place: number, at: number): number {
  if (at >= place && at < place + to.length) return to[at - place]!;
  const before = at < place ? at : at - to.length + from.length;
  return before < end ? bytes[before]! : 0;
}

export function compileSubstring(rule: Pick<SubstringRule, 'from' | 'to' | 'anchor'>): Substitution {
  return substitutionOf({ from: encodeText(rule.from), to: encodeText(rule.to), anchor: rule.anchor });
}

/** Compiles sides given as raw bytes. */
export function substitutionOf({ from, to, anchor }: SubstringPair): Substitution {
  const atStart = anchor === 'start' || anchor === 'both';
  const atEnd = anchor === 'end' || anchor === 'both';
  const inside: number[] = [];
  for (let at = 0; at + from.length <= to.length; at++) {
    if (standsAt(to, 0, to.length, at, from, atStart, atEnd)) inside.push(at);
  }
  return { kind: 'substring', from, to, atStart, atEnd, inside };
}

/** The image of `url`, or `url` itself, the same object, if the rule changes nothing. START is at `start`. */
export function applyRule(rule: Substitution, url: Uint8Array, start = 0): Uint8Array {
  const at = findMatch(rule, url, start);
  return at < 0 ? url : replaceAt(rule, url, at);
}

/** The image of `url`, with `at` from {@link findMatch}. */
function replaceAt({ from, to }: Substitution, url: Uint8Array, at: number): Uint8Array {
  const shift = to.length - from.length;
  const image = new Uint8Array(url.length + shift);
  // Loops, because two `set(subarray)` calls take twice as long for text as short as a URL.
  for (let k = 0; k < at; k++) image[k] = url[k]!;
  for (let k = 0; k < to.length; k++) image[at + k] = to[k]!;
  for (let k = at + to.length; k < image.length; k++) image[k] = url[k - shift]!;
  return image;
}

/**
 * The first offset at or after `least` at which `from` occurs in the URL url[start, end) and may become `to`, or -1.
 */
export function findMatch(rule: Substitution, url: Uint8Array, start = 0, end = url.length, least = start): number {
  const { from, atStart, atEnd } = rule;
  const last = end - from.length;
  if (from.length === 0 && !atStart && !atEnd) return -1;
  const first = atEnd ? Math.max(last, least) : least;
  const stop = atStart ? Math.min(start, last) : last;
  const byte = from[0];
  for (let at = first; at <= stop; at++) {
    if (byte !== undefined && url[at] !== byte) continue;
    if (standsAt(url, start, end, at, from, atStart, atEnd) && !isOwnResult(rule, url, start, end, at)) return at;
  }
  return -1;
}

function isOwnResult(
  { inside, to, atStart, atEnd }: Substitution,
  url: Uint8Array,
  start: number,
  end: number,
  at: number,
): boolean {
  for (let k = 0; k < inside.length; k++) {
    if (standsAt(url, start, end, at - inside[k]!, to, atStart, atEnd)) return true;
  }
  return false;
}

/** True if `part` occurs at `at` in the URL url[start, end), as whole tokens and anchored. */
function standsAt(
  url: Uint8Array,
  start: number,
  end: number,
  at: number,
  part: Uint8Array,
  atStart: boolean,
  atEnd: boolean,
): boolean {
  const stop = at + part.length;
  if (at < start || stop > end || !isText(url, at, stop, part)) return false;
  if ((atStart && at !== start) || (atEnd && stop !== end)) return false;
  return isBoundary(url, at, start, end) && isBoundary(url, stop, start, end);
}
