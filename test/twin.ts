// Phases 1 and 2 of the paper and the ranking, as SPEC 3 to 5 define them, with maps and loops. It shares no code with
// the miner that it checks, and takes seconds for 5,000 URLs of 20 tokens.
//
// Text is latin1: one char per byte. START, END and the mark between α and β are chars above all bytes.
import type { Anchor } from '../src/rule/rule.js';

export interface TwinUrl {
  /** One char per byte. The URLs of one call are of one site and distinct. */
  readonly url: string;
  readonly min?: number;
  readonly max?: number;
  readonly sketch?: string;
}

export interface TwinPair {
  readonly anchor: Anchor;
  /** One char per byte, without START and END; `from` → `to` shrinks. */
  readonly from: string;
  readonly to: string;
  readonly low: number;
  readonly high: number;
  readonly against: number;
}

export interface TwinPairOptions {
  readonly S: number;
  readonly T_low: number;
  readonly T_high: number;
  readonly MS: number;
  readonly similarity: boolean;
}

const START = '\u0100';
const END = '\u0101';
const AND = '\u0102';

/** SPEC 3: the pairs of at least MS instances in small buckets, in the order of (α, β). */
export function twinPairs(urls: readonly TwinUrl[], options: TwinPairOptions): TwinPair[] {
  if (new Set(urls.map(({ url }) => url)).size < urls.length) throw new Error('a URL stands in the list twice');
  // Most pairs have one instance. They are counted out first, so that only the others need sets.
  const atMost = new Map<string, number>();
  for (const { pair, kind } of instancesOf(urls, options)) {
    atMost.set(pair, (atMost.get(pair) ?? 0) + (kind === 'low' ? 1 : 0));
  }
  const supports = new Map<string, { low: Set<string>; high: Set<string>; against: Set<string> }>();
  for (const { pair, kind, rows } of instancesOf(urls, options)) {
    if (atMost.get(pair)! < options.MS) continue;
    const support = supports.get(pair) ?? { low: new Set(), high: new Set(), against: new Set() };
    supports.set(pair, support);
    support[kind].add(rows);
  }
  const pairs: TwinPair[] = [];
  for (const [pair, { low, high, against }] of supports) {
    const [alpha, beta] = pair.split(AND) as [string, string];
    if (low.size >= options.MS) pairs.push(shown(alpha, beta, low.size, high.size, against.size));
  }
  return pairs.sort(byText);
}

/** Every two substrings of every bucket that does not overflow; several times if they count for several kinds. */
function* instancesOf(
  urls: readonly TwinUrl[],
  { S, T_low, T_high, similarity }: TwinPairOptions,
): Generator<{ pair: string; kind: 'low' | 'high' | 'against'; rows: string }> {
  const splits = urls.map(split);
  for (const bucket of bucketsOf(splits, S)) {
    if (bucket.length > T_high) continue;
    for (const a of bucket) {
      for (const b of bucket) {
        if (!shrinks(a.substring, b.substring) || areTrap(splits[a.row]!.tokens, splits[b.row]!.tokens)) continue;
        const found = { pair: a.substring + AND + b.substring, rows: `${a.row} ${b.row}` };
        const similar = !similarity || isSimilar(urls[a.row]!, urls[b.row]!);
        if (similar) yield { ...found, kind: 'high' };
        if (bucket.length <= T_low) yield { ...found, kind: similar ? 'low' : 'against' };
      }
    }
  }
}

/** SPEC 3.4: the URLs that would be instances of some pair, if they were not of a crawler trap. */
export function twinTraps(urls: readonly TwinUrl[], { S, T_low, T_high, similarity }: TwinPairOptions): string[] {
  const found = new Set<number>();
  const splits = urls.map(split);
  for (const bucket of bucketsOf(splits, S)) {
    if (bucket.length > T_high) continue;
    for (const a of bucket) {
      for (const b of bucket) {
        const [u, v] = [urls[a.row]!, urls[b.row]!];
        if (a.row === b.row || found.has(a.row)) continue;
        if (!areTrap(splits[a.row]!.tokens, splits[b.row]!.tokens)) continue;
        if (bucket.length <= T_low || !similarity || isSimilar(u, v)) found.add(a.row);
      }
    }
  }
  return [...found].map((row) => urls[row]!.url);
}

/** SPEC 3.4: the common first and last tokens are more than 16 more than the shorter URL has. */
export function isTrap(a: string, b: string): boolean {
  return areTrap(tokensOf(START + a + END), tokensOf(START + b + END));
}

function areTrap(u: Tokens, v: Tokens): boolean {
  return sharedFirst(u, v) + sharedLast(u, v) - Math.min(u.length, v.length) > 16;
}

function sharedFirst(u: Tokens, v: Tokens): number {
  let shared = 0;
  while (shared < u.length && u[shared] === v[shared]) shared++;
  return shared;
}

