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
// `http://a/x/story.html` asks for http, a, x, story, html and, as rule 3 is there, for the bytes : / . as well, and gets
// 2, 3 and 4. A key is a hash of site and token. Two keys may collide: then a rule is tried in vain, for only the bytes
// decide whether it matches. The cost of a URL is its own length and the few rules found, however many sites there are.
//
// How the keys are kept is said in `filing.ts`.
import { isRunByte } from '../url/token.js';
import type { CompiledRule } from './apply.js';
import { byteHash, fileRules, hashFactor, hashSeed, keyOf, type LookupRule } from './filing.js';

export interface Lookup {
  /** A number for a site, to be handed to `find`: 0 for `*`, -1 for a site without rules. */
  groupOf(site: string): number;
  /**
   * Puts the indexes, ascending, of the rules from `least` up that can touch `url` into `found` and returns how many.
   * They are those of the group and those of `*`; the URL is looked at from `start`.
   */
  find(url: Uint8Array, start: number, group: number, least: number): number;
  readonly found: Int32Array;
}

/** The text of a rule. No field has part of a token for its name: what stands around a name are separators and `=`. */
export function lookupKey(rule: CompiledRule): Uint8Array {
  return rule.kind === 'parameter' ? rule.name : rule.from;
}

const isRun = Uint8Array.from({ length: 256 }, (_, byte) => (isRunByte(byte) ? 1 : 0));

/** `rules` in rank order: an index into it is what the lookup gives. */
export function createLookup(rules: readonly LookupRule[]): Lookup {
  const { groups, groupOfRule, always, hasBytes, slots, lists } = fileRules(rules);
  const mask = slots.length / 2 - 1;
  const hasEvery = groupOfRule.includes(0);
  const found = new Int32Array(rules.length);
  const stampOf = new Uint32Array(rules.length);
  let stamp = 0;
  let count = 0;

  /** Adds the rules of a list, kept ascending by insertion: there are rarely more than three. */
  function take(list: number, group: number, least: number): void {
    for (let at = list; lists[at]! >= 0; at++) {
      const rule = lists[at]!;
      if (rule < least || stampOf[rule] === stamp || groupOfRule[rule] !== group) continue;
      stampOf[rule] = stamp;
      let place = count++;
      for (; place > 0 && found[place - 1]! > rule; place--) found[place] = found[place - 1]!;
      found[place] = rule;
    }
  }

  function ask(hash: number, group: number, least: number): void {
    const key = keyOf(hash, group);
    for (let slot = key & mask; slots[2 * slot + 1]! >= 0; slot = (slot + 1) & mask) {
      if (slots[2 * slot] === key) return take(slots[2 * slot + 1]!, group, least);
    }
  }

  /** Cuts and hashes once, and asks for both groups: this loop is most of what a lookup costs. */
  function askTokens(url: Uint8Array, start: number, group: number, least: number): void {
    const bytesToo = (hasEvery && hasBytes[0] === 1) || (group > 0 && hasBytes[group] === 1);
    let hash = hashSeed;
    let inRun = false;
    for (let at = start; at < url.length; at++) {
      const byte = url[at]!;
      if (isRun[byte] === 1) {
        hash = Math.imul(hash ^ byte, hashFactor);
        inRun = true;
        continue;
      }
      if (inRun) askBoth(hash, group, least);
      if (bytesToo) askBoth(byteHash(byte), group, least);
      hash = hashSeed;
      inRun = false;
    }
    if (inRun) askBoth(hash, group, least);
  }

  function askBoth(hash: number, group: number, least: number): void {
    if (hasEvery) ask(hash, 0, least);
    if (group > 0) ask(hash, group, least);
  }

  return {
    found,
    groupOf: (site) => groups.get(site) ?? -1,
    find(url, start, group, least) {
      count = 0;
      if (stamp === 0xffff_ffff) {
        stampOf.fill(0);
        stamp = 0;
      }
      stamp++;
      if (hasEvery) take(always[0]!, 0, least);
      if (group > 0) take(always[group]!, group, least);
      if (hasEvery || group > 0) askTokens(url, start, group, least);
      return count;
    },
  };
}
