// Redundancy elimination (paper §5.2, Figure 2): of two pairs with about the same support, one of which refines the
// other, only the refining pair is kept, as it has the full context of the substitution.
//
// The scan looks at most MW pairs ahead, so it holds a window of that size. A pair is not compared with all others. The
// pairs that it refines are looked up (`eliminate-index`): earlier pairs when it enters the window, later ones when it
// leaves. Even that is skipped if the core of the pair is unique in the window: refining adds the same text to both
// sides, which does not change the core (if one side is a border of the other, it only rotates the core).
import { chained, FNV_SEED, mixed } from '../base/hash.js';
import type { Pair } from '../table/pair.js';
import { isBoundary } from '../url/token.js';
import { addLength, PairIndex, pairHash, type Indexed, type Lengths } from './eliminate-index.js';

export interface EliminationOptions {
  /** Maximum relative and absolute deficiency of the support, and the size of the window, as named in the paper. */
  readonly MRD: number;
  readonly MAD: number;
  readonly MW: number;
}

/** The pairs of the window with one core. `Lengths` are of all its pairs since the window last had none. */
interface Core extends Lengths {
  readonly hash: number;
  pairs: number;
}

interface Entry extends Indexed {
  readonly position: number;
  readonly core: Core;
  eliminated: boolean;
  /** Later pairs that refine this one, in order. */
  refiners: Entry[] | undefined;
  /** The next pair in the window. */
  behind: Entry | undefined;
}

/** The index for elimination. It is empty again at the end, so one index serves many sites. */
export type EliminationIndex = PairIndex<Entry>;

export function createEliminationIndex(): EliminationIndex {
  return new PairIndex<Entry>();
}

/** Takes distinct pairs in the order of elimination (SPEC 4), and yields those that stay, in that order. */
export function* eliminateRedundancies(
  pairs: Iterable<Pair>,
  options: EliminationOptions,
  index = createEliminationIndex(),
): Generator<Pair> {
  const window = new Window(options, index);
  try {
    for (const pair of pairs) {
      window.enter(pair);
      if (window.size <= options.MW) continue;
      const settled = window.leave();
      if (settled !== undefined) yield settled;
    }
    while (window.size > 0) {
      const settled = window.leave();
      if (settled !== undefined) yield settled;
    }
  } finally {
    // A reader that has enough leaves pairs behind.
    while (window.size > 0) window.leave();
  }
}

class Window {
  size = 0;
  readonly #options: EliminationOptions;
  readonly #index: EliminationIndex;
  readonly #cores = new Map<number, Core>();
  #first: Entry | undefined;
  #last: Entry | undefined;

  constructor(options: EliminationOptions, index: EliminationIndex) {
    this.#options = options;
    this.#index = index;
  }

  enter(pair: Pair): void {
    const position = this.#last === undefined ? 0 : this.#last.position + 1;
    const core = this.#coreOf(pair);
    const entry: Entry = {
      pair,
      position,
      core,
      hash: pairHash(pair),
      eliminated: false,
      refiners: undefined,
      behind: undefined,
      next: undefined,
    };
    if (core.pairs++ > 0) {
      this.#index.eachBroader(pair, core, (broad) => {
        if (!broad.eliminated) (broad.refiners ??= []).push(entry);
      });
    }
    addLength(core, pair);
    this.#index.add(entry);
    if (this.#first === undefined) this.#first = entry;
    else this.#last!.behind = entry;
    this.#last = entry;
    this.size++;
  }

  #coreOf(pair: Pair): Core {
    const hash = coreHash(pair);
    const known = this.#cores.get(hash);
    if (known !== undefined) return known;
    const core = { hash, pairs: 0, low: 0, high: 0 };
    this.#cores.set(hash, core);
    return core;
  }

  /** Lines 3 to 10 of Figure 2 for the first pair, which leaves the window; undefined if the pair is eliminated. */
  leave(): Pair | undefined {
    const entry = this.#first!;
    this.#first = entry.behind;
    this.size--;
    this.#index.remove(entry);
    const { core } = entry;
    if (--core.pairs === 0) this.#cores.delete(core.hash);
    if (entry.eliminated) return undefined;
    if (core.pairs === 0) return entry.pair;
    const deficiency = Math.max(this.#options.MRD * entry.pair.high, this.#options.MAD);
    const isNear = ({ pair }: Entry) => entry.pair.high - pair.high <= deficiency;
    const refiner = entry.refiners?.find((fine) => !fine.eliminated && isNear(fine));
    const end = refiner?.position ?? Infinity;
    this.#index.eachBroader(entry.pair, core, (broad) => {
      if (broad.position < end && isNear(broad)) broad.eliminated = true;
    });
    return refiner === undefined ? entry.pair : undefined;
  }
}

/**
 * A hash that is equal for all pairs that refine one another: of the core of `from` or, if `to` has no core, of its
 * least rotation. `from` is the longer side, so it always has a core.
 */
export function coreHash(pair: Pair): number {
  const { from, to } = pair;
  const limit = Math.min(from.length, to.length);
  let first = 0;
  while (first < limit && from[first] === to[first]) first++;
  while (first > 0 && !(isBoundary(from, first) && isBoundary(to, first))) first--;
  let last = 0;
  while (last < limit - first && from[from.length - 1 - last] === to[to.length - 1 - last]) last++;
  while (last > 0 && !(isBoundary(from, from.length - last) && isBoundary(to, to.length - last))) last--;
  const fromEnd = from.length - last;
  const turn = first === to.length - last ? leastRotation(from, first, fromEnd) : first;
  let hash = chained(FNV_SEED, from, turn, fromEnd);
  hash = chained(hash, from, first, turn);
  return mixed(chained(mixed(hash), to, first, to.length - last));
}

/**
 * Where in bytes[start, end) the lexicographically smallest rotation begins (Booth's two pointers). Token boundaries
 * rotate with the bytes.
 */
function leastRotation(bytes: Uint8Array, start: number, end: number): number {
  const length = end - start;
  let a = 0;
  let b = 1;
  for (let same = 0; a < length && b < length && same < length;) {
    const order = bytes[start + ((a + same) % length)]! - bytes[start + ((b + same) % length)]!;
    if (order === 0) {
      same++;
      continue;
    }
    if (order > 0) a += same + 1;
    else b += same + 1;
    if (a === b) b++;
    same = 0;
  }
  return start + Math.min(a, b);
}
