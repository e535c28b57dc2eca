// The rows that readers write and the URL table takes in: one arena for all bytes of a batch, one column per field.
import { FULL_BYTES } from '../kernel/layout/batch.js';
import type { Arena } from './compose.js';
import type { Questions } from './filter.js';
import type { Span } from './format/format.js';
import type { RecordBatch } from './record.js';

const BATCH_ROWS = 4096;
export const BATCH_BYTES = FULL_BYTES;

export class BatchBuilder implements RecordBatch, Arena {
  readonly block = null;
  rows = 0;
  used = 0;
  /** Grows when a batch becomes larger: many logs are small files. */
  bytes = Buffer.allocUnsafeSlow(1 << 16);
  readonly urlStart = new Int32Array(BATCH_ROWS);
  readonly urlEnd = new Int32Array(BATCH_ROWS);
  readonly size = new Float64Array(BATCH_ROWS);
  readonly sketchStart = new Int32Array(BATCH_ROWS);
  readonly sketchEnd = new Int32Array(BATCH_ROWS);
  readonly visitor: Uint8Array | null;
  readonly day: Int32Array | null;
  readonly duration: Float64Array | null;
  readonly client: Uint32Array | null;
  readonly agent: Uint32Array | null;
  readonly status: Int16Array | null;

  constructor({ visitors = false, clients = false, statuses = false }: Omit<Questions, 'filters'> = {}) {
    this.visitor = visitors ? new Uint8Array(BATCH_ROWS) : null;
    this.day = visitors ? new Int32Array(BATCH_ROWS) : null;
    this.duration = visitors ? new Float64Array(BATCH_ROWS) : null;
    this.client = clients ? new Uint32Array(BATCH_ROWS) : null;
    this.agent = clients ? new Uint32Array(BATCH_ROWS) : null;
    this.status = statuses ? new Int16Array(BATCH_ROWS) : null;
  }

  get isFull(): boolean {
    return this.rows === BATCH_ROWS || this.used >= BATCH_BYTES;
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
  }

  /** Returns the batch and starts another. */
  take(): RecordBatch {
    return copyOf(this);
  }

  #write({ bytes, start, end }: Span): void {
    this.reserve(end - start);
    this.bytes.set(bytes.subarray(start, end), this.used);
    this.used += end - start;
  }
}

/** A copy of a batch, in memory of its own. */
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
  };
}