function sharedLast(u: Tokens, v: Tokens): number {
  let shared = 0;
  while (shared < u.length && u.at(-1 - shared) === v.at(-1 - shared)) shared++;
  return shared;
}

interface Split {
  readonly text: string;
  readonly tokens: Tokens;
  /** The chars before each token, and those of the whole text. */
  readonly offsets: readonly number[];
}

function split({ url }: TwinUrl): Split {
  const text = START + url + END;
  const tokens = tokensOf(text);
  const offsets = [0];
  for (const token of tokens) offsets.push(offsets.at(-1)! + token.length);
  return { text, tokens, offsets };
}

/** The substrings of 0 … S tokens with the same prefix and the same suffix, two or more, prefix by prefix. */
function* bucketsOf(splits: readonly Split[], S: number): Generator<{ substring: string; row: number }[]> {
  const byPrefix = new Map<string, { row: number; i: number }[]>();
  splits.forEach(({ text, offsets }, row) => {
    offsets.forEach((offset, i) => push(byPrefix, text.slice(0, offset), { row, i }));
  });
  for (const places of byPrefix.values()) {
    if (places.length < 2) continue;
    const bySuffix = new Map<string, { substring: string; row: number }[]>();
    for (const { row, i } of places) {
      const { text, tokens, offsets } = splits[row]!;
      for (let j = i; j <= Math.min(i + S, tokens.length); j++) {
        push(bySuffix, text.slice(offsets[j]), { substring: text.slice(offsets[i], offsets[j]), row });
      }
    }
    for (const bucket of bySuffix.values()) if (bucket.length > 1) yield bucket;
  }
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

/** SPEC 3: equal digests, or sketches with a resemblance of 0.9; else sizes that overlap, or are unknown. */
export function isSimilar(a: TwinUrl, b: TwinUrl): boolean {
  const [labelA, labelB] = [a, b].map(({ sketch }) => (sketch === undefined || isDamaged(sketch) ? undefined : sketch));
  if (labelA !== undefined && labelB !== undefined) return labelA === labelB || readAlike(labelA, labelB);
  if (a.min === undefined || a.max === undefined || b.min === undefined || b.max === undefined) return true;
  return a.min <= b.max && b.min <= a.max;
}

/** CS345: the share of common minima among the s smallest of both; of all of them if both are complete. */
function readAlike(a: string, b: string): boolean {
  const [sketchA, sketchB] = [minimaOf(a), minimaOf(b)];
  if (sketchA === undefined || sketchB === undefined || sketchA.w !== sketchB.w) return false;
  const sizes = [sketchA, sketchB].filter(({ s, minima }) => minima.length === s).map(({ s }) => s);
  const union = [...new Set([...sketchA.minima, ...sketchB.minima])].sort().slice(0, Math.min(...sizes, 1000));
  const shared = union.filter((hex) => sketchA.minima.includes(hex) && sketchB.minima.includes(hex));
  return shared.length * 10 >= union.length * 9;
}

/** A label that begins like a sketch and is none counts as none. */
function isDamaged(label: string): boolean {
  return label.startsWith('db1-') && minimaOf(label) === undefined;
}

/** Fingerprints as ten hex digits. */
function minimaOf(text: string): { w: string; s: number; minima: string[] } | undefined {
  const [version, w, s, count, ...rest] = text.split('-');
  const digits = Buffer.from(rest.join('-'), 'base64url').toString('hex');
  const minima = digits.match(/.{10}/g) ?? [];
  const isSketch = /^db1(-[1-9]\d*){2}-(0|[1-9]\d*)-[\w-]*$/.test(text) && minima.join('') === digits;
  const isWhole = String(minima.length) === count && text.endsWith(Buffer.from(digits, 'hex').toString('base64url'));
  const isSorted = minima.every((hex, k) => k === 0 || minima[k - 1]! < hex);
  if (version !== 'db1' || !isSketch || !isWhole || !isSorted || minima.length > Number(s)) return undefined;
  return { w: w!, s: Number(s), minima };
}

/** SPEC 4: the list in order, then the paper's Figure 2; returns the rest, in that order. */
export function twinLikely(
  pairs: readonly TwinPair[],
  { MRD, MAD, MW }: { readonly MRD: number; readonly MAD: number; readonly MW: number },
): TwinPair[] {
  const list = pairs.map((pair) => {
    const [alpha, beta] = [withEnds(pair.from, pair.anchor), withEnds(pair.to, pair.anchor)];
    const total = codePoints(alpha) + codePoints(beta);
    return { pair, high: pair.high, total, alpha: tokensOf(alpha), beta: tokensOf(beta), eliminated: false };
  });
  list.sort((a, b) => b.high - a.high || b.total - a.total || byText(a.pair, b.pair));
  for (let i = 0; i < list.length; i++) {
    const upper = list[i]!;
    if (upper.eliminated) continue;
    for (let j = i + 1; j <= i + MW && j < list.length; j++) {
      const lower = list[j]!;
      if (upper.high - lower.high > Math.max(MRD * upper.high, MAD)) break;
      if (lower.eliminated) continue;
      if (refines(upper, lower)) lower.eliminated = true;
      else if (refines(lower, upper)) {
        upper.eliminated = true;
        break;
      }
    }
  }
  return list.filter(({ eliminated }) => !eliminated).map(({ pair }) => pair);
}

type Tokens = readonly string[];

interface Sides {
  readonly alpha: Tokens;
  readonly beta: Tokens;
}

/** Lemma 5.3: α' = γαδ and β' = γβδ, as tokens, for some occurrence of α in α'; or so with α and β exchanged. */
function refines(fine: Sides, broad: Sides): boolean {
  return (
    hasReplacement(fine.alpha, broad.alpha, broad.beta, fine.beta) ||
    hasReplacement(fine.alpha, broad.beta, broad.alpha, fine.beta)
  );
}

function hasReplacement(text: Tokens, from: Tokens, to: Tokens, wanted: Tokens): boolean {
  const same = (a: Tokens, b: Tokens) => a.length === b.length && a.every((token, k) => token === b[k]);
  for (let at = 0; at + from.length <= text.length; at++) {
    if (!same(text.slice(at, at + from.length), from)) continue;
    if (same([...text.slice(0, at), ...to, ...text.slice(at + from.length)], wanted)) return true;
  }
  return false;
}

/**
 * SPEC 5: `confidence` is the lower end of the interval, weighted with the support. Likeliness uses `confidences`, in
 * steps of a fiftieth.
 */
export function twinRank<P extends TwinPair>(
  pairs: readonly P[],
  rank: 'likeliness' | 'confidence' | 'support',
  confidences: readonly number[] = [],
): P[] {
  const weights = new Map(
    pairs.map((pair, k) => {
      if (rank === 'support') return [pair, pair.low];
      if (rank === 'confidence') return [pair, wilson(pair.low, pair.low + pair.against) * Math.log2(1 + pair.low)];
      return [pair, Math.round(confidences[k]! * 50)];
    }),
  );
  return [...pairs].sort((a, b) => weights.get(b)! - weights.get(a)! || b.low - a.low || byText(a, b));
}

/** Lower end of the Wilson interval for k successes of n, by default that of 95 %. */
export function wilson(k: number, n: number, z = 1.959963984540054): number {
  if (n === 0) return 0;
  const p = k / n;
  const centre = p + (z * z) / (2 * n);
  const spread = z * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n));
  return Math.max(0, (centre - spread) / (1 + (z * z) / n));
}

