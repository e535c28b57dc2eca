// The results of counting: blocks of the heap, each of which says what it is (kernel/layout/pair).
import { giveBack, u32At, u8At } from '../base/heap.js';
import { HEAD, KIND, PAIRS } from '../kernel/layout/pair.js';
import type { TakePairs } from './pair.js';

/** Takes ownership of blocks, and frees those of pairs. */
export class Counted {
  readonly #take: TakePairs;
  readonly #branches: number[] = [];

  constructor(take: TakePairs) {
    this.#take = take;
  }

  take(address: number): void {
    const [kind, bytes] = u32At(address + KIND, 2);
    if (kind !== PAIRS) return void this.#branches.push(address);
    const block = u8At(address, bytes!);
    this.#take(block.subarray(HEAD));
    giveBack(block);
  }

  /** Branches that have not been counted; the thread that counts them frees them. */
  nextBranches(): number | undefined {
    return this.#branches.shift();
  }
}
