// Finds connected components of numbers, given pairs. The root of a component is its least member.
//
// In memory it uses union-find, if a parent of each number fits. Otherwise it works on disk, with sequential scans
// only: pairs go to an external sort, and two alternating steps turn them into stars (Kiveris and others 2014,
// "Connected components in MapReduce and beyond"). m is the least of a number u and its partners:
//
//   large star    pairs sorted in both directions      v–u becomes v–m for each v > u
//   small star    pairs sorted by the larger number    v–u becomes v–m for each v < u, and u–m
//
//   1–2  2–3  3–4   →  2–1  3–1  4–2  →  2–1  3–1  4–2   →  2–1  3–1  4–1
//
// Both steps keep components connected. They are repeated until all pairs are ⟨member, root⟩, which takes a few rounds,
// as each round halves the length of chains. A filter of recent unions keeps most redundant pairs off the disk.
import { hashPair } from '../base/hash.js';
import { NumberPairs } from '../base/number-pairs.js';
import { readBigEndian, type RowReader } from '../base/row.js';
import type { SpillRoom } from '../base/spill.js';

const PAIR_BYTES = 8;

/** Build (`join`), then freeze (`finish`). */
export class Components {
  readonly #room: SpillRoom;
  readonly #unions: Unions | undefined;
  readonly #recent: RecentUnions | undefined;
  readonly #pairs: NumberPairs | undefined;
  #rounds = 0;

  /** Components of the numbers [0, count). */
  constructor(count: number, room: SpillRoom) {
    this.#room = room;
    if (4 * count <= room.memoryBytes) {
      this.#unions = new Unions(count);
      return;
    }
    // The filter takes half of the memory. While one sort is read, the next one is written.
    this.#recent = new RecentUnions(room.memoryBytes / 2);
    this.#room = { ...room, memoryBytes: room.memoryBytes / 4 };
    this.#pairs = new NumberPairs(this.#room);
  }

  get isInMemory(): boolean {
    return this.#unions !== undefined;
  }

  /** How often the pairs were sorted in both directions. */
  get rounds(): number {
    return this.#rounds;
  }

  /** True if both are known to be in one component. On disk, some pairs of one component may not be known yet. */
  areOne(a: number, b: number): boolean {
    if (this.#unions !== undefined) return this.#unions.areOne(a, b);
    return this.#recent!.rootOf(a) === this.#recent!.rootOf(b);
  }

  join(a: number, b: number): void {
    if (this.#unions !== undefined) return this.#unions.join(a, b);
    const recent = this.#recent!;
    // A known union is on disk already.
    const [rootA, rootB] = [recent.rootOf(a), recent.rootOf(b)];
    if (rootA === rootB) return;
    addBoth(this.#pairs!, rootA, rootB);
    recent.put(Math.max(rootA, rootB), Math.min(rootA, rootB));
  }

  finish(): Roots {
    if (this.#unions !== undefined) return new Roots(this.#unions);
    let both = this.#pairs!;
    for (;;) {
      this.#rounds++;
      const { pairs, areStars } = largeStars(both, this.#room);
      if (areStars) return new Roots(pairs.finish());
      both = smallStars(pairs, this.#room);
    }
  }
}

/** The roots of numbers; ask for them in ascending order. */
export class Roots {
  readonly #unions: Unions | undefined;
  readonly #pairs: RowReader | undefined;
  #member = -1;
  #root = -1;

  /** Reads a union-find, or sorted rows of ⟨member, root⟩. */
  constructor(from: Unions | RowReader) {
    if (from instanceof Unions) this.#unions = from;
    else {
      this.#pairs = from;
      this.#next();
    }
  }

  of(number: number): number {
    if (this.#unions !== undefined) return this.#unions.rootOf(number);
    while (this.#member < number) this.#next();
    return this.#member === number ? this.#root : number;
  }

  #next(): void {
    const row = this.#pairs!.next();
    this.#member = row === undefined ? Infinity : readBigEndian(row.bytes, row.keyStart);
    if (row !== undefined) this.#root = readBigEndian(row.bytes, row.keyStart + 4);
  }

  close(): void {
    this.#pairs?.close();
  }
}

function addBoth(pairs: NumberPairs, a: number, b: number): void {
  pairs.add(a, b);
  pairs.add(b, a);
}

/** Calls `take` for each distinct pair in order. `least` is the smallest partner of a. */
function eachPair(pairs: NumberPairs, take: (a: number, b: number, least: number) => void): void {
  let [lastA, lastB, least] = [-1, -1, -1];
  pairs.each((a, b) => {
    if (a === lastA && b === lastB) return;
    if (a !== lastA) least = b;
    lastA = a;
    lastB = b;
    take(a, b, least);
  });
}

/** `areStars`: every number that has a smaller partner has no other partner. */
function largeStars(both: NumberPairs, room: SpillRoom): { readonly pairs: NumberPairs; readonly areStars: boolean } {
  const pairs = new NumberPairs(room);
  let areStars = true;
  eachPair(both, (u, v, least) => {
    if (least < u && v !== least) areStars = false;
    if (v > u) pairs.add(v, Math.min(u, least));
  });
  return { pairs, areStars };
}

function smallStars(pairs: NumberPairs, room: SpillRoom): NumberPairs {
  const both = new NumberPairs(room);
  eachPair(pairs, (u, v, least) => addBoth(both, v === least ? u : v, least));
  return both;
}

const FEWEST_BITS = 6;
const MOST_BITS = 22;

/** A union-find that forgets: a number that is evicted from its slot is a root again. */
class RecentUnions {
  /** ⟨number, parent⟩ by the hash of the number. No number is its own parent, so zeros are empty slots. */
  readonly #table: Uint32Array;
  readonly #mask: number;

  constructor(memoryBytes: number) {
    const fitting = Math.floor(Math.log2(memoryBytes / PAIR_BYTES));
    const bits = Math.max(FEWEST_BITS, Math.min(MOST_BITS, fitting));
    this.#table = new Uint32Array(2 * 2 ** bits);
    this.#mask = 2 ** bits - 1;
  }

  rootOf(number: number): number {
    for (;;) {
      const parent = this.#parentOf(number);
      const next = this.#parentOf(parent);
      if (next === parent) return parent;
      this.put(number, next);
      number = next;
    }
  }

  #placeOf(number: number): number {
    return 2 * (hashPair(number, 0) & this.#mask);
  }

  #parentOf(number: number): number {
    const at = this.#placeOf(number);
    return this.#table[at] === number ? this.#table[at + 1]! : number;
  }

  /** `parent` is smaller than `number`. */
  put(number: number, parent: number): void {
    const at = this.#placeOf(number);
    this.#table[at] = number;
    this.#table[at + 1] = parent;
  }
}

// Clusters of sketches: by chains of resemblance, or around a centre.
//
//   transitive    a–b, b–c              → {a, b, c}      whether or not a and c resemble each other
//   star          a–b, b–c, c–d, c–e    → {c, b, d, e}, {a}
//
// Every member of a star resembles its centre. Centres are chosen one after another: the remaining sketch with the most
// others.

/** Union-find. The root of a cluster is its least member. */
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

/** `pairs` has distinct pairs of sketches a, b, a, b, …. Returns the centre of each sketch; ties go to the least. */
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
