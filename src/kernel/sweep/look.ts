// Is a URL plain, so that preparation leaves it alone, and which rules can touch it? One pass, sixteen bytes at a time.
//
// Which bytes and tokens count, and why, is explained in canonize/swept, rule/lookup and canonize/hosts; it uses their
// columns. Rules that are filed under a slash or a question mark would be looked up at each of them. So a row for each
// byte caches what its rules have in common, for the last group.
//
//   bytes   | group | how to look up | the byte that must follow | the last URL it was looked up for (8 bytes) |
import { FNV_PRIME, FNV_SEED } from '../layout/fnv';
import { GROUP, HASH, HOST_SHIFT, KEY_BYTES, LENGTH, LIST, NOT_PLAIN, PLACES, WAYS } from '../layout/host';
import {
  BYTES,
  GROUP_OF_PATHS,
  GROUP_OF_RULE,
  HAS_EVERY,
  HOST_KEYS,
  HOSTS,
  IS_ASKED,
  KINDS,
  LIST_OF_PATHS,
  LISTS,
  MARKS,
  MARKS_MASK,
  RUNS,
  SLOTS,
  SLOTS_MASK,
  TEXT_START,
  TEXTS,
  TOKEN_AT,
  TOLD,
} from '../layout/sweep';
import { isSettledEscape } from '../text/escape';
import { isSame } from '../text/text';
import { isEscape } from './form';
import { Bounds, OfByte, Slot } from './found';

/** Classes of bytes. */
const RUN: u8 = 0;
const MARK: u8 = 1;
const PERCENT: u8 = 3;
const DOT: u8 = 4;
const STOP: u8 = 5;

const NEWLINE: u8 = 0x0a;
const RETURN: u8 = 0x0d;
const SLASH: u8 = 0x2f;
const QUESTION: u8 = 0x3f;

/** `http`, `://` in 24 bits */
const HTTP: u32 = 0x70747468;
const SCHEME_END: u32 = 0x2f2f3a;
const SMALL_S: u8 = 0x73;

/** A URL with more rules counts as not plain. */
export const MOST_RULES: u32 = 64;
const EVERYWHERE: usize = 0xffffffff;

// The current URL, its group and its rules, ascending.
export let group: i32 = 0;
export let rules: usize = 0;
export let count: u32 = 0;
/** True if the host of the URL is not in the cache. */
export let isNewHost: bool = false;
/** Numbers the URLs, so that a byte is looked up once per URL. */
let urls: u64 = 0;
let lineStart: usize = 0;
let blockEnd: usize = 0;
/** The slot of the last host. */
let last: usize = 0;

export function told(word: usize): usize {
  return <usize>load<u32>(word + TOLD);
}

/** Begins a URL at `start`, in text that ends at `end`. Its rules will be written to `to`. */
export function beginUrl(start: usize, end: usize, to: usize): void {
  lineStart = start;
  blockEnd = end;
  rules = to;
}

/** Begins with a known list of rules: how many, rule, rule …. */
export function resume(ofGroup: i32, list: usize): void {
  group = ofGroup;
  begin(list);
}

/** Looks up all tokens of the path. Returns where the URL ends, or 0 if it is not plain. */
export function lookFrom(path: usize): usize {
  return scan(path, EVERYWHERE);
}

/** Looks up the tokens in [from, least), and the rest of the last token. True if the URL is still plain. */
export function lookAround(from: usize, least: usize): bool {
  const end = scan(from, least);
  return end != 0 && end >= least;
}

/** Where the token begins that has the byte at `at`, or a run that ends there; at least `least`. */
export function tokenStart(at: usize, least: usize): usize {
  const kinds = told(KINDS);
  while (at > least && isOfRun(kinds, at) && isOfRun(kinds, at - 1)) at--;
  return at > least && isEscape(at - 1, blockEnd) ? at - 1 : at;
}

function isOfRun(kinds: usize, at: usize): bool {
  return load<u8>(kinds + <usize>load<u8>(at)) == RUN;
}

/**
 * Where the path of the URL at `start` begins; adds the rules of its host. 0 if the URL is not plain, or its host is
 * not cached.
 */
export function pathOf(start: usize): usize {
  isNewHost = false;
  if (load<u8>(start) == SLASH) {
    group = <i32>told(GROUP_OF_PATHS);
    begin(told(LIST_OF_PATHS));
    return start;
  }
  const end = hostEnd(start);
  if (end == 0) return 0;
  const host = told(HOSTS) + (last << HOST_SHIFT);
  group = load<i32>(host, GROUP << 2);
  if (group == NOT_PLAIN) return 0;
  begin(host + (LIST << 2));
  return end;
}

