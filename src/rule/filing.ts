// Builds the inverted index of rules: each rule is filed under one token of its text. The index, as plain columns:
//
//     slots        [key, list] [key, list] …   open addressing, at most half full; list -1 is an empty slot
//     lists        rule, rule, …, -1, rule, …  the rules of a key, ascending, each list closed by -1
//     always       list                        by group: rules without any token in their text
//     runs         a bit for each length       by first and last byte of a run   } is a rule filed under such a token?
//     marks        0 or 1                      by hash of a run                  } 1 may be wrong, 0 never is
//     isAsked      0 or 1                      by punctuation byte               }
//     groupOfRule  group                       by rule: the number of its site
//     texts        the texts of all rules end to end; a text ends where the next one begins:
//     textStart    place in `texts`            by rule, and one more
//     tokenAt      place in its text           by rule: of the token that it is filed under
import { chained, FNV_PRIME, FNV_SEED } from '../base/hash.js';
import { encodeText } from '../base/bytes.js';
import { isRunByte, tokenEnd } from '../url/token.js';
import { everySite } from './rule.js';

export interface LookupRule {
  readonly site: string;
  /** The text that must occur in a URL, as whole tokens, for the rule to match. */
  readonly text: Uint8Array;
}

/**
 * Tells quickly whether any rule is filed under a token: a check of length, first and last byte, then a Bloom filter.
 */
export interface Sieve {
  /** Indexed by {@link endsOf}; the bit is {@link lengthBit}. */
  readonly runs: Uint8Array;
  /** Indexed by {@link markOf} modulo the length, which is a power of two. */
  readonly marks: Uint8Array;
  readonly isAsked: Uint8Array;
}

/** The index of a run's first and last byte. */
export function endsOf(first: number, last: number): number {
  return ((first & 0x7f) << 7) | (last & 0x7f);
}

/** One bit each for the lengths 1 to 7, and one for all longer ones. */
export function lengthBit(length: number): number {
  return 1 << (length > 7 ? 7 : length - 1);
}

export interface Filing {
  readonly groups: ReadonlyMap<string, number>;
  readonly groupOfRule: Int32Array;
  readonly always: Int32Array;
  readonly sieve: Sieve;
  readonly slots: Int32Array;
  readonly lists: Int32Array;
  readonly texts: Uint8Array;
  readonly textStart: Int32Array;
  readonly tokenAt: Int32Array;
  readonly reach: Reach;
}

/** The maximum number of bytes of a text before the token that it is filed under, and after it. */
export interface Reach {
  readonly before: number;
  readonly behind: number;
}

// FNV-1a over the bytes of a token (a run, or one byte; of an escape the `%`); then one mixing step with the group.

export function byteHash(byte: number): number {
  return Math.imul(FNV_SEED ^ byte, FNV_PRIME);
}

