// The rows that readers write and the URL table takes in: one arena for all bytes of a batch, and one column per field.
// They are in memory of this thread, or in the heap that all threads share.
import { alloc, f64At, giveBack, i32At, u32At, u8At } from '../base/heap.js';
import * as BATCH from '../kernel/layout/batch.js';
import { FULL_BYTES } from '../kernel/layout/batch.js';
import { AnswerBuilder } from './answers.js';
import type { Arena } from './compose.js';
import { type Questions, wantsFacts } from './filter.js';
import type { Span } from './format/format.js';
import type { OtherAnswers, RecordBatch } from './record.js';

const BATCH_ROWS = 4096;
/** A line may take a second row. */
const ROOM = BATCH_ROWS + 1;
const BATCH_BYTES = FULL_BYTES;

export class BatchBuilder implements RecordBatch, Arena {
  readonly block = null;
  rows = 0;
  used = 0;
  /** Grows on demand, as many logs are small files. */
  bytes = Buffer.allocUnsafeSlow(1 << 16);
  readonly urlStart = new Int32Array(ROOM);
  readonly urlEnd = new Int32Array(ROOM);
  readonly size = new Float64Array(ROOM);
  readonly sketchStart = new Int32Array(ROOM);
  readonly sketchEnd = new Int32Array(ROOM);
  readonly visitor: Uint8Array | null;
  readonly day: Int32Array | null;
  readonly duration: Float64Array | null;
  readonly client: Uint32Array | null;
  readonly agent: Uint32Array | null;
  readonly status: Int16Array | null;
  /** Null unless requested. */
  readonly others: AnswerBuilder | null;
  readonly unlisted: Map<string, number> | null;

  /** True if sketches have facts before them (kernel/layout/facts). */
  readonly hasFacts: boolean;

  constructor(questions: Omit<Questions, 'filters'> = {}) {
    const { visitors = false, clients = false, answers = false, statuses = false } = questions;
    this.hasFacts = wantsFacts(questions);
    this.visitor = visitors ? new Uint8Array(ROOM) : null;
    this.day = visitors ? new Int32Array(ROOM) : null;
    this.duration = visitors ? new Float64Array(ROOM) : null;
    this.client = clients ? new Uint32Array(ROOM) : null;
    this.agent = clients ? new Uint32Array(ROOM) : null;
    this.others = answers ? new AnswerBuilder() : null;
    this.unlisted = answers ? new Map() : null;
    this.status = statuses ? new Int16Array(ROOM) : null;
  }

  get answers(): OtherAnswers | null {
    return this.others?.take() ?? null;
  }

  get isFull(): boolean {
    return this.rows >= BATCH_ROWS || this.used >= BATCH_BYTES || this.others?.isFull === true;
  }

  /** True if there is nothing to take. */
  get isEmpty(): boolean {
    return this.rows === 0 && (this.others === null || this.others.rows === 0);
  }

  reserve(needed: number): void {
    if (this.used + needed <= this.bytes.length) return;
    const grown = Buffer.allocUnsafeSlow(this.used + needed + BATCH_BYTES);
    this.bytes.copy(grown, 0, 0, this.used);
    this.bytes = grown;
  }

  /** Adds a row for the URL written from `urlStart` to `used`. */
  add(urlStart: number, size: number, sketch: Span | null): void {
    const row = this.rows++;
    this.urlStart[row] = urlStart;
    this.urlEnd[row] = this.used;
    this.size[row] = size;
    this.sketchStart[row] = this.used;
    if (sketch !== null && sketch.end > sketch.start) this.#write(sketch);
    this.sketchEnd[row] = this.used;
  }

  clear(): void {
    this.rows = 0;
    this.used = 0;
    this.others?.clear();
    this.unlisted?.clear();
  }

  /** Returns the batch and begins another. */
  take(): RecordBatch {
    return copyOf(this);
  }

  #write({ bytes, start, end }: Span): void {
    this.reserve(end - start);
    this.bytes.set(bytes.subarray(start, end), this.used);
    this.used += end - start;
  }
}

/** A copy of a batch, with its own memory. */
export function copyOf(batch: RecordBatch): RecordBatch {
  const { rows } = batch;
  const used = rows === 0 ? 0 : batch.sketchEnd[rows - 1]!;
  return {
    rows,
    block: null,
    // Buffer.slice would give a view.
    bytes: Uint8Array.prototype.slice.call(batch.bytes, 0, used),
    urlStart: batch.urlStart.slice(0, rows),
    urlEnd: batch.urlEnd.slice(0, rows),
    size: batch.size.slice(0, rows),
    sketchStart: batch.sketchStart.slice(0, rows),
    sketchEnd: batch.sketchEnd.slice(0, rows),
    visitor: batch.visitor === null ? null : batch.visitor.slice(0, rows),
    day: batch.day === null ? null : batch.day.slice(0, rows),
    duration: batch.duration === null ? null : batch.duration.slice(0, rows),
    client: batch.client === null ? null : batch.client.slice(0, rows),
    agent: batch.agent === null ? null : batch.agent.slice(0, rows),
    status: batch.status === null ? null : batch.status.slice(0, rows),
    answers: batch.answers ?? null,
    unlisted: batch.unlisted ? new Map(batch.unlisted) : null,
  };
}

// A batch in the heap: threads write it, and the URL table folds it in without a copy. It has the layout of
// kernel/layout/batch, as the kernel writes rows too (kernel/read/plain-url).

const { MOST_ROWS, TEXT } = BATCH;
/** Extra room behind the text: SLACK because some writes are sixteen bytes wide, SPARE for long lines. */
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
  /** Null unless requested. */
  readonly others: AnswerBuilder | null;
  readonly unlisted: Map<string, number> | null;
  /** True if sketches have facts before them (kernel/layout/facts). */
  readonly hasFacts: boolean;
  #head: Uint32Array = new Uint32Array(0);

  constructor(questions: Omit<Questions, 'filters'> = {}) {
    const { visitors = false, clients = false, answers = false } = questions;
    this.hasFacts = wantsFacts(questions);
    this.visitor = visitors ? new Uint8Array(MOST_ROWS) : null;
    this.day = visitors ? new Int32Array(MOST_ROWS) : null;
    this.duration = visitors ? new Float64Array(MOST_ROWS) : null;
    this.client = clients ? new Uint32Array(MOST_ROWS) : null;
    this.agent = clients ? new Uint32Array(MOST_ROWS) : null;
    this.others = answers ? new AnswerBuilder() : null;
    this.unlisted = answers ? new Map() : null;
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

  get answers(): OtherAnswers | null {
    return this.others?.take() ?? null;
  }

  get isFull(): boolean {
    // A line may take a second row.
    return this.rows >= MOST_ROWS - 1 || this.used >= BATCH_BYTES || this.others?.isFull === true;
  }

  /** True if there is nothing to take. */
  get isEmpty(): boolean {
    return this.rows === 0 && (this.others === null || this.others.rows === 0);
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
    this.others?.clear();
    this.unlisted?.clear();
  }

  /** Returns the batch, which the caller then owns, and begins another. */
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
      // This column is not in the heap, so it is copied.
      visitor: this.visitor === null ? null : this.visitor.slice(0, rows),
      day: this.day === null ? null : this.day.slice(0, rows),
      duration: this.duration === null ? null : this.duration.slice(0, rows),
      client: this.client === null ? null : this.client.slice(0, rows),
      agent: this.agent === null ? null : this.agent.slice(0, rows),
      status: null,
      answers: this.answers,
      unlisted: this.unlisted && new Map(this.unlisted),
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
