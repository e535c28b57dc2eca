// A batch of records in the heap: threads write it, and the URL table folds it in without a copy. The layout is that of
// kernel/layout/batch. The kernel writes rows too (kernel/read/plain-url).
import { alloc, f64At, giveBack, i32At, u32At, u8At } from '../base/heap.js';
import * as BATCH from '../kernel/layout/batch.js';
import { BATCH_BYTES } from './batch.js';
import type { Arena } from './compose.js';
import type { Questions } from './filter.js';
import type { Span } from './format/format.js';
import type { RecordBatch } from './record.js';

const { MOST_ROWS, TEXT } = BATCH;
/** Beyond the text: some writes are sixteen bytes wide, and a long line needs room. */
const SLACK = 16;
const SPARE = 1 << 16;

/** Indices in the head. */
const HEAD = { rows: BATCH.ROWS / 4, used: BATCH.USED / 4, room: BATCH.ROOM / 4 } as const;

export class HeapBatchBuilder implements RecordBatch, Arena {
  block = 0;
  bytes: Buffer = Buffer.alloc(0);
  urlStart: Int32Array = new Int32Array(0);
  urlEnd: Int32Array = new Int32Array(0);
  size: Float64Array = new Float64Array(0);
  sketchStart: Int32Array = new Int32Array(0);
  sketchEnd: Int32Array = new Int32Array(0);
  readonly visitor: Uint8Array | null;
  readonly day: Int32Array | null;
  readonly duration: Float64Array | null;
  readonly client: Uint32Array | null;
  readonly agent: Uint32Array | null;
  readonly status = null;
  #head: Uint32Array = new Uint32Array(0);

  constructor({ visitors = false, clients = false }: Pick<Questions, 'visitors' | 'clients'> = {}) {
    this.visitor = visitors ? new Uint8Array(MOST_ROWS) : null;
    this.day = visitors ? new Int32Array(MOST_ROWS) : null;
    this.duration = visitors ? new Float64Array(MOST_ROWS) : null;
    this.client = clients ? new Uint32Array(MOST_ROWS) : null;
    this.agent = clients ? new Uint32Array(MOST_ROWS) : null;
    this.#open(BATCH_BYTES + SPARE);
    this.clear();
  }

  get rows(): number {
    return this.#head[HEAD.rows]!;
  }

  get used(): number {
    return this.#head[HEAD.used]!;
  }

  set used(bytes: number) {
    this.#head[HEAD.used] = bytes;
  }

  get isFull(): boolean {
    return this.rows === MOST_ROWS || this.used >= BATCH_BYTES;
  }

  reserve(needed: number): void {
    const { used, block } = this;
    if (used + needed <= this.bytes.length) return;
    const kept = u8At(block, TEXT + used);
    this.#open(used + needed + BATCH_BYTES);
    u8At(this.block, kept.length).set(kept);
    this.#head[HEAD.room] = this.bytes.length;
    giveBack({ byteOffset: block });
  }

  /** Adds a row for the URL written from `urlStart` to `used`. */
  add(urlStart: number, size: number, sketch: Span | null): void {
    const row = this.rows;
    this.urlStart[row] = urlStart;
    this.urlEnd[row] = this.sketchStart[row] = this.used;
    this.size[row] = size;
    if (sketch !== null && sketch.end > sketch.start) this.#write(sketch);
    this.sketchEnd[row] = this.used;
    this.#head[HEAD.rows] = row + 1;
  }

  clear(): void {
    this.#head[HEAD.rows] = this.#head[HEAD.used] = 0;
  }

  /** Returns the batch, which the caller owns from now on, and starts another. */
  take(): RecordBatch {
    const { rows, block, used } = this;
    const batch = {
      rows,
      block,
      bytes: this.bytes.subarray(0, used),
      urlStart: this.urlStart.subarray(0, rows),
      urlEnd: this.urlEnd.subarray(0, rows),
      size: this.size.subarray(0, rows),
      sketchStart: this.sketchStart.subarray(0, rows),
      sketchEnd: this.sketchEnd.subarray(0, rows),
      // Not in the heap.
      visitor: this.visitor === null ? null : this.visitor.slice(0, rows),
      day: this.day === null ? null : this.day.slice(0, rows),
      duration: this.duration === null ? null : this.duration.slice(0, rows),
      client: this.client === null ? null : this.client.slice(0, rows),
      agent: this.agent === null ? null : this.agent.slice(0, rows),
      status: null,
    };
    this.#open(BATCH_BYTES + SPARE);
    this.clear();
    return batch;
  }

  /** Frees its memory. */
  close(): void {
    giveBack({ byteOffset: this.block });
  }

  #open(room: number): void {
    this.block = alloc(TEXT + room + SLACK);
    this.#head = u32At(this.block, BATCH.SIZES / 4);
    this.#head[HEAD.room] = room;
    this.size = f64At(this.block + BATCH.SIZES, MOST_ROWS);
    this.urlStart = i32At(this.block + BATCH.URL_START, MOST_ROWS);
    this.urlEnd = i32At(this.block + BATCH.URL_END, MOST_ROWS);
    this.sketchStart = i32At(this.block + BATCH.SKETCH_START, MOST_ROWS);
    this.sketchEnd = i32At(this.block + BATCH.SKETCH_END, MOST_ROWS);
    const text = u8At(this.block + TEXT, room);
    this.bytes = Buffer.from(text.buffer, text.byteOffset, room);
  }

  #write({ bytes, start, end }: Span): void {
    this.reserve(end - start);
    this.bytes.set(bytes.subarray(start, end), this.used);
    this.used += end - start;
  }
}

/** Frees the memory of a batch, if it is in the heap. */
export function giveBackBatch({ block }: RecordBatch): void {
  if (block !== null) giveBack({ byteOffset: block });
}
