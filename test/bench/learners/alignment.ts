// Which tokens of URLs stand for the same part? Sequences are aligned in pairs (Needleman and Wunsch), and several
// sequences progressively, the most alike first, as DUSTER has it: a position of the consensus holds the set of tokens
// that were aligned there, with GAP where a sequence has none.
//
//   http : / / a / story ? id = 12
//   http : / / a / story ? id = 12 & sid = 9      the consensus ends in {&, GAP} {sid, GAP} {=, GAP} {9, GAP}
export const GAP = '';

export type Position = ReadonlySet<string>;
export type Sequence = readonly Position[];

const OPEN = -0.5;
/** A gap at one of these moves whole parts of the URL. */
const STRUCTURE = /^[/?&]$/;

export function tokensOf(url: string): string[] {
  return url.match(/[\p{L}\p{N}]+|[^\p{L}\p{N}]/gu) ?? [];
}

export function sequenceOf(url: string): Sequence {
  return tokensOf(url).map((token) => new Set([token]));
}

export interface Aligned {
  readonly score: number;
  readonly consensus: Sequence;
}

/** The best alignment; of equal ones, tokens face each other rather than gaps. */
export function align(x: Sequence, y: Sequence): Aligned {
  const width = y.length + 1;
  const best = new Float64Array((x.length + 1) * width);
  const step = new Uint8Array(best.length); // 0: both, 1: only x, 2: only y
  const [gapsX, gapsY] = [x.map(gapScore), y.map(gapScore)];
  for (let i = 1; i <= x.length; i++) set(i, 0, best[(i - 1) * width]! + gapsX[i - 1]!, 1);
  for (let j = 1; j <= y.length; j++) set(0, j, best[j - 1]! + gapsY[j - 1]!, 2);
  for (let i = 1; i <= x.length; i++) {
    for (let j = 1; j <= y.length; j++) {
      const both = best[(i - 1) * width + j - 1]! + likeness(x[i - 1]!, y[j - 1]!);
      const onlyX = best[(i - 1) * width + j]! + gapsX[i - 1]!;
      const onlyY = best[i * width + j - 1]! + gapsY[j - 1]!;
      if (both >= onlyX && both >= onlyY) set(i, j, both, 0);
      else if (onlyX >= onlyY) set(i, j, onlyX, 1);
      else set(i, j, onlyY, 2);
    }
  }
  const consensus: Position[] = [];
  for (let [i, j] = [x.length, y.length]; i > 0 || j > 0;) {
    const way = step[i * width + j]!;
    const left = way === 2 ? [GAP] : x[--i]!;
    const right = way === 1 ? [GAP] : y[--j]!;
    consensus.push(new Set([...left, ...right]));
  }
  return { score: best[best.length - 1]!, consensus: consensus.reverse() };

  function set(i: number, j: number, score: number, way: number): void {
    best[i * width + j] = score;
    step[i * width + j] = way;
  }
}

/** All sequences in one: the best pair becomes a sequence, which is compared with those left (seed's Algorithm 1). */
export function alignAll(sequences: readonly Sequence[]): Sequence {
  let live = new Set(sequences);
  let pairs = [...live].flatMap((x, at) => [...live].slice(at + 1).map((y) => ({ x, y, ...align(x, y) })));
  while (live.size > 1) {
    const { x, y, consensus } = pairs.reduce((best, pair) => (pair.score > best.score ? pair : best));
    live.delete(x);
    live.delete(y);
    pairs = pairs.filter((pair) => live.has(pair.x) && live.has(pair.y));
    pairs.push(...Array.from(live, (other) => ({ x: consensus, y: other, ...align(consensus, other) })));
    live.add(consensus);
  }
  return [...live][0] ?? [];
}

function gapScore(position: Position): number {
  return position.has(GAP) ? 0 : [...position].some((token) => STRUCTURE.test(token)) ? 2 * OPEN : OPEN;
}

/** Two equal tokens are 2, sets that share one more than 1, tokens of one class a little; signs face their like only. */
function likeness(x: Position, y: Position): number {
  const [a, b] = [real(x), real(y)];
  const shared = a.filter((token) => y.has(token)).length;
  if (shared > 0) return a.length === 1 && b.length === 1 ? 2 : 1 + shared / (a.length + b.length - shared);
  const [classA, classB] = [classOf(a[0]!), classOf(b[0]!)];
  if (classA === null || classB === null) return -Infinity;
  return classA === classB ? 0.25 : -0.5;
}

function real(position: Position): string[] {
  return [...position].filter((token) => token !== GAP);
}

/** Null for a sign, which is like itself only. */
export function classOf(token: string): string | null {
  if (/^\d+$/.test(token)) return '\\d+';
  if (/^[a-z]+$/.test(token)) return '[a-z]+';
  return /^[\p{L}\p{N}]+$/u.test(token) ? '[\\p{L}\\p{N}]+' : null;
}
