// Files each rule under one token of its text, before the lookup begins. What is kept, as plain columns:
//
//     slots        [key, list] [key, list] …   open addressing, at most half full; list -1 is an empty slot
//     lists        rule, rule, …, -1, rule, …  the rules of a key, ascending, each list closed by -1
//     always       list                        by group: rules without any token in their text
//     sieve        0 or 1                      by hash of a token, and by punctuation byte: is any rule filed under it?
//     groupOfRule  group                       by rule: the number of its site
import { isRunByte, tokenOffsets } from '../url/token.js';

export interface LookupRule {
  readonly site: string;
  /** What has to stand in a URL, token for token, for the rule to match. */
  readonly text: Uint8Array;
}

/** The site of rules that apply to every URL; its group is 0. */
export const everySite = '*';

/** Whether any rule of any site is filed under a token; 1 may be wrong for `marks`, 0 never is. */
export interface Sieve {
  /** By {@link markOf}, to be cut to the length, which is a power of two. */
  readonly marks: Uint8Array;
  /** By punctuation byte. */
  readonly isAsked: Uint8Array;
}

export interface Filing {
  readonly groups: ReadonlyMap<string, number>;
  readonly groupOfRule: Int32Array;
  readonly always: Int32Array;
  readonly sieve: Sieve;
  readonly slots: Int32Array;
  readonly lists: Int32Array;
}

// FNV-1a over the bytes of a token (a run, or one byte), so that the lookup can hash while it cuts; then one mixing
// step with the group.
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
  const tokens = rules.map((rule) => tokensOf(rule.text));
  const frequency = countTokens(tokens, groupOfRule);
  const tokenless: number[][] = Array.from(groups, () => []);
  const filed = new Map<number, number[]>();
  const used = new Set<string>();
  for (const [rule, { site }] of rules.entries()) {
    const group = groupOfRule[rule]!;
    const token = rarest(tokens[rule]!, site, (text) => frequency.get(tokenKey(group, text))!);
    if (token === undefined) {
      tokenless[group]!.push(rule);
      continue;
    }
    used.add(token);
    const key = keyOf(hashToken(token), group);
    const list = filed.get(key);
    if (list === undefined) filed.set(key, [rule]);
    else list.push(rule);
  }
  return { groups, groupOfRule, sieve: sieveOf(used), ...freeze(filed, tokenless) };
}

/** The distinct tokens, each as a string of its bytes. */
function tokensOf(text: Uint8Array): string[] {
  const offsets = tokenOffsets(text);
  const texts = offsets
    .slice(0, -1)
    .map((start, at) => Buffer.from(text.subarray(start, offsets[at + 1])).toString('latin1'));
  return [...new Set(texts)];
}

/** In how many rules of its group a token stands. */
function countTokens(tokens: readonly (readonly string[])[], groupOfRule: Int32Array): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [rule, texts] of tokens.entries()) {
    for (const text of texts) {
      const key = tokenKey(groupOfRule[rule]!, text);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return counts;
}

function tokenKey(group: number, text: string): string {
  return `${group} ${text}`;
}

// The rules know how rare a token is among rules; that these stand in nearly every URL of the site they cannot know.
const everywhere = new Set(['http', 'https', 'www']);

/** A run before punctuation, what is not in every URL before what is, fewest rules, then the longest. */
function rarest(texts: readonly string[], site: string, frequency: (text: string) => number): string | undefined {
  const ofSite = new Set(site.split(/[.:-]/));
  const weight = (text: string) => {
    if (!isRun(text)) return 2e9 + frequency(text);
    return (everywhere.has(text) || ofSite.has(text) ? 1e9 : 0) + frequency(text);
  };
  let best: string | undefined;
  for (const text of texts) {
    const order = best === undefined ? -1 : weight(text) - weight(best) || best.length - text.length;
    if (order < 0) best = text;
  }
  return best;
}

function isRun(token: string): boolean {
  return isRunByte(token.charCodeAt(0));
}

/** Thirty places for each token, so that one of thirty tokens of no rule passes. */
function sieveOf(tokens: ReadonlySet<string>): Sieve {
  let size = 1024;
  while (size < 30 * tokens.size) size *= 2;
  const marks = new Uint8Array(size);
  const isAsked = new Uint8Array(256);
  for (const token of tokens) {
    if (isRun(token)) marks[markOf(hashToken(token)) & (size - 1)] = 1;
    else isAsked[token.charCodeAt(0)] = 1;
  }
  return { marks, isAsked };
}

function hashToken(token: string): number {
  let hash = hashSeed;
  for (let at = 0; at < token.length; at++) hash = Math.imul(hash ^ token.charCodeAt(at), hashFactor);
  return hash;
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
