// Finds near duplicates and their clusters, from a list of URLs with labels:
//
//   folding       URLs with the same label are one class                       (folding)
//   near pairs    classes whose signatures resemble each other                 (near-pairs, near-spots)
//   clusters      of classes                                                   (components)
import { readBigEndian, readU32, RowWriter } from '../base/row.js';
import { ScratchFile } from '../base/scratch.js';
import { type SpillRoom, SpillSorter } from '../base/spill.js';
import { ALIKE_RESEMBLANCE } from '../sketch/sketch.js';
import { Components, starsOf } from './components.js';
import { type FoldedUrls, NO_SKETCH } from './folding.js';
import { findNearPairs } from './near-pairs.js';
import { findNearSpots, SPOT_RESEMBLANCE } from './near-spots.js';
import type { Signatures } from './signatures.js';
import type { Window } from './sized-bags.js';

type ClusterKind = 'transitive' | 'star';

interface DupsOptions {
  readonly threshold: number;
  /** For spot signatures only. */
  readonly window: Window;
  readonly clusters: ClusterKind;
  /** True if the result should have the pairs too. */
  readonly keepsPairs: boolean;
  readonly room: SpillRoom;
  readonly maxList?: number;
}

interface NearPair {
  /** Numbers of two classes, a < b. */
  readonly a: number;
  readonly b: number;
  readonly resemblance: number;
}

interface DupsCounts {
  /** The number of classes, and of those that have a signature. */
  readonly classes: number;
  readonly signatures: number;
  readonly compared: number;
  /** As in `near-pairs`; 0 for spot signatures. */
  readonly longLists: number;
  readonly unseen: number;
  /** As in `near-spots`; 0 for sketches. */
  readonly small: number;
  readonly cut: number;
}

export interface Dups {
  readonly counts: DupsCounts;
  /** By class: its cluster, named by the least class in it or by the centre of a star. */
  readonly clusterOf: Uint32Array;
  /** Distinct pairs in ascending order; empty unless `keepsPairs`. */
  pairs(): Iterable<NearPair>;
}

/** The default resemblance from which on pages are near duplicates. */
export function usualResemblance({ kind }: Signatures): number {
  return kind === 'spots' ? SPOT_RESEMBLANCE : ALIKE_RESEMBLANCE;
}

export function findDups({ signatures, sketchOf }: FoldedUrls, options: DupsOptions): Dups {
  const { clusters, keepsPairs, room } = options;
  const { count } = signatures;
  const isStar = clusters === 'star';
  const components = isStar ? undefined : new Components(count, { ...room, memoryBytes: room.memoryBytes / 8 });
  const keeps = keepsPairs || isStar;
  const kept = keeps ? new DistinctPairs(room) : undefined;
  const near = nearPairs(signatures, options, {
    room: { ...room, memoryBytes: room.memoryBytes / 2 },
    isKnown: keeps ? () => false : (a, b) => components!.areOne(a, b),
    found: (a, b, resemblance) => {
      components?.join(a, b);
      kept?.add(a, b, resemblance);
    },
  });
  const pairs = kept?.finish();
  const centre = isStar ? starsOf(count, numbersOf(pairs!)) : undefined;
  const classOf = Uint32Array.from(classesWithSketch(sketchOf));
  const roots = components?.finish();
  // Sketches have numbers in the order of their classes.
  const clusterOf = sketchOf.map((sketch, number) =>
    sketch === NO_SKETCH ? number : classOf[centre === undefined ? roots!.of(sketch) : centre[sketch]!]!,
  );
  roots?.close();
  return {
    counts: { ...near, classes: sketchOf.length, signatures: count },
    clusterOf,
    *pairs() {
      for (const { a, b, resemblance } of pairs?.each() ?? []) yield { a: classOf[a]!, b: classOf[b]!, resemblance };
    },
  };
}

interface Finding {
  readonly room: SpillRoom;
  readonly isKnown: (a: number, b: number) => boolean;
  readonly found: (a: number, b: number, resemblance: number) => void;
}

