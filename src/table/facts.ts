// What a capture of a crawl says of its URL beside size and sketch (layout in kernel/layout/facts), and which of two
// captures of a URL is its page. The kernel decides that in its table (kernel/list/facts); this, for spilled rows.
import { sameRange } from '../base/bytes.js';
import {
  FACTS_BYTES,
  FLAGS,
  HAS_CHANGED,
  IS_PAGE,
  KNOWN_FLAGS,
  LANGUAGES,
  MARK,
  MOST_NAME,
  NAME_LENGTH,
  TIME,
  WAS_SEEN_AGAIN,
} from '../kernel/layout/facts.js';

/** A label: a sketch, with facts before it or not. `end` is where the sketch ends. */
export interface Label {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/** The bytes of facts before the sketch in bytes[start, end); 0 if there are none. */
export function factsBytes(bytes: Uint8Array, start: number, end: number): number {
  if (end - start < FACTS_BYTES || bytes[start] !== MARK || bytes[start + FLAGS]! > KNOWN_FLAGS) return 0;
  const name = bytes[start + NAME_LENGTH]! + 256 * bytes[start + NAME_LENGTH + 1]!;
  return name > MOST_NAME || FACTS_BYTES + name > end - start ? 0 : FACTS_BYTES + name;
}

/** Which of two labels of a URL stays, and whether the sizes of both count, or only those of the one that stays. */
export interface Choice {
  readonly stays: 'before' | 'next';
  readonly sizes: 'both' | 'one';
}

const BOTH: Choice = { stays: 'next', sizes: 'both' };
const NEXT: Choice = { stays: 'next', sizes: 'one' };
const BEFORE: Choice = { stays: 'before', sizes: 'one' };

/**
 * Chooses between two labels, neither of which is empty: a page before a redirect, then the newer one. Notes in the one
 * that stays that the sketches differ, or did before.
 */
export function chooseLabel(before: Label, next: Label): Choice {
  const a = factsBytes(before.bytes, before.start, before.end);
  const b = factsBytes(next.bytes, next.start, next.end);
  const choice = chosen(before, a, next, b);
  const kept = choice.stays === 'next' ? next : before;
  if ((choice.stays === 'next' ? b : a) === 0) return choice;
  const history = comparison(before, a, next, b) | historyOf(before, a) | historyOf(next, b);
  kept.bytes[kept.start + FLAGS]! |= history;
  return choice;
}

function chosen(before: Label, a: number, next: Label, b: number): Choice {
  const wasPage = isPage(before, a);
  if (wasPage !== isPage(next, b)) return wasPage ? BEFORE : BOTH;
  const [time, later] = [timeOf(before, a), timeOf(next, b)];
  if (time === 0 || later === 0 || time === later) return BOTH;
  return later > time ? NEXT : BEFORE;
}

/** The flags of two captures with sketches: did the page change? */
function comparison(before: Label, a: number, next: Label, b: number): number {
  const [from, other] = [before.start + a, next.start + b];
  const [length, otherLength] = [before.end - from, next.end - other];
  if (length === 0 || otherLength === 0 || !isPage(before, a) || !isPage(next, b)) return 0;
  const isSame = length === otherLength && sameRange(before.bytes, from, next.bytes, other, length);
  return isSame ? WAS_SEEN_AGAIN : WAS_SEEN_AGAIN | HAS_CHANGED;
}

function isPage({ bytes, start }: Label, facts: number): boolean {
  return facts === 0 || (bytes[start + FLAGS]! & IS_PAGE) !== 0;
}

function historyOf({ bytes, start }: Label, facts: number): number {
  return facts === 0 ? 0 : bytes[start + FLAGS]! & (HAS_CHANGED | WAS_SEEN_AGAIN);
}

function timeOf({ bytes, start }: Label, facts: number): number {
  return facts === 0 ? 0 : viewOf(bytes).getFloat64(start + TIME, true);
}

/** The facts of a URL of the list. */
export interface Facts {
  /** True for a page, false for a redirect. */
  readonly isPage: boolean;
  /** Whether captures of the URL had different sketches; undefined if only one has a sketch. */
  readonly hasChanged: boolean | undefined;
  /** The URL that the site gives for the page, in raw bytes: of a redirect or a canonical link. Empty if none is known. */
  readonly name: Uint8Array;
  /** A bit for each language; 0 if unknown. */
  readonly languages: number;
}

/** True if facts in bytes[start, end) have a name or languages. Of most pages only the time is known. */
export function hasWord(bytes: Uint8Array, start: number, end: number): boolean {
  const length = factsBytes(bytes, start, end);
  if (length !== FACTS_BYTES) return length > 0;
  for (let at = start + LANGUAGES; at < start + TIME; at++) if (bytes[at] !== 0) return true;
  return false;
}

/** The facts in bytes[start, end), whose name is a copy; undefined if there are none. */
export function readFacts(bytes: Uint8Array, start: number, end: number): Facts | undefined {
  const length = factsBytes(bytes, start, end);
  if (length === 0) return undefined;
  const flags = bytes[start + FLAGS]!;
  return {
    isPage: (flags & IS_PAGE) !== 0,
    hasChanged: (flags & WAS_SEEN_AGAIN) === 0 ? undefined : (flags & HAS_CHANGED) !== 0,
    name: bytes.slice(start + FACTS_BYTES, start + length),
    languages: viewOf(bytes).getUint32(start + LANGUAGES, true),
  };
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
