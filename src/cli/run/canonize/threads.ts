// Canonizes the lines of files in several threads. The output has the same bytes as with one thread.
//
//     blocks          1 2 3 4 5 6 …     cut here, each of whole lines
//     thread a        1     4           round robin: each block to the next thread; two per thread are in flight
//     thread b          2     5
//     thread c            3     6
//     taken           1 2 3 4 5 6 …     in the order of the lines; --unique drops lines here
//
// A thread has at most two blocks in flight, and may send as many pieces of output as it has credits. Buffers travel
// back and forth with the messages, so none is allocated per block.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { packageFile } from '../../../base/package-file.js';
import { BlockCutter, blockBytes, type Block } from '../../../canonize/blocks.js';
import {
  countsOf,
  type Keeping,
  type LineCounts,
  type LineOptions,
  type MappedCounts,
  type MappedLines,
} from '../../../canonize/lines.js';
import type { RulesInUse } from '../rules/in-use.js';

export interface ThreadJob extends RulesInUse {
  readonly lines: LineOptions;
  /** How many pieces of output a thread may send ahead. */
  readonly credits: number;
}

export interface BlockMessage {
  readonly kind: 'block';
  readonly of: Block['kind'];
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly used: number;
}

export type ToThread = BlockMessage | { readonly kind: 'taken'; readonly bytes: Uint8Array<ArrayBuffer> };

export type FromThread =
  | {
      readonly kind: 'lines';
      readonly bytes: Uint8Array<ArrayBuffer>;
      readonly used: number;
      readonly marks: Int32Array<ArrayBuffer> | undefined;
    }
  /** All lines of the block have been sent; its buffer is free again. */
  | {
      readonly kind: 'done';
      readonly bytes: Uint8Array<ArrayBuffer>;
      readonly counts: MappedCounts;
      readonly unsettled: number;
    };

const CREDITS = 4;
const BLOCKS_ON_THE_WAY = 2;

export class CanonizingThreads {
  readonly #threads: readonly Thread[];
  readonly #free: Uint8Array<ArrayBuffer>[] = [];
  readonly #keeping: Keeping;
  /** How many URLs stayed as they were because no canonical form was found. */
  unsettled = 0;
  readonly #cutter = new BlockCutter();
  readonly #lines: LineOptions;
  readonly #mapped: MappedCounts = { lines: 0, urls: 0, changed: 0 };

  /** Whatever happens, the caller must stop the threads. */
  constructor(count: number, { rules, options }: RulesInUse, lines: LineOptions, keeping: Keeping) {
    this.#keeping = keeping;
    this.#lines = lines;
    const { pairs = false, rows = false, unique = false, changed = false, savings } = lines;
    const own = { pairs, rows, unique, changed, ...(savings && { savings }) };
    const job: ThreadJob = { rules, options, lines: own, credits: CREDITS };
    this.#threads = Array.from({ length: count }, () => new Thread(job));
  }

  get counts(): LineCounts {
    return countsOf(this.#mapped, this.#cutter, this.#keeping, this.#lines);
  }

  /** Yields the output. Use or copy each piece before requesting the next one. */
  async *map(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const onTheWay: Thread[] = [];
    let turn = 0;
    for await (const block of this.#gather(cut(chunks, this.#cutter))) {
      if (onTheWay.length === BLOCKS_ON_THE_WAY * this.#threads.length) yield* this.#take(onTheWay.shift()!);
      const thread = this.#threads[turn++ % this.#threads.length]!;
      thread.send(block);
      onTheWay.push(thread);
    }
    for (const thread of onTheWay) yield* this.#take(thread);
    yield* this.#keeping.end();
  }

  /** Yields the output of the oldest block that the thread has not returned yet. */
  async *#take(thread: Thread): AsyncGenerator<Uint8Array> {
    for (;;) {
      const message = await thread.receive();
      if (message.kind === 'done') {
        this.unsettled += message.unsettled;
        for (const count of ['lines', 'urls', 'changed'] as const) this.#mapped[count] += message.counts[count];
        if (message.bytes.length === blockBytes) this.#free.push(message.bytes);
        return;
      }
      const { bytes, used, marks } = message;
      const lines: MappedLines = { bytes: bytes.subarray(0, used), ...(marks !== undefined && { marks }) };
      yield this.#keeping.keep(lines);
      thread.send({ kind: 'taken', bytes });
    }
  }

  /** Makes messages of blocks: copies, in which small blocks are put together. */
  async *#gather(blocks: AsyncIterable<Block>): AsyncGenerator<BlockMessage> {
    let room: Uint8Array<ArrayBuffer> | undefined;
    let used = 0;
    for await (const { kind, bytes } of blocks) {
      if (room !== undefined && (kind === 'part' || used + bytes.length > blockBytes)) {
        yield { kind: 'block', of: 'lines', bytes: room, used };
        room = undefined;
      }
      if (kind === 'part' || bytes.length > blockBytes) {
        const copy = this.#roomFor(bytes.length);
        copy.set(bytes);
        yield { kind: 'block', of: kind, bytes: copy, used: bytes.length };
        continue;
      }
      if (room === undefined) {
        room = this.#roomFor(blockBytes);
        used = 0;
      }
      room.set(bytes, used);
      used += bytes.length;
    }
    if (room !== undefined) yield { kind: 'block', of: 'lines', bytes: room, used };
  }

  /**
   * A buffer for a block, reused if one is free. Parts of long lines need buffers too, as a long line has thousands of
   * parts.
   */
  #roomFor(bytes: number): Uint8Array<ArrayBuffer> {
    return (bytes <= blockBytes ? this.#free.pop() : undefined) ?? new Uint8Array(Math.max(bytes, blockBytes));
  }

  async stop(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.stop()));
  }
}

async function* cut(chunks: AsyncIterable<Uint8Array>, cutter: BlockCutter): AsyncGenerator<Block> {
  for await (const chunk of chunks) yield* cutter.push(chunk);
  yield* cutter.end();
}

class Thread {
  readonly #worker: Worker;
  readonly #messages: FromThread[] = [];
  #failure: unknown;

  constructor(job: ThreadJob) {
    this.#worker = new Worker(packageFile('dist/program/cli/run/canonize/thread.js'), { workerData: job });
    this.#worker.on('message', (message: FromThread) => this.#messages.push(message));
    this.#worker.on('error', (error) => (this.#failure = error));
  }

  send(message: ToThread): void {
    this.#worker.postMessage(message, [message.bytes.buffer]);
  }

  async receive(): Promise<FromThread> {
    while (this.#messages.length === 0) {
      if (this.#failure !== undefined) throw this.#failure;
      await once(this.#worker, 'message');
    }
    return this.#messages.shift()!;
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}
