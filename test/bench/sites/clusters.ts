// Which pages are the same page? Texts whose sets of 4-word shingles have a Jaccard overlap of 0.9 or more, joined by
// single linkage. Min-wise hashes in bands find candidates, the sets decide.
const WORDS = 4;
const LEAST_OVERLAP = 0.9;
/** Sixteen bands of four: of two texts with 0.9 in common, one pair in 10 million is overlooked. */
const BANDS = 16;
const ROWS = 4;

/**
 * For each text, the number of its cluster, counted in the order of the texts. Texts are distinct; null is like no
 * other.
 */
export function clustersOf(texts: readonly (string | null)[]): number[] {
  const sets = texts.map((text) => (text === null ? null : shinglesOf(text)));
  const parents = texts.map((_, k) => k);
  const rootOf = (k: number): number => {
    let at = k;
    while (parents[at] !== at) at = parents[at] = parents[parents[at]!]!;
    return at;
  };
  for (const candidates of candidatesOf(sets)) {
    for (let b = 1; b < candidates.length; b++) {
      for (let a = 0; a < b; a++) {
        const [i, j] = [rootOf(candidates[a]!), rootOf(candidates[b]!)];
        if (i === j || overlap(sets[candidates[a]!]!, sets[candidates[b]!]!) < LEAST_OVERLAP) continue;
        parents[Math.max(i, j)] = Math.min(i, j);
      }
    }
  }
  const names = new Map<number, number>();
  return texts.map((_, k) => {
    const root = rootOf(k);
    if (!names.has(root)) names.set(root, names.size);
    return names.get(root)!;
  });
}

/** Whether two texts would be joined. */
export function areNear(a: string, b: string): boolean {
  return overlap(shinglesOf(a), shinglesOf(b)) >= LEAST_OVERLAP;
}

/** Sorted, without repetition. A text of fewer than four words is one shingle. */
function shinglesOf(text: string): Float64Array {
  const hashes = Array.from(text.toLowerCase().matchAll(/[\p{L}\p{N}_]+/gu), ([word]) => hashOf(word));
  const size = Math.min(WORDS, hashes.length);
  const shingles = new Set<number>();
  for (let first = 0; first + size <= hashes.length; first++) {
    let [low, high] = [0x811c9dc5, 0x2545f491];
    for (let k = 0; k < size; k++) {
      low = mixed(Math.imul(low, 31) ^ hashes[first + k]!);
      high = mixed(Math.imul(high, 37) + hashes[first + k]!);
    }
    shingles.add((high >>> 11) * 2 ** 32 + (low >>> 0));
    if (size === 0) break;
  }
  return Float64Array.from(shingles).sort();
}

function hashOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let k = 0; k < word.length; k++) hash = Math.imul(hash ^ word.charCodeAt(k), 0x01000193);
  return hash >>> 0;
}

function mixed(value: number): number {
  let hash = value ^ (value >>> 16);
  hash = Math.imul(hash, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

/** Texts that have all minima of a band in common. */
function candidatesOf(sets: readonly (Float64Array | null)[]): number[][] {
  const bands = new Map<string, number[]>();
  sets.forEach((set, k) => {
    if (set === null) return;
    const minima = new Uint32Array(BANDS * ROWS).fill(0xffffffff);
    for (const shingle of set) {
      const [low, high] = [shingle % 2 ** 32, Math.floor(shingle / 2 ** 32)];
      for (let row = 0; row < minima.length; row++) {
        const hash = mixed(Math.imul(low ^ Math.imul(row + 1, 0x9e3779b1), 0x85ebca6b) ^ high) >>> 0;
        if (hash < minima[row]!) minima[row] = hash;
      }
    }
    for (let band = 0; band < BANDS; band++) {
      const key = `${band}:${minima.subarray(band * ROWS, (band + 1) * ROWS).join(',')}`;
      const members = bands.get(key);
      if (members === undefined) bands.set(key, [k]);
      else members.push(k);
    }
  });
  return [...bands.values()].filter((members) => members.length > 1);
}

/** |A ∩ B| / |A ∪ B|, or 0 where sizes alone say that it is too small. */
function overlap(a: Float64Array, b: Float64Array): number {
  if (Math.min(a.length, b.length) < LEAST_OVERLAP * Math.max(a.length, b.length)) return 0;
  let [i, j, both] = [0, 0, 0];
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      both++;
      i++;
      j++;
    } else if (a[i]! < b[j]!) i++;
    else j++;
  }
  return both / (a.length + b.length - both);
}
