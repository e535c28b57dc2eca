// Which few of very many rules can touch a URL?
//
// A rule can only match where all tokens of its text stand: of `from`, or of the name of the parameter. So each rule is
// filed once, under one of these tokens: the one that the fewest rules of its site have, ties to the longest. To look up,
// cut the URL into tokens and ask for each. With
//
//     site a   1  /index.html → /       filed under `index` (as `html` stands in two rules)
//              2  story.html  → story_  filed under `story`
//              3  //          → /       filed under `/`: there is nothing but punctuation
//              4  (end)       → /       filed under no token: tried on every URL of the site
//
// `http://a/x/story.html` asks for http, a, x, story, html and, as rule 3 is there, for `/` as well, and gets
// 2, 3 and 4. A key is a hash of site and token. Two keys may collide: then a rule is tried in vain, for only the bytes
// decide whether it matches. The cost of a URL is its own length and the few rules found, however many sites there are.
// Most tokens stand in no rule at all; a small table by their hash, the sieve, sees that before any key is looked for.
//
// How the keys are kept is said in `filing.ts`.
import { isRunByte } from '../url/token.js';
import type { CompiledRule } from './apply.js';
import { byteHash, fileRules, hashFactor, hashSeed, keyOf, markOf, type LookupRule, type Sieve } from './filing.js';

export interface Lookup {
  /** A number for a site, to be handed to `find`: 0 for `*`, -1 for a site without rules. */
  groupOf(site: string): number;
  /**
   * Puts the indexes, ascending, of the rules from `least` up that can touch the URL url[start, end) into `found` and
   * returns how many. They are those of the group and those of `*`.
   */
  find(url: Uint8Array, start: number, group: number, least: number, end?: number): number;
  readonly found: Int32Array;
  /**
   * The same for a caller that has to look at each byte anyway. `begin` finds the rules that have no token; then every
   * token that passes the sieve is to be asked for by its hash (of `filing.ts`). Both return how many are found by now.
   */
  begin(group: number, least: number): number;
  ask(hash: number): number;
  readonly sieve: Sieve;
}

/** The text of a rule. No field has part of a token for its name: what stands around a name are separators and `=`. */
export function lookupKey(rule: CompiledRule): Uint8Array {
  return rule.kind === 'parameter' ? rule.name : rule.from;
}

const isRun = Uint8Array.from({ length: 256 }, (_, byte) => (isRunByte(byte) ? 1 : 0));

/** `rules` in rank order: an index into it is what the lookup gives. */
export function createLookup(rules: readonly LookupRule[]): Lookup {
  const { groups, groupOfRule, always, sieve, slots, lists } = fileRules(rules);
  const { marks, isAsked } = sieve;
  const marksMask = marks.length - 1;
  const mask = slots.length / 2 - 1;
  const hasEvery = groupOfRule.includes(0);
  const found = new Int32Array(rules.length);
  const stampOf = new Uint32Array(rules.length);
  let stamp = 0;
  let count = 0;
  let group = -1;
  let least = 0;

  /** Adds the rules of a list, kept ascending by insertion: there are rarely more than three. */
  function take(list: number, owner: number): void {
    for (let at = list; lists[at]! >= 0; at++) {
      const rule = lists[at]!;
      if (rule < least || stampOf[rule] === stamp || groupOfRule[rule] !== owner) continue;
      stampOf[rule] = stamp;
      let place = count++;
      for (; place > 0 && found[place - 1]! > rule; place--) found[place] = found[place - 1]!;
      found[place] = rule;
    }
  }

  function askGroup(hash: number, owner: number): void {
    const key = keyOf(hash, owner);
    for (let slot = key & mask; slots[2 * slot + 1]! >= 0; slot = (slot + 1) & mask) {
      if (slots[2 * slot] === key) return take(slots[2 * slot + 1]!, owner);
    }
  }

  function begin(theGroup: number, theLeast: number): number {
    group = theGroup;
    least = theLeast;
    count = 0;
    if (stamp === 0xffff_ffff) {
      stampOf.fill(0);
      stamp = 0;
    }
    stamp++;
    if (hasEvery) take(always[0]!, 0);
    if (group > 0) take(always[group]!, group);
    return count;
  }

  function ask(hash: number): number {
    if (hasEvery) askGroup(hash, 0);
    if (group > 0) askGroup(hash, group);
    return count;
  }

  /** Cuts and hashes once, and asks for both groups. */
  function askTokens(url: Uint8Array, start: number, end: number): void {
    let hash = hashSeed;
    let runStart = start;
    for (let at = start; at < end; at++) {
      const byte = url[at]!;
      if (isRun[byte] === 1) {
        hash = Math.imul(hash ^ byte, hashFactor);
        continue;
      }
      if (at > runStart && marks[markOf(hash) & marksMask] === 1) ask(hash);
      if (isAsked[byte] === 1) ask(byteHash(byte));
      hash = hashSeed;
      runStart = at + 1;
    }
    if (end > runStart && marks[markOf(hash) & marksMask] === 1) ask(hash);
  }

  return {
    found,
    sieve,
    groupOf: (site) => groups.get(site) ?? -1,
    begin,
    ask,
    find(url, start, theGroup, theLeast, end = url.length) {
      begin(theGroup, theLeast);
      if (hasEvery || group > 0) askTokens(url, start, end);
      return count;
    },
  };
}
