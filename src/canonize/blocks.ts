// Chunks, cut anywhere -> blocks of whole lines that can be mapped independently, in this thread or another.
//
// The unfinished line at the end of a chunk is carried over. A line longer than `maxLineBytes` (with its ending) is not
// a real URL; it is passed on in parts, so that memory stays bounded.
import { NEWLINE } from '../base/ascii.js';
import { ByteBuffer } from '../base/buffer.js';

export interface Block {
  /**
   * `lines`: whole lines; the last line of an input may lack its newline. `part`: a part of a line that is too long.
   */
  readonly kind: 'lines' | 'part';
  /** Valid until the next block is requested. */
  readonly bytes: Uint8Array;
}

export const maxLineBytes = 1 << 20;
/** Size of a block. A block that is larger has a single line. */
export const blockBytes = 1 << 18;

export class BlockCutter {
  readonly #carry = new ByteBuffer(1 << 12);
  #isTooLong = false;
  /** How many lines were passed on in parts so far. */
  longLines = 0;

  /** Yields the blocks that `chunk` completes. */
  *push(chunk: Uint8Array): Iterable<Block> {
    for (let at = 0; at < chunk.length; at += blockBytes) yield* this.#cut(chunk.subarray(at, at + blockBytes));
  }

  /** Yields the last line if it has no newline. */
  *end(): Iterable<Block> {
    if (this.#carry.used > 0) yield this.#takeCarried('lines');
    this.#isTooLong = false;
  }

  *#cut(piece: Uint8Array): Iterable<Block> {
    let at = 0;
    if (this.#carry.used > 0 || this.#isTooLong) {
      at = piece.indexOf(NEWLINE) + 1;
      yield* this.#carryOn(at === 0 ? piece : piece.subarray(0, at));
      if (at === 0) return;
      if (this.#carry.used > 0) yield this.#takeCarried('lines');
      this.#isTooLong = false;
    }
    const end = piece.lastIndexOf(NEWLINE) + 1;
    if (end > at) yield { kind: 'lines', bytes: piece.subarray(at, end) };
    this.#carry.add(piece, Math.max(at, end));
  }

  *#carryOn(part: Uint8Array): Iterable<Block> {
    if (!this.#isTooLong && this.#carry.used + part.length > maxLineBytes) {
      this.#isTooLong = true;
      this.longLines++;
      yield this.#takeCarried('part');
    }
    if (this.#isTooLong) yield { kind: 'part', bytes: part };
    else this.#carry.add(part);
  }

  #takeCarried(kind: Block['kind']): Block {
    const bytes = this.#carry.bytes.subarray(0, this.#carry.used);
    this.#carry.used = 0;
    return { kind, bytes };
  }
}