function tokensOf(text: string): string[] {
  return text.match(/%[A-Fa-f0-9]{2}|[A-Za-z0-9\x80-\xff]+|[^]/g) ?? [];
}

/** SPEC 1: α is longer than β in code points, or as long and later. */
export function shrinks(alpha: string, beta: string): boolean {
  return (
    codePoints(alpha) - codePoints(beta) > 0 || (codePoints(alpha) === codePoints(beta) && byBytes(alpha, beta) > 0)
  );
}

const CODE_POINT = new RegExp(
  [
    /[\xc2-\xdf][\x80-\xbf]/,
    /\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]/,
    /\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}/,
    /[^]/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);

/** Well-formed UTF-8 sequences (RFC 3629), and each of the other bytes, START and END. */
function codePoints(text: string): number {
  return /[\x80-\xff]/.test(text) ? text.match(CODE_POINT)!.length : text.length;
}

/** UTF-8 in byte order is in code-point order; START, then END, come before every byte. */
function byBytes(a: string, b: string): number {
  const valueAt = (text: string, k: number) => (text[k] === START ? -2 : text[k] === END ? -1 : text.charCodeAt(k));
  for (let k = 0; k < Math.min(a.length, b.length); k++) {
    if (a[k] !== b[k]) return valueAt(a, k) - valueAt(b, k);
  }
  return a.length - b.length;
}

function byText(a: TwinPair, b: TwinPair): number {
  const byAlpha = byBytes(withEnds(a.from, a.anchor), withEnds(b.from, b.anchor));
  return byAlpha || byBytes(withEnds(a.to, a.anchor), withEnds(b.to, b.anchor));
}

function withEnds(text: string, anchor: Anchor): string {
  const start = anchor === 'start' || anchor === 'both' ? START : '';
  const end = anchor === 'end' || anchor === 'both' ? END : '';
  return start + text + end;
}

function shown(alpha: string, beta: string, low: number, high: number, against: number): TwinPair {
  const [atStart, atEnd] = [alpha.startsWith(START), alpha.endsWith(END)];
  const anchor = atStart && atEnd ? 'both' : atStart ? 'start' : atEnd ? 'end' : 'none';
  const bare = (text: string) => text.slice(atStart ? 1 : 0, atEnd ? -1 : undefined);
  return { anchor, from: bare(alpha), to: bare(beta), low, high, against };
}