function nearPairs(signatures: Signatures, { threshold, window, maxList }: DupsOptions, finding: Finding) {
  const options = { threshold, ...finding, ...(maxList !== undefined && { maxList }) };
  if (signatures.kind === 'spots') {
    return { longLists: 0, unseen: 0, ...findNearSpots(signatures, { ...options, window }) };
  }
  const { store, s } = signatures;
  const { compared, longLists, unseen } = findNearPairs(store, { ...options, s });
  return { compared, longLists, unseen, small: 0, cut: 0 };
}

function* classesWithSketch(sketchOf: Uint32Array): Generator<number> {
  for (let number = 0; number < sketchOf.length; number++) if (sketchOf[number] !== NO_SKETCH) yield number;
}

function numbersOf(pairs: PairFile): Uint32Array {
  const numbers = new Uint32Array(2 * pairs.count);
  let at = 0;
  for (const { a, b } of pairs.each()) {
    numbers[at++] = a;
    numbers[at++] = b;
  }
  return numbers;
}

/** Removes duplicates, as pairs may be found several times: equal pairs are adjacent once sorted. */
class DistinctPairs {
  readonly #room: SpillRoom;
  readonly #sorter: SpillSorter;
  readonly #row = new RowWriter();

  constructor(room: SpillRoom) {
    this.#room = room;
    this.#sorter = new SpillSorter({ ...room, memoryBytes: room.memoryBytes / 4 }, room.stats);
  }

  add(a: number, b: number, resemblance: number): void {
    const row = this.#row.clear().bigEndian(a).bigEndian(b);
    const keyLength = row.length;
    row.u32(Math.round(resemblance * SCALE));
    this.#sorter.add(row.bytes, 0, row.length, keyLength);
  }

  finish(): PairFile {
    const file = new PairFile(this.#room.tmpdir);
    const rows = this.#sorter.finish();
    let [lastA, lastB] = [-1, -1];
    for (let next = rows.next(); next !== undefined; next = rows.next()) {
      const { bytes, keyStart, keyEnd } = next;
      const [a, b] = [readBigEndian(bytes, keyStart), readBigEndian(bytes, keyStart + 4)];
      if (a !== lastA || b !== lastB) file.add(a, b, readU32(bytes, keyEnd));
      [lastA, lastB] = [a, b];
    }
    rows.close();
    return file.freeze();
  }
}

const BLOCK_PAIRS = 4096;
const PAIR_WORDS = 3;

/** Distinct pairs in ascending order, in a scratch file. */
class PairFile {
  count = 0;
  readonly #file: ScratchFile;
  readonly #block = new Uint32Array(PAIR_WORDS * BLOCK_PAIRS);
  #used = 0;

  constructor(tmpdir: string) {
    this.#file = new ScratchFile(tmpdir);
  }

  add(a: number, b: number, scaled: number): void {
    if (this.#used === this.#block.length) this.freeze();
    this.#block[this.#used] = a;
    this.#block[this.#used + 1] = b;
    this.#block[this.#used + 2] = scaled;
    this.#used += PAIR_WORDS;
    this.count++;
  }

  freeze(): this {
    this.#file.append(new Uint8Array(this.#block.buffer, 0, 4 * this.#used));
    this.#used = 0;
    return this;
  }

  *each(): Generator<NearPair> {
    const block = new Uint32Array(PAIR_WORDS * BLOCK_PAIRS);
    for (let start = 0; start < this.count; start += BLOCK_PAIRS) {
      this.#file.read(new Uint8Array(block.buffer), 4 * PAIR_WORDS * start);
      for (let at = 0; at < PAIR_WORDS * Math.min(BLOCK_PAIRS, this.count - start); at += PAIR_WORDS) {
        yield { a: block[at]!, b: block[at + 1]!, resemblance: block[at + 2]! / SCALE };
      }
    }
  }
}

const SCALE = 1e6;
