// Which few of very many rules can change a URL? An inverted index from tokens to rules.
//
// A rule can only match if all tokens of its text occur: of `from`, of the name of the parameter, or what a step needs
// (`?`, `;`). So each rule is filed once, under one of these tokens: the rarest among the rules of its site, ties to
// the longest. A lookup cuts the URL into tokens and looks up each. With
//
//     site a   1  /index.html → /       filed under `index` (as `html` is in two rules)
//              2  story.html  → story_  filed under `story`
//              3  //          → /       filed under `/`: there is only punctuation
//              4  (end)       → /       filed under no token: tried on every URL of the site
//
// `http://a/x/story.html` looks up http, a, x, story, html and, because of rule 3, also `/`, and finds 2, 3 and 4.
// `http://a/x/story/1` would not find 2, as the rest of the text has to occur around the token. A key is a hash of site
// and token. If two keys collide, a text is compared needlessly. The cost of a URL is its own length and the few rules
// found, however many sites there are. Most tokens are not in any rule; a Bloom filter, the sieve, excludes them before
// any key is looked up.
//
// `filing.ts` has the layout of the index.
import { chained, FNV_SEED } from '../base/hash.js';
import { isEscape, isRunByte } from '../url/token.js';
import type { CompiledRule } from './apply.js';
import { byteHash, endsOf, fileRules, keyOf, lengthBit, markOf, type Filing, type LookupRule } from './filing.js';
import { stepKey } from './step.js';

export interface Lookup {
  /** The number of a site, for `find`: 0 for `*`, -1 for a site without rules. */
  groupOf(site: string): number;
  /**
   * Finds rules that may change a URL that begins with url[start, end): rules of the group and of `*`, from index
   * `least` on. Writes their indexes to `found`, ascending, and returns how many there are. The text of such a rule may
   * continue after `end`.
   */
  find(url: Uint8Array, start: number, group: number, least: number, end?: number): number;
  readonly found: Int32Array;
  readonly filing: Filing;
}

/**
 * The text that must occur in a URL, as whole tokens, for the rule to change it; a rule without such a text is filed
 * under no token. The name of a field never begins or ends inside a token, as separators and `=` surround it.
 * Conditions are tested when the rule is tried, and are not part of the text: a change anywhere in the URL may make
 * them true.
 */
export function lookupKey(rule: CompiledRule): Uint8Array {
  switch (rule.kind) {
    case 'substring':
      return rule.from;
    case 'parameter':
      return rule.name;
    case 'step':
      return stepKey(rule);
    case 'pattern':
      return rule.key;
    default:
      return rule satisfies never;
  }
}

/** Up to this number, rules are inserted in order. More rules are sorted once, after all are found. */
const MOST_INSERTED = 64;

const isRun = Uint8Array.from({ length: 256 }, (_, byte) => (isRunByte(byte) ? 1 : 0));

/** `rules` in rank order: the lookup returns indexes into it. */
export function createLookup(rules: readonly LookupRule[]): Lookup {
  const filing = fileRules(rules);
  const { groups, groupOfRule, always, sieve, slots, lists, texts, textStart, tokenAt } = filing;
  const { runs, marks, isAsked } = sieve;
  const marksMask = marks.length - 1;
  const mask = slots.length / 2 - 1;
  const hasEvery = groupOfRule.includes(0);
  const found = new Int32Array(rules.length);
  const stampOf = new Uint32Array(rules.length);
  let stamp = 0;
  let count = 0;
  let isAscending = true;
  let group = -1;
  let least = 0;

  /** Inserts a rule in order while there are few. There are rarely more than three. */
  function add(rule: number): void {
    stampOf[rule] = stamp;
    let place = count++;
    if (place >= MOST_INSERTED) isAscending &&= found[place - 1]! < rule;
    else for (; place > 0 && found[place - 1]! > rule; place--) found[place] = found[place - 1]!;
    found[place] = rule;
  }

  function sort(): void {
    if (isAscending) return;
    found.subarray(0, count).sort();
    isAscending = true;
  }

  function takeAlways(list: number): void {
    for (let at = list; lists[at]! >= 0; at++) if (lists[at]! >= least) add(lists[at]!);
  }

  /** True if the rule's text surrounds its token at `at`, as far as url[start, end) goes. */
  function standsAround(rule: number, url: Uint8Array, at: number, start: number, end: number): boolean {
    const textAt = textStart[rule]!;
    const shift = at - tokenAt[rule]! - textAt;
    if (textAt + shift < start) return false;
    const last = Math.min(textStart[rule + 1]!, end - shift);
    for (let k = textAt; k < last; k++) if (texts[k] !== url[k + shift]) return false;
    return true;
  }

  function askGroup(hash: number, owner: number, url: Uint8Array, at: number, start: number, end: number): void {
    const key = keyOf(hash, owner);
    let slot = key & mask;
    while (slots[2 * slot + 1]! >= 0 && slots[2 * slot] !== key) slot = (slot + 1) & mask;
    const list = slots[2 * slot + 1]!;
    if (list < 0) return;
    for (let next = list; lists[next]! >= 0; next++) {
      const rule = lists[next]!;
      if (rule < least || stampOf[rule] === stamp || groupOfRule[rule] !== owner) continue;
      if (standsAround(rule, url, at, start, end)) add(rule);
    }
  }

  function reset(theGroup: number, theLeast: number): void {
    group = theGroup;
    least = theLeast;
    count = 0;
    isAscending = true;
    if (stamp === 0xffff_ffff) {
      stampOf.fill(0);
      stamp = 0;
    }
    stamp++;
  }

  function ask(hash: number, url: Uint8Array, at: number, start: number, end: number): void {
    if (hasEvery) askGroup(hash, 0, url, at, start, end);
    if (group > 0) askGroup(hash, group, url, at, start, end);
  }

  function askRun(url: Uint8Array, runStart: number, runEnd: number, start: number, end: number): void {
    const hash = chained(FNV_SEED, url, runStart, runEnd);
    if (marks[markOf(hash) & marksMask] === 1) ask(hash, url, runStart, start, end);
  }

  function askTokens(url: Uint8Array, start: number, end: number): void {
    for (let at = start; at < end; at++) {
      const runStart = at;
      while (at < end && isRun[url[at]!] === 1) at++;
      const isFiled = at > runStart && (runs[endsOf(url[runStart]!, url[at - 1]!)]! & lengthBit(at - runStart)) !== 0;
      if (isFiled) askRun(url, runStart, at, start, end);
      if (at < end && isAsked[url[at]!] === 1) ask(byteHash(url[at]!), url, at, start, end);
      if (isEscape(url, at, end)) at += 2;
    }
  }

  return {
    found,
    filing,
    groupOf: (site) => groups.get(site) ?? -1,
    find(url, start, theGroup, theLeast, end = url.length) {
      reset(theGroup, theLeast);
      if (hasEvery) takeAlways(always[0]!);
      if (group > 0) takeAlways(always[group]!);
      if (hasEvery || group > 0) askTokens(url, start, end);
      sort();
      return count;
    },
  };
}