export function keyOf(hash: number, group: number): number {
  const mixed = Math.imul(hash ^ Math.imul(group + 1, 0x9e3779b1), 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}

export function markOf(hash: number): number {
  return hash ^ (hash >>> 15);
}

export function fileRules(rules: readonly LookupRule[]): Filing {
  const groups = new Map<string, number>([[everySite, 0]]);
  for (const { site } of rules) if (!groups.has(site)) groups.set(site, groups.size);
  const groupOfRule = new Int32Array(rules.length);
  for (let rule = 0; rule < rules.length; rule++) groupOfRule[rule] = groups.get(rules[rule]!.site)!;
  const whole = endToEnd(rules);
  const tokens = cut(whole);
  const chosen = chooseTokens(tokens, whole.texts, groupOfRule, Array.from(groups.keys(), tokensOfSite));
  const tokenAt = new Int32Array(rules.length);
  const { textStart } = whole;
  let [before, behind] = [0, 0];
  for (let rule = 0; rule < chosen.length; rule++) {
    const token = chosen[rule]!;
    if (token < 0) continue;
    tokenAt[rule] = tokens.start[token]! - textStart[rule]!;
    before = Math.max(before, tokenAt[rule]!);
    behind = Math.max(behind, textStart[rule + 1]! - tokens.end[token]!);
  }
  const sieve = sieveOf(tokens, chosen, whole.texts);
  const lists = freeze(tokens, chosen, groupOfRule, groups.size);
  return { groups, groupOfRule, tokenAt, reach: { before, behind }, sieve, ...whole, ...lists };
}

type Texts = Pick<Filing, 'texts' | 'textStart'>;

function endToEnd(rules: readonly LookupRule[]): Texts {
  const textStart = new Int32Array(rules.length + 1);
  for (let rule = 0; rule < rules.length; rule++) textStart[rule + 1] = textStart[rule]! + rules[rule]!.text.length;
  const texts = new Uint8Array(textStart[rules.length]!);
  for (let rule = 0; rule < rules.length; rule++) {
    const { text } = rules[rule]!;
    const at = textStart[rule]!;
    for (let k = 0; k < text.length; k++) texts[at + k] = text[k]!;
  }
  return { texts, textStart };
}

/** The tokens of all texts. Those of a rule are from `first` of this rule up to `first` of the next. */
interface Tokens {
  readonly first: Int32Array;
  readonly hash: Int32Array;
  /** Places in the texts. */
  readonly start: Int32Array;
  readonly end: Int32Array;
}

function cut({ texts, textStart }: Texts): Tokens {
  const first = new Int32Array(textStart.length);
  const [hash, start, end] = [0, 0, 0].map(() => new Int32Array(texts.length)) as [Int32Array, Int32Array, Int32Array];
  let count = 0;
  for (let rule = 0; rule + 1 < textStart.length; rule++) {
    const stop = textStart[rule + 1]!;
    for (let at = textStart[rule]!; at < stop; count++) {
      start[count] = at;
      at = tokenEnd(texts, at, stop);
      end[count] = at;
      hash[count] = hashOf(texts, start[count]!, at);
    }
    first[rule + 1] = count;
  }
  return { first, hash, start, end };
}

/** The hash of a token. An escape is looked up by its `%`. */
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  return chained(FNV_SEED, bytes, start, isRunByte(bytes[start]!) ? end : start + 1);
}

/**
 * The token under which each rule is filed, or -1 if it has none. A run is better than punctuation, a token that is not
 * in every URL better than one that is, then the token of the fewest rules, then the longest.
 */
function chooseTokens(
  { first, hash, start, end }: Tokens,
  texts: Uint8Array,
  groupOfRule: Int32Array,
  common: readonly ReadonlySet<number>[],
): Int32Array {
  const counts = countTokens(first, hash, groupOfRule);
  const chosen = new Int32Array(groupOfRule.length).fill(-1);
  for (let rule = 0; rule < groupOfRule.length; rule++) {
    const group = groupOfRule[rule]!;
    let least = Infinity;
    let longest = 0;
    for (let token = first[rule]!; token < first[rule + 1]!; token++) {
      const length = end[token]! - start[token]!;
      const rank = !isRunByte(texts[start[token]!]!) ? 2 : isCommon(hash[token]!, common[group]!) ? 1 : 0;
      const weight = rank * 1e9 + counts.of(keyOf(hash[token]!, group));
      if (weight > least || (weight === least && length <= longest)) continue;
      chosen[rule] = token;
      least = weight;
      longest = length;
    }
  }
  return chosen;
}

/**
 * How often a token occurs in the rules of a group, by key. Two keys may collide, which only makes the choice worse.
 */
function countTokens(first: Int32Array, hash: Int32Array, groupOfRule: Int32Array) {
  const size = powerFrom(2 * first.at(-1)!);
  const keys = new Int32Array(size);
  const counts = new Int32Array(size);
  const slotOf = (key: number) => {
    let slot = key & (size - 1);
    while (counts[slot] !== 0 && keys[slot] !== key) slot = (slot + 1) & (size - 1);
    return slot;
  };
  for (let rule = 0; rule < groupOfRule.length; rule++) {
    const group = groupOfRule[rule]!;
    for (let token = first[rule]!; token < first[rule + 1]!; token++) {
      const key = keyOf(hash[token]!, group);
      const slot = slotOf(key);
      keys[slot] = key;
      counts[slot]!++;
    }
  }
  return { of: (key: number) => counts[slotOf(key)]! };
}

