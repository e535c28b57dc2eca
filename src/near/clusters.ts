// Which sketches are one cluster? By chains of resemblance, or around a centre.
//
//   transitive    a–b, b–c              → {a, b, c}      whether or not a and c resemble each other
//   star          a–b, b–c, c–d, c–e    → {c, b, d, e}, {a}
//
// Every member of a star resembles its centre: the sketch with the most others first, then the next one that is left.

/** Union-find; the root of a cluster is its least member. */
export class Unions {
  readonly #parent: Uint32Array;

  constructor(count: number) {
    this.#parent = Uint32Array.from({ length: count }, (_, number) => number);
  }

  rootOf(number: number): number {
    const parent = this.#parent;
    while (parent[number] !== number) number = parent[number] = parent[parent[number]!]!;
    return number;
  }

  join(a: number, b: number): void {
    const [rootA, rootB] = [this.rootOf(a), this.rootOf(b)];
    this.#parent[Math.max(rootA, rootB)] = Math.min(rootA, rootB);
  }

  areOne(a: number, b: number): boolean {
    return this.rootOf(a) === this.rootOf(b);
  }
}

/** Pairs a, b, a, b, … of sketches, each once. Returns the centre of each sketch; of equal ones the least. */
export function starsOf(count: number, pairs: Uint32Array): Uint32Array {
  const first = new Uint32Array(count + 1);
  for (const sketch of pairs) first[sketch + 1]!++;
  for (let k = 0; k < count; k++) first[k + 1]! += first[k]!;
  const next = first.slice(0, count);
  const others = new Uint32Array(pairs.length);
  for (let at = 0; at < pairs.length; at += 2) {
    const [a, b] = [pairs[at]!, pairs[at + 1]!];
    others[next[a]!++] = b;
    others[next[b]!++] = a;
  }
  const degree = (sketch: number) => first[sketch + 1]! - first[sketch]!;
  const order = Uint32Array.from({ length: count }, (_, sketch) => sketch).sort(
    (a, b) => degree(b) - degree(a) || a - b,
  );
  const none = 0xffffffff;
  const centre = new Uint32Array(count).fill(none);
  for (const sketch of order) {
    if (centre[sketch] !== none) continue;
    centre[sketch] = sketch;
    for (let at = first[sketch]!; at < first[sketch + 1]!; at++) {
      if (centre[others[at]!] === none) centre[others[at]!] = sketch;
    }
  }
  return centre;
}
