// Which rule of a group decides about a path? The one with the longest pattern; among equally long ones, one that
// allows; among those, the first (RFC 9309, 2.2.2). A file and a URL may both be made to waste time, so no pattern
// becomes an expression:
//
//   /a/*b*c$    literal `/a/`, parts `b` and `c`, at the end: the leftmost `b` after the literal, then `c` at the end
//
// The leftmost place of a part leaves most room for the next one, so nothing is tried twice. Rules are found by their
// literals, which are sorted. The path begins with the last literal that does not sort after it, or with none, and with
// the parents of that literal:
//
//   literals   parent      path /a/x
//   /          -
//   /a/        /           ◀ begins it; the parent `/` too
//   /a/b       /a/
//   ───────────────────────  after the path
//
// Of many rules with one literal, such as `/*?id=1` and `/*?id=2`, all are tried whose _gram_ (the last three
// characters of their longest part) the path may have. Measured for 500 KiB of rules and URLs of 2 KiB: test/bench/attacks/robots.ts.

export interface Rule {
  readonly allows: boolean;
  /** A pattern in the form of `patternForm` or `requestForm`. */
  readonly pattern: string;
  /** The line number, from 1. */
  readonly line: number;
  /** The line as written, with escapes for bytes that are not printable ASCII. */
  readonly text: string;
}

/** Returns the rule that decides about a path in the form of `patternForm` or `requestForm`; undefined if no rule matches. */
export type Match = (path: string) => Rule | undefined;

interface Pattern {
  readonly rule: Rule;
  readonly literal: string;
  /** The text after each star. */
  readonly parts: readonly string[];
  readonly isAnchored: boolean;
  readonly gram: number;
}

/** Expects rules with different patterns. */
export function createMatch(rules: Iterable<Rule>): Match {
  const patternsOf = new Map<string, Pattern[]>();
  for (const rule of Array.from(rules).sort(byRank)) {
    const pattern = patternOf(rule);
    const others = patternsOf.get(pattern.literal);
    if (others === undefined) patternsOf.set(pattern.literal, [pattern]);
    else others.push(pattern);
  }
  const literals = Array.from(patternsOf.keys()).sort();
  const patterns = literals.map((literal) => patternsOf.get(literal)!);
  const parents = parentsOf(literals);
  const grams = new Uint8Array(GRAMS);

  return (path) => {
    markGrams(path, grams);
    let best: Rule | undefined;
    let at = lastUpTo(literals, path);
    const common = at < 0 ? 0 : commonLength(literals[at]!, path);
    for (; at >= 0; at = parents[at]!) {
      if (literals[at]!.length <= common) best = better(best, patterns[at]!, path, grams);
    }
    return best;
  };
}

/** Negative if `a` decides about paths that both match. */
function byRank(a: Rule, b: Rule): number {
  return b.pattern.length - a.pattern.length || Number(b.allows) - Number(a.allows) || a.line - b.line;
}

function patternOf(rule: Rule): Pattern {
  const isAnchored = rule.pattern.endsWith('$');
  const body = isAnchored ? rule.pattern.slice(0, -1) : rule.pattern;
  const [literal, ...parts] = body.replace(/\*+/g, '*').split('*') as [string, ...string[]];
  return { rule, literal, parts, isAnchored, gram: gramOf(parts) };
}

/** The first of the ordered patterns that matches and takes precedence over `best`; otherwise `best`. */
function better(best: Rule | undefined, patterns: readonly Pattern[], path: string, grams: Uint8Array) {
  for (const pattern of patterns) {
    if (best !== undefined && byRank(best, pattern.rule) < 0) return best;
    if (grams[pattern.gram] === 1 && matches(pattern, path)) return pattern.rule;
  }
  return best;
}

/** True if the pattern matches a path that begins with its literal. */
function matches({ literal, parts, isAnchored }: Pattern, path: string): boolean {
  let end = literal.length;
  if (parts.length === 0) return !isAnchored || end === path.length;
  const last = parts.length - 1;
  for (let k = 0; k < last; k++) {
    const at = path.indexOf(parts[k]!, end);
    if (at < 0) return false;
    end = at + parts[k]!.length;
  }
  if (!isAnchored) return path.includes(parts[last]!, end);
  return path.length - parts[last]!.length >= end && path.endsWith(parts[last]!);
}

const GRAMS = 1 << 16;
/** The gram of patterns with short parts only. Every path has it. */
const NO_GRAM = 0;

function gramOf(parts: readonly string[]): number {
  let longest = '';
  for (const part of parts) if (part.length > longest.length) longest = part;
  return longest.length < 3 ? NO_GRAM : gramAt(longest, longest.length - 3);
}

/** The number of a gram. Different grams may share one; then a pattern is tried in vain. */
function gramAt(text: string, at: number): number {
  return ((text.charCodeAt(at) << 10) ^ (text.charCodeAt(at + 1) << 5) ^ text.charCodeAt(at + 2)) & (GRAMS - 1);
}

function markGrams(path: string, grams: Uint8Array): void {
  grams.fill(0);
  grams[NO_GRAM] = 1;
  for (let at = 0; at + 3 <= path.length; at++) grams[gramAt(path, at)] = 1;
}

/** For each of the ordered literals, the longest other literal that it begins with, or -1. */
function parentsOf(literals: readonly string[]): Int32Array {
  const parents = new Int32Array(literals.length);
  for (let at = 0; at < literals.length; at++) {
    let parent = at - 1;
    while (parent >= 0 && !literals[at]!.startsWith(literals[parent]!)) parent = parents[parent]!;
    parents[at] = parent;
  }
  return parents;
}

/** The last literal that is not after the path, or -1. */
function lastUpTo(literals: readonly string[], path: string): number {
  let [low, high] = [0, literals.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (literals[middle]! <= path) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function commonLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a.charCodeAt(length) === b.charCodeAt(length)) length++;
  return length;
}
