// Links between pages on disk, as ⟨target, source⟩ sorted in this order, to be read again.
import { BlockWriter } from '../base/merge.js';
import { readU32, writeU32 } from '../base/row.js';
import { ScratchFile } from '../base/scratch.js';

const PAIR_BYTES = 8;
const READ_BYTES = PAIR_BYTES << 16;

/** Build (`add`), then `freeze` and read (`each`). */
export class LinkFile {
  readonly #file: ScratchFile;
  readonly #writer: BlockWriter;
  readonly #pair = new Uint8Array(PAIR_BYTES);

  constructor(tmpdir: string) {
    this.#file = new ScratchFile(tmpdir);
    this.#writer = new BlockWriter(this.#file);
  }

  add(target: number, source: number): void {
    writeU32(this.#pair, 0, target);
    writeU32(this.#pair, 4, source);
    this.#writer.write(this.#pair, 0, PAIR_BYTES);
  }

  freeze(): void {
    this.#writer.flush();
  }

  /** The links in the order of `add`. */
  *each(): Generator<readonly [target: number, source: number]> {
    const block = new Uint8Array(READ_BYTES);
    for (let start = 0; start < this.#file.length; start += READ_BYTES) {
      const got = this.#file.read(block, start);
      for (let at = 0; at < got; at += PAIR_BYTES) yield [readU32(block, at), readU32(block, at + 4)];
    }
  }

  close(): void {
    this.#file.close();
  }
}