function hostEnd(start: usize): usize {
  const sameEnd = start + <usize>load<u32>(told(HOSTS) + (last << HOST_SHIFT), LENGTH << 2);
  if (sameEnd > start && sameEnd < blockEnd && load<u8>(sameEnd) == SLASH && isHost(start, sameEnd, last))
    return sameEnd;
  if (load<u32>(start) != HTTP) return 0;
  const colon = start + (load<u8>(start, 4) == SMALL_S ? 5 : 4);
  if ((load<u32>(colon) & 0xffffff) != SCHEME_END) return 0;
  let hash = FNV_SEED;
  let at = colon + 3;
  for (let byte = load<u8>(at); byte != SLASH; byte = load<u8>(++at)) {
    if (byte == NEWLINE) return 0;
    hash = (hash ^ (<i32>byte)) * FNV_PRIME;
  }
  const first = markOf(hash) & (PLACES - 1);
  for (let place = first; place < first + WAYS; place++) {
    const host = told(HOSTS) + ((<usize>place) << HOST_SHIFT);
    if (load<u32>(host, LENGTH << 2) == 0) break;
    if (load<i32>(host, HASH << 2) != hash || !isHost(start, at, <usize>place)) continue;
    last = <usize>place;
    return at;
  }
  isNewHost = true;
  return 0;
}

function isHost(start: usize, end: usize, place: usize): bool {
  const length = <usize>load<u32>(told(HOSTS) + (place << HOST_SHIFT), LENGTH << 2);
  return length == end - start && isSame(told(HOST_KEYS) + place * KEY_BYTES, start, length);
}

/** Begins with the rules of a host: how many, rule, rule …. */
function begin(list: usize): void {
  urls++;
  count = load<u32>(list);
  if (count > MOST_RULES) return;
  // Mostly none, rarely two: calling `memory.copy` would cost more.
  const end = rules + ((<usize>count) << 2);
  for (let to = rules; to < end; to += 4) store<u32>(to, load<u32>((list += 4)));
}

/**
 * Looks up all tokens from `from` on, up to the first byte that no URL has, or the first punctuation at or after
 * `least`. Returns its address, or 0 if the URL is not plain.
 */
function scan(from: usize, least: usize): usize {
  const runs = told(RUNS);
  const kinds = told(KINDS);
  const isAsked = told(IS_ASKED);
  let runStart = from;
  let base = from;
  // Bytes from 0x80 up are of runs, or preparation makes them escapes.
  const above = i8x16.splat(load<u8>(kinds, 0x80) == RUN ? -1 : 0);
  let marks = marksAt(base, above);
  while (true) {
    while (marks == 0) {
      base += 16;
      marks = marksAt(base, above);
    }
    const at = base + <usize>ctz(marks);
    marks &= marks - 1;
    if (at > runStart) {
      const ends = (((<usize>load<u8>(runStart)) & 0x7f) << 7) | ((<usize>load<u8>(at - 1)) & 0x7f);
      const bit = 1 << (<u32>min<usize>(at - runStart - 1, 7));
      if (((<u32>load<u8>(runs + ends)) & bit) != 0) askRun(runStart, at);
    }
    if (at >= least) return at;
    const byte = load<u8>(at);
    const kind = load<u8>(kinds + <usize>byte);
    runStart = at + 1;
    if (kind != MARK) {
      if (kind >= PERCENT) {
        if (kind == STOP) return at;
        if (kind == DOT) {
          if (isDotSegment(at)) return 0;
        } else if (kind == PERCENT) {
          if (!isSettledEscape(at, blockEnd)) return 0;
          runStart = at + 3;
        } else if (isEscape(at, blockEnd)) runStart = at + 3;
      }
      if (load<u8>(isAsked + <usize>byte) != 0) askByte(byte, at);
    }
  }
}

/** Whether the dot at `at` may begin a segment `.` or `..`, which preparation removes from a path. */
function isDotSegment(at: usize): bool {
  if (load<u8>(at - 1) != SLASH) return false;
  const next = load<u8>(at + 1);
  return next == SLASH || next == QUESTION || load<u8>(told(KINDS) + <usize>next) >= DOT;
}

/** A bit for each of sixteen bytes that is a token of its own. Bytes from 0x80 up are not, if `above` has all bits. */
function marksAt(at: usize, above: v128): i32 {
  const bytes = v128.load(at);
  const letter = i8x16.sub(v128.or(bytes, i8x16.splat(0x20)), i8x16.splat(0x61));
  const digit = i8x16.sub(bytes, i8x16.splat(0x30));
  const isAscii = v128.or(i8x16.lt_u(letter, i8x16.splat(26)), i8x16.lt_u(digit, i8x16.splat(10)));
  return i8x16.bitmask(v128.or(isAscii, v128.and(bytes, above))) ^ 0xffff;
}

function markOf(hash: i32): u32 {
  return (<u32>hash) ^ ((<u32>hash) >> 15);
}

function askRun(start: usize, end: usize): void {
  let hash = FNV_SEED;
  for (let at = start; at < end; at++) hash = (hash ^ (<i32>load<u8>(at))) * FNV_PRIME;
  if (load<u8>(told(MARKS) + ((<usize>markOf(hash)) & told(MARKS_MASK))) != 0) ask(hash, start);
}

