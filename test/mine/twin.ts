// The naive twin of phases 1 and 2: Figures 1 and 2 as SPEC 3 and 4 say them, in maps and loops, and nothing of src.
// Strings are latin1, a char a byte; START and END are the characters U+0100 and U+0101.
export interface TwinUrl {
  readonly url: string;
  readonly min?: number;
  readonly max?: number;
  readonly sketch?: string;
}

export interface TwinPair {
  readonly from: string;
  readonly to: string;
  readonly low: number;
  readonly high: number;
  readonly against: number;
}

export interface TwinOptions {
  readonly S: number;
  readonly T_low: number;
  readonly T_high: number;
  readonly MS: number;
  readonly similarity: boolean;
}

const START = '\u0100';
const END = '\u0101';

export function twinTokens(text: string): string[] {
  return text.match(/[0-9A-Za-z\u0080-\u00ff]+|[^]/g) ?? [];
}

/** START and END before every byte; bytes in UTF-8 sort as code points do. */
function sortable(text: string): string {
  return Array.from(text, (char) => {
    const code = char.charCodeAt(0);
    return String.fromCharCode(code === 0x100 ? 0 : code === 0x101 ? 1 : code + 2);
  }).join('');
}

/** Well-formed UTF-8 sequences, or else single bytes: a byte that is no UTF-8 counts as one code point. */
function codePoints(text: string): number {
  const sequences =
    /[\u00c2-\u00df][\u0080-\u00bf]|\u00e0[\u00a0-\u00bf][\u0080-\u00bf]|\u00ed[\u0080-\u009f][\u0080-\u00bf]|[\u00e1-\u00ec\u00ee\u00ef][\u0080-\u00bf]{2}|\u00f0[\u0090-\u00bf][\u0080-\u00bf]{2}|[\u00f1-\u00f3][\u0080-\u00bf]{3}|\u00f4[\u0080-\u008f][\u0080-\u00bf]{2}|[^]/g;
  return (text.match(sequences) ?? []).length;
}

export function shrinks(a: string, b: string): boolean {
  const longer = codePoints(a) - codePoints(b);
  return longer > 0 || (longer === 0 && sortable(a) > sortable(b));
}

function isSimilar(a: TwinUrl, b: TwinUrl): boolean {
  if (a.sketch !== undefined && b.sketch !== undefined) return a.sketch === b.sketch;
  if (a.min === undefined || b.min === undefined) return true;
  return a.min <= b.max! && b.min <= a.max!;
}

/** Figure 1: pairs with low >= MS, `from` and `to` with their START and END. Support is of distinct pairs of URLs. */
export function twinPairs(urls: readonly TwinUrl[], options: TwinOptions): TwinPair[] {
  const buckets = new Map<string, { readonly substring: string; readonly id: number }[]>();
  urls.forEach(({ url }, id) => {
    const tokens = [START, ...twinTokens(url), END];
    for (let i = 0; i <= tokens.length; i++) {
      for (let end = i; end <= Math.min(tokens.length, i + options.S); end++) {
        const envelope = `${tokens.slice(0, i).join('')}\u0200${tokens.slice(end).join('')}`;
        const bucket = buckets.get(envelope);
        const entry = { substring: tokens.slice(i, end).join(''), id };
        if (bucket === undefined) buckets.set(envelope, [entry]);
        else bucket.push(entry);
      }
    }
  });
  const rules = new Map<string, { low: Set<string>; high: Set<string>; against: Set<string> }>();
  for (const bucket of buckets.values()) {
    if (bucket.length < 2 || bucket.length > options.T_high) continue;
    for (const x of bucket) {
      for (const y of bucket) {
        if (x === y || !shrinks(x.substring, y.substring)) continue;
        const key = `${x.substring}\u0200${y.substring}`;
        let rule = rules.get(key);
        if (rule === undefined) rules.set(key, (rule = { low: new Set(), high: new Set(), against: new Set() }));
        const instance = `${x.id} ${y.id}`;
        const isLow = bucket.length <= options.T_low;
        const yes = !options.similarity || isSimilar(urls[x.id]!, urls[y.id]!);
        if (yes) rule.high.add(instance);
        if (yes && isLow) rule.low.add(instance);
        if (!yes && isLow) rule.against.add(instance);
      }
    }
  }
  return Array.from(rules, ([key, { low, high, against }]) => {
    const [from, to] = key.split('\u0200') as [string, string];
    return { from, to, low: low.size, high: high.size, against: against.size };
  }).filter((pair) => pair.low >= options.MS);
}

/** Lemma 5.3 for pairs: γαδ → γβδ in either orientation, tried at every occurrence of α on tokens. */
export function twinRefines(fine: TwinPair, broad: TwinPair): boolean {
  return isRefinement(fine, broad.from, broad.to) || isRefinement(fine, broad.to, broad.from);
}

function isRefinement(fine: TwinPair, alpha: string, beta: string): boolean {
  const tokens = withEnds(fine.from);
  const part = withEnds(alpha);
  for (let at = 0; at + part.length <= tokens.length; at++) {
    if (part.some((token, k) => tokens[at + k] !== token)) continue;
    const replaced = [...tokens.slice(0, at), ...withEnds(beta), ...tokens.slice(at + part.length)];
    if (replaced.join('\u0200') === withEnds(fine.to).join('\u0200')) return true;
  }
  return false;
}

function withEnds(side: string): string[] {
  return side.match(/[0-9A-Za-z\u0080-\u00ff]+|[^]/g) ?? [];
}

/** Figure 2 on pairs, in its order (SPEC 4). */
export function twinLikely(
  pairs: readonly TwinPair[],
  { MRD, MAD, MW }: { readonly MRD: number; readonly MAD: number; readonly MW: number },
): TwinPair[] {
  const total = (pair: TwinPair) => codePoints(pair.from) + codePoints(pair.to);
  const R = pairs.toSorted(
    (a, b) => b.high - a.high || total(b) - total(a) || compare(a.from, b.from) || compare(a.to, b.to),
  );
  const gone = new Set<TwinPair>();
  for (let i = 0; i < R.length; i++) {
    const first = R[i]!;
    if (gone.has(first)) continue;
    for (let j = 1; j <= Math.min(MW, R.length - 1 - i); j++) {
      const other = R[i + j]!;
      if (first.high - other.high > Math.max(MRD * first.high, MAD)) break;
      if (gone.has(other)) continue;
      if (twinRefines(first, other)) gone.add(other);
      else if (twinRefines(other, first)) {
        gone.add(first);
        break;
      }
    }
  }
  return R.filter((pair) => !gone.has(pair));
}

function compare(a: string, b: string): number {
  const [x, y] = [sortable(a), sortable(b)];
  return x < y ? -1 : x > y ? 1 : 0;
}

/** SPEC 5: the lower Wilson bound times log2(1 + low), or low; then low; then (α, β). */
export function twinRanked(pairs: readonly TwinPair[], rank: 'confidence' | 'support'): TwinPair[] {
  const score = ({ low, against }: TwinPair) => {
    if (rank === 'support') return low;
    const [n, z] = [low + against, 1.959963984540054];
    const p = low / n;
    const root = z * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n));
    return ((p + (z * z) / (2 * n) - root) / (1 + (z * z) / n)) * Math.log2(1 + low);
  };
  return pairs.toSorted(
    (a, b) => score(b) - score(a) || b.low - a.low || compare(a.from, b.from) || compare(a.to, b.to),
  );
}
