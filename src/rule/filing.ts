// Files each rule under one token of its text, before the lookup begins. What is kept, as plain columns:
//
//     slots        [key, list] [key, list] …   open addressing, at most half full; list -1 is an empty slot
//     lists        rule, rule, …, -1, rule, …  the rules of a key, ascending, each list closed by -1
//     always       list                        by group: rules without any token in their text
//     runs         a bit for each length       by first and last byte of a run   } is any rule filed under such a token?
//     marks        0 or 1                      by hash of a run                  } 1 may be wrong, 0 never is
//     isAsked      0 or 1                      by punctuation byte               }
//     groupOfRule  group                       by rule: the number of its site
//     texts        the texts of all rules end to end; that of a rule ends where the next one's begins:
//     textStart    place in `texts`            by rule, and one more
//     tokenAt      place in its text           by rule: of the token that it is filed under
import { concatBytes, encodeText } from '../base/bytes.js';
import { isRunByte } from '../url/token.js';

export interface LookupRule {
  readonly site: string;
  /** What has to stand in a URL, token for token, for the rule to match. */
  readonly text: Uint8Array;
}

/** The site of rules that apply to every URL; its group is 0. */
export const everySite = '*';

/** Whether any rule of any site is filed under a token: first by what can be seen of a run without a look inside. */
export interface Sieve {
  /** By {@link endsOf}; the bit is {@link lengthBit}. */
  readonly runs: Uint8Array;
  /** By {@link markOf}, to be cut to the length, which is a power of two. */
  readonly marks: Uint8Array;
  readonly isAsked: Uint8Array;
}

/** First and last byte of a run as an index. */
export function endsOf(first: number, last: number): number {
  return ((first & 0x7f) << 7) | (last & 0x7f);
}

/** For the lengths 1, 2 … 7, and for all from 8. */
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

/** How many bytes of a text there are at most before the token that it is filed under, and behind it. */
export interface Reach {
  readonly before: number;
  readonly behind: number;
}

// FNV-1a over the bytes of a token (a run, or one byte); then one mixing step with the group.
export const hashSeed = 0x811c9dc5 | 0;
export const hashFactor = 0x01000193;

export function byteHash(byte: number): number {
  return Math.imul(hashSeed ^ byte, hashFactor);
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
  const groupOfRule = Int32Array.from(rules, (rule) => groups.get(rule.site)!);
  const common = Array.from(groups.keys(), tokensOfSite);
  const frequency = countTokens(rules, groupOfRule);
  const tokenless: number[][] = Array.from(groups, () => []);
  const filed = new Map<number, number[]>();
  const used: Token[] = [];
  const tokenAt = new Int32Array(rules.length);
  for (const [rule, { text }] of rules.entries()) {
    const group = groupOfRule[rule]!;
    const token = rarest(text, common[group]!, (hash) => frequency.get(keyOf(hash, group))!);
    if (token === undefined) {
      tokenless[group]!.push(rule);
      continue;
    }
    tokenAt[rule] = token.start;
    used.push(token);
    const key = keyOf(token.hash, group);
    const list = filed.get(key);
    if (list === undefined) filed.set(key, [rule]);
    else list.push(rule);
  }
  const reach = reachOf(used);
  return { groups, groupOfRule, tokenAt, reach, sieve: sieveOf(used), ...endToEnd(rules), ...freeze(filed, tokenless) };
}

function reachOf(tokens: readonly Token[]): Reach {
  let [before, behind] = [0, 0];
  for (const { text, start, end } of tokens) {
    before = Math.max(before, start);
    behind = Math.max(behind, text.length - end);
  }
  return { before, behind };
}

/** text[start, end). */
interface Token {
  readonly text: Uint8Array;
  readonly start: number;
  readonly end: number;
  readonly hash: number;
}

type Visit = (hash: number, start: number, end: number) => void;