// How to look up the rules of a byte. 0: not determined yet.
const NEVER: u8 = 1;
/** Their whole text is the byte, so once per URL is enough. */
const ONCE: u8 = 2;
/** All their texts have the same next byte. */
const BEFORE: u8 = 3;
const ALWAYS: u8 = 4;

function askByte(byte: u8, at: usize): void {
  const row = changetype<OfByte>(<usize>BYTES + ((<usize>byte) << 4));
  if (row.group != group || row.how == 0) describe(byte, row);
  const how = row.how;
  if (how == NEVER || (how == BEFORE && load<u8>(at, 1) != row.following && at + 1 < blockEnd)) return;
  if (how == ONCE) {
    if (row.lastUrl == urls) return;
    row.lastUrl = urls;
  }
  ask(hashOf(byte), at);
}

function hashOf(byte: u8): i32 {
  return (FNV_SEED ^ (<i32>byte)) * FNV_PRIME;
}

function describe(byte: u8, row: OfByte): void {
  row.group = group;
  row.how = NEVER;
  row.lastUrl = 0;
  if (told(HAS_EVERY) != 0) describeGroup(byte, row, 0);
  if (group > 0) describeGroup(byte, row, group);
}

function describeGroup(byte: u8, row: OfByte, owner: i32): void {
  let next = listOf(hashOf(byte), owner);
  if (next == 0) return;
  for (let rule = load<i32>(next); rule >= 0; rule = load<i32>((next += 4))) {
    const bounds = boundsOf(rule);
    const text = bounds.start;
    const length = bounds.end - text;
    const isFirst = load<u32>(told(TOKEN_AT) + ((<usize>rule) << 2)) == 0;
    const following: u8 = length > 1 ? load<u8>(told(TEXTS) + <usize>text + 1) : 0;
    const how = length == 1 ? ONCE : isFirst ? BEFORE : ALWAYS;
    const before = row.how;
    if (before == NEVER) row.following = following;
    const isAlike = before == NEVER || (before == how && row.following == following);
    row.how = isAlike ? how : ALWAYS;
  }
}

function ask(hash: i32, at: usize): void {
  if (told(HAS_EVERY) != 0) askGroup(hash, 0, at);
  if (group > 0) askGroup(hash, group, at);
}

function askGroup(hash: i32, owner: i32, at: usize): void {
  let next = listOf(hash, owner);
  if (next == 0) return;
  for (let rule = load<i32>(next); rule >= 0; rule = load<i32>(next)) {
    next += 4;
    if (load<i32>(told(GROUP_OF_RULE) + ((<usize>rule) << 2)) == owner && standsAround(rule, at)) add(rule);
  }
}

/**
 * The address of the rules of a group under a token, 0 if there are none. Other rules with the same key may be among
 * them.
 */
function listOf(hash: i32, owner: i32): usize {
  const mixed = (hash ^ ((owner + 1) * 0x9e3779b1)) * 0x85ebca6b;
  const key = mixed ^ (<i32>((<u32>mixed) >> 15));
  const slots = told(SLOTS);
  const mask = <u32>told(SLOTS_MASK);
  let slot = (<u32>key) & mask;
  let list = slotIn(slots, slot).list;
  while (list >= 0 && slotIn(slots, slot).key != key) {
    slot = (slot + 1) & mask;
    list = slotIn(slots, slot).list;
  }
  return list < 0 ? 0 : told(LISTS) + ((<usize>list) << 2);
}

function slotIn(slots: usize, slot: u32): Slot {
  return changetype<Slot>(slots + ((<usize>slot) << 3));
}

function boundsOf(rule: i32): Bounds {
  return changetype<Bounds>(told(TEXT_START) + ((<usize>rule) << 2));
}

/** True if the text of the rule is around its token at `at`, as far as the block goes. */
function standsAround(rule: i32, at: usize): bool {
  const bounds = boundsOf(rule);
  const textAt = bounds.start;
  const before = <usize>load<u32>(told(TOKEN_AT) + ((<usize>rule) << 2));
  if (at < lineStart + before) return false;
  const start = at - before;
  const text = told(TEXTS) + <usize>textAt;
  const length = min(<usize>(bounds.end - textAt), blockEnd - start);
  // Compares the last byte first, as it usually differs: `//` is looked up at each slash.
  return length == 0 || (load<u8>(text + length - 1) == load<u8>(start + length - 1) && isSame(text, start, length));
}

/** Adds a rule unless it is there already. */
function add(rule: i32): void {
  if (count > MOST_RULES) return;
  const end = rules + ((<usize>count) << 2);
  let place = end;
  while (place > rules && load<i32>(place - 4) > rule) place -= 4;
  if (place > rules && load<i32>(place - 4) == rule) return;
  if (count++ == MOST_RULES) return;
  for (let to = end; to > place; to -= 4) store<i32>(to, load<i32>(to - 4));
  store<i32>(place, rule);
}

/** True if a line ends here. */
export function endsAt(at: usize): bool {
  if (load<u8>(at) == NEWLINE) return true;
  return load<u8>(at) == RETURN && load<u8>(at, 1) == NEWLINE;
}
