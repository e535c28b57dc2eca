// What comes of counting: blocks of the heap, each of which says what it is.
//
//   | kind u32 | bytes u32 | … 16 | these bytes |
//   0   pairs, each behind its length (`writePair`)
//   1   branches of a large core, for any thread to count
//   2   a large core, which stays until all of its branches are counted
import { giveBack, kernel, u32At, u8At } from '../base/heap.js';
import { readU32 } from '../base/spill.js';
import { readPair, type Pair } from './pair.js';

interface GroupExports {
  readonly dropGroup: (address: number) => void;
}

const HEAD = 16;

/** Takes blocks over, to give them back. */
export class Counted {
  readonly #emit: (pair: Pair) => void;
  #branches: number[] = [];
  #groups: number[] = [];

  constructor(emit: (pair: Pair) => void) {
    this.#emit = emit;
  }

  take(address: number): void {
    const [kind, bytes] = u32At(address, 2);
    if (kind === 1) this.#branches.push(address);
    else if (kind === 2) this.#groups.push(address);
    else {
      emitAll(u8At(address + HEAD, bytes!), this.#emit);
      giveBack({ byteOffset: address });
    }
  }

  /** Branches that nobody has counted; they are the caller's. */
  nextBranches(): number | undefined {
    return this.#branches.shift();
  }

  /** Gives back what is left, once nobody counts any more. */
  close(): void {
    for (const address of this.#branches.splice(0)) giveBack({ byteOffset: address });
    for (const address of this.#groups.splice(0)) kernel<GroupExports>().dropGroup(address);
  }
}

/** Pairs end to end, each behind its length. */
function emitAll(bytes: Uint8Array, emit: (pair: Pair) => void): void {
  for (let at = 0; at < bytes.length;) {
    const keyEnd = at + 4;
    const end = keyEnd + readU32(bytes, at);
    emit(readPair({ bytes, keyStart: at, keyEnd, end }));
    at = end;
  }
}