function eachToken(text: Uint8Array, visit: Visit): void {
  for (let start = 0, end: number; start < text.length; start = end) {
    let hash = byteHash(text[start]!);
    for (end = start + 1; end < text.length && isRunByte(text[start]!) && isRunByte(text[end]!); end++) {
      hash = Math.imul(hash ^ text[end]!, hashFactor);
    }
    visit(hash, start, end);
  }
}

/** How often a token stands in the rules of a group, by key. Two keys may collide, which only makes the choice worse. */
function countTokens(rules: readonly LookupRule[], groupOfRule: Int32Array): Map<number, number> {
  const counts = new Map<number, number>();
  for (const [rule, { text }] of rules.entries()) {
    eachToken(text, (hash) => {
      const key = keyOf(hash, groupOfRule[rule]!);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    });
  }
  return counts;
}

/** The rules know how rare a token is among rules; that these stand in nearly every URL of the site they cannot know. */
function tokensOfSite(site: string): ReadonlySet<number> {
  const hashes = new Set<number>();
  for (const text of ['http', 'https', 'www', ...site.split(/[.:-]/)]) {
    eachToken(encodeText(text), (hash) => hashes.add(hash));
  }
  return hashes;
}

/** A run before punctuation, what is not in every URL before what is, fewest rules, then the longest. */
function rarest(text: Uint8Array, common: ReadonlySet<number>, frequency: (hash: number) => number): Token | undefined {
  let best: Token | undefined;
  let least = Infinity;
  eachToken(text, (hash, start, end) => {
    const rank = !isRunByte(text[start]!) ? 2 : common.has(hash) ? 1 : 0;
    const weight = rank * 1e9 + frequency(hash);
    if (best !== undefined && (weight > least || (weight === least && end - start <= best.end - best.start))) return;
    best = { text, start, end, hash };
    least = weight;
  });
  return best;
}

function endToEnd(rules: readonly LookupRule[]): Pick<Filing, 'texts' | 'textStart'> {
  const textStart = new Int32Array(rules.length + 1);
  for (const [rule, { text }] of rules.entries()) textStart[rule + 1] = textStart[rule]! + text.length;
  return { texts: concatBytes(rules.map((rule) => rule.text)), textStart };
}

/** Of `marks` thirty for each token, so that one of thirty tokens of no rule passes. */
function sieveOf(tokens: readonly Token[]): Sieve {
  const distinct = new Set(tokens.map(({ hash }) => hash)).size;
  let size = 1024;
  while (size < 30 * distinct) size *= 2;
  const marks = new Uint8Array(size);
  const runs = new Uint8Array(1 << 14);
  const isAsked = new Uint8Array(256);
  for (const { text, start, end, hash } of tokens) {
    if (isRunByte(text[start]!)) {
      marks[markOf(hash) & (size - 1)] = 1;
      runs[endsOf(text[start]!, text[end - 1]!)]! |= lengthBit(end - start);
    } else isAsked[text[start]!] = 1;
  }
  return { runs, marks, isAsked };
}

function freeze(
  filed: ReadonlyMap<number, readonly number[]>,
  tokenless: readonly (readonly number[])[],
): Pick<Filing, 'always' | 'slots' | 'lists'> {
  const lists: number[] = [];
  const addList = (rules: readonly number[]) => {
    const list = lists.length;
    for (const rule of rules) lists.push(rule);
    lists.push(-1);
    return list;
  };
  const always = Int32Array.from(tokenless, addList);
  let size = 4;
  while (size < 2 * filed.size) size *= 2;
  const slots = new Int32Array(2 * size).fill(-1);
  for (const [key, rules] of filed) {
    let slot = key & (size - 1);
    while (slots[2 * slot + 1] !== -1) slot = (slot + 1) & (size - 1);
    slots[2 * slot] = key;
    slots[2 * slot + 1] = addList(rules);
  }
  return { always, slots, lists: Int32Array.from(lists) };
}
