// Counts of two groups of rules, in words: keys that may mean money or choice, and rules that are still undecided.
import { agreeing, many } from '../base/amounts.js';
import { printable } from '../base/bytes.js';
import { wilsonLower } from '../mine/rank.js';
import { heldNames, heldReason, writeAdvice } from '../rule/held-back.js';
import type { Rule } from '../rule/rule.js';
import { isCandidate, isVetoed } from '../rule/standing.js';
import { masked } from '../url/secret.js';

/**
 * Such as `changes no text, but may mean money or choice (aff); --write aff or pin writes it`; undefined for other
 * rules.
 */
export function heldWords(rule: Rule): string | undefined {
  const reason = heldReason(rule);
  return reason === undefined ? undefined : printable(`${reason}; ${writeAdvice(heldNames(rule))}`);
}

/**
 * The merges of a rule that clusters decided on, and the wrong ones with examples: `by clusters: 40 right merges, 4 wrong,
 * 20.5 % at most: /a?x=1 ⇸ /a`. The bound is that of 95 % confidence. Undefined for rules of another source.
 */
export function clusterWords({ verdict }: Rule): string | undefined {
  if (verdict?.source !== 'clusters') return undefined;
  const { positive, negative, negatives } = verdict;
  const most = (100 * (1 - wilsonLower(positive, negative))).toFixed(1);
  const pairs = negatives.map(([url, form]) => `${masked(url)} ⇸ ${masked(form)}`);
  const shown = pairs.length === 0 ? '' : `: ${pairs.join(', ')}`;
  return printable(
    `by clusters: ${positive} right ${agreeing(positive, 'merge', 'merges')}, ${negative} wrong, ${most} % at most${shown}`,
  );
}

/** How many names a line lists. */
const MOST_NAMED = 12;

/** Counts keys that may mean money or choice, one at a time, as there may be very many. */
export class HeldCount {
  #rules = 0;
  readonly #names = new Set<string>();

  add(rule: Rule): void {
    const names = isDecided(rule) ? [] : heldNames(rule);
    if (names.length === 0) return;
    this.#rules++;
    for (const name of names) this.#names.add(name);
  }

  /** A line about the counted rules, with its newline; '' if there are none. */
  line(): string {
    if (this.#rules === 0) return '';
    const all = [...this.#names].sort();
    const named = `${all.slice(0, MOST_NAMED).join(', ')}${all.length > MOST_NAMED ? ', …' : ''}`;
    const [who, are, them] =
      this.#rules === 1 ? ['1 rule', 'is a key', 'it'] : [`${this.#rules} rules`, 'are keys', 'them'];
    return printable(
      `${who} may mean money or choice (${named}) and ${are}, used by canonize --unique, caches and crawlers, not by ` +
        `redirects; --write NAME or pin writes ${them}`,
    ).concat('\n');
  }
}

/** True for a rule that nobody has to decide on any more. */
export function isDecided(rule: Rule): boolean {
  return rule.status === 'invalid' || isVetoed(rule);
}

/** A line about the held-back ones of these rules. */
export function heldLine(rules: Iterable<Rule>): string {
  const count = new HeldCount();
  for (const rule of rules) count.add(rule);
  return count.line();
}

/**
 * The rules that pages have not decided on, in words. As in tables, rules of little confidence are candidates: `1
 * likely rule and 43 candidates`.
 */
export function openWords(rules: readonly Rule[]): string {
  const candidates = rules.filter(isCandidate).length;
  const likely = rules.length - candidates;
  const parts = [
    ...(likely > 0 ? [many(likely, 'likely rule')] : []),
    ...(candidates > 0 ? [many(candidates, 'candidate')] : []),
  ];
  return parts.join(' and ');
}