/** The smallest power of two that is at least `least` and at least 4. */
function powerFrom(least: number): number {
  let size = 4;
  while (size < least) size *= 2;
  return size;
}

/**
 * Tokens of the site's own URLs. The rules only show how rare a token is among rules, not that nearly every URL has
 * these.
 */
function tokensOfSite(site: string): ReadonlySet<number> {
  const text = encodeText(site);
  const hashes = new Set<number>();
  for (let at = 0, end: number; at < text.length; at = end) {
    end = tokenEnd(text, at, text.length);
    if (isRunByte(text[at]!)) hashes.add(chained(FNV_SEED, text, at, end));
  }
  return hashes;
}

function isCommon(hash: number, ofSite: ReadonlySet<number>): boolean {
  return ofEverySite.has(hash) || ofSite.has(hash);
}

const ofEverySite = new Set(
  ['http', 'https', 'www'].map((text) => chained(FNV_SEED, encodeText(text), 0, text.length)),
);

/** `marks` has thirty entries per token, so one in thirty of the other tokens passes. */
function sieveOf({ hash, start, end }: Tokens, chosen: Int32Array, texts: Uint8Array): Sieve {
  const used = chosen.filter((token) => token >= 0);
  const size = Math.max(1024, powerFrom(30 * distinct(used.map((token) => hash[token]!))));
  const marks = new Uint8Array(size);
  const runs = new Uint8Array(1 << 14);
  const isAsked = new Uint8Array(256);
  for (const token of used) {
    const [byte, last] = [texts[start[token]!]!, texts[end[token]! - 1]!];
    if (isRunByte(byte)) {
      marks[markOf(hash[token]!) & (size - 1)] = 1;
      runs[endsOf(byte, last)]! |= lengthBit(end[token]! - start[token]!);
    } else isAsked[byte] = 1;
  }
  return { runs, marks, isAsked };
}

function distinct(numbers: Int32Array): number {
  numbers.sort();
  let count = 0;
  for (let k = 0; k < numbers.length; k++) if (k === 0 || numbers[k] !== numbers[k - 1]) count++;
  return count;
}

/** The rules of a key are chained in `next` before they are laid end to end. */
function freeze(
  { hash }: Tokens,
  chosen: Int32Array,
  groupOfRule: Int32Array,
  groups: number,
): Pick<Filing, 'always' | 'slots' | 'lists'> {
  const rules = chosen.length;
  const size = powerFrom(2 * rules);
  const slots = new Int32Array(2 * size).fill(-1);
  const next = new Int32Array(rules).fill(-1);
  const always = new Int32Array(groups).fill(-1);
  // Backwards, so that prepending keeps the rules of a key ascending.
  for (let rule = rules - 1; rule >= 0; rule--) {
    const group = groupOfRule[rule]!;
    if (chosen[rule]! < 0) {
      next[rule] = always[group]!;
      always[group] = rule;
      continue;
    }
    const key = keyOf(hash[chosen[rule]!]!, group);
    let slot = key & (size - 1);
    while (slots[2 * slot + 1] !== -1 && slots[2 * slot] !== key) slot = (slot + 1) & (size - 1);
    slots[2 * slot] = key;
    next[rule] = slots[2 * slot + 1]!;
    slots[2 * slot + 1] = rule;
  }
  const lists = new Int32Array(2 * rules + groups);
  let used = 0;
  const putList = (first: number) => {
    const list = used;
    for (let rule = first; rule >= 0; rule = next[rule]!) lists[used++] = rule;
    lists[used++] = -1;
    return list;
  };
  for (let group = 0; group < groups; group++) always[group] = putList(always[group]!);
  for (let at = 1; at < slots.length; at += 2) if (slots[at]! >= 0) slots[at] = putList(slots[at]!);
  return { always, slots, lists };
}
