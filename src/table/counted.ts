// What comes of counting: blocks of the heap, each of which says what it is.
//
//   | kind u32 | bytes, all in all u32 | … 16 | … |
//   0   pairs, each behind its length (`writePair`)
//   1   branches of a large core, for any thread to count
import { giveBack, u32At, u8At } from '../base/heap.js';
import type { TakePairs } from './pair.js';

const HEAD = 16;
const PAIRS = 0;

/** Takes blocks over, to give back those of pairs. */
export class Counted {
  readonly #take: TakePairs;
  readonly #branches: number[] = [];

  constructor(take: TakePairs) {
    this.#take = take;
  }

  take(address: number): void {
    const [kind, bytes] = u32At(address, 2);
    if (kind !== PAIRS) return void this.#branches.push(address);
    const block = u8At(address, bytes!);
    this.#take(block.subarray(HEAD));
    giveBack(block);
  }

  /** Branches that nobody has counted, and whoever does gives back. */
  nextBranches(): number | undefined {
    return this.#branches.shift();
  }
}
