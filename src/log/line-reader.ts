// Lines of one input -> rows of a batch: fields, then kept, dropped or rejected, then the URL (SPEC 2). Allocates nothing
// for a line.
import type { BatchBuilder } from './batch.js';
import { BotJudge } from './bots.js';
import type { Composer } from './compose.js';
import type { LineFilter } from './filter.js';
import {
  clearFields,
  createFields,
  HEADER,
  isMissing,
  SITEMAP_INDEX,
  type Fields,
  type LineFormat,
  type Span,
} from './format/format.js';
import { MAX_LINE_BYTES, type LineBatch } from './lines.js';
import {
  describesPage,
  dropped,
  refusalOf,
  rejected,
  VISITOR,
  type LineCounts,
  type RecordBatch,
  type Refusal,
} from './record.js';

/** `line` is valid during the call only, and cut where it is longer than a line may be. */
export type OnRejectedLine = (lineNumber: number, cause: string, line: Uint8Array) => void;

/** Where records go, and what stands before it. */
export interface ReadOutput {
  readonly builder: BatchBuilder;
  readonly composer: Composer;
  /** Null where every record is wanted. */
  readonly filter: LineFilter | null;
}

const EMPTY = rejected('empty');
const TOO_LONG = rejected('line-too-long');
const UNKNOWN_FORMAT = rejected('unknown-format');

export class LineReader {
  /** To be replaced by who wants to count anew. */
  counts: LineCounts = emptyCounts();
  readonly #fields: Fields = createFields();
  readonly #format: LineFormat | null;
  readonly #onReject: OnRejectedLine | undefined;
  readonly #builder: BatchBuilder;
  readonly #composer: Composer;
  readonly #filter: LineFilter | null;
  /** Null where nobody asks who came. */
  readonly #bots: BotJudge | null;
  readonly #refusals = new Map<string, Refusal>();

  /** `format` is null where none was recognised: every line is then rejected. */
  constructor(format: LineFormat | null, { builder, composer, filter }: ReadOutput, onReject?: OnRejectedLine) {
    this.#format = format;
    this.#onReject = onReject;
    this.#builder = builder;
    this.#composer = composer;
    this.#filter = filter;
    this.#bots = builder.visitor === null ? null : new BotJudge();
  }

  /** Reads all lines of the batch; yields whenever the builder is full. */
  *read(batch: LineBatch): Generator<RecordBatch> {
    for (let line = 0; line < batch.lines; line++) {
      const start = batch.start[line]!;
      const end = batch.end[line]!;
      const refusal = this.#readLine(batch.bytes, start, end);
      if (refusal !== null) this.#refuse(refusal, batch, line);
      if (!this.#builder.isFull) continue;
      yield this.#builder;
      this.#builder.clear();
    }
  }

  #readLine(bytes: Buffer, start: number, end: number): Refusal | null {
    this.counts.lines++;
    if (end - start > MAX_LINE_BYTES) return TOO_LONG;
    if (isBlank(bytes, start, end)) return EMPTY;
    if (this.#format === null) return UNKNOWN_FORMAT;
    const fields = this.#fields;
    clearFields(fields);
    const cause = this.#format.parse(bytes, start, end, fields);
    if (cause !== null) return this.#rejection(cause);
    const urlStart = this.#builder.used;
    const refusal = refusalOf(fields.method, fields.status) ?? this.#compose(fields);
    if (refusal !== null) return refusal;
    if (this.#bots !== null) this.#builder.visitor![this.#builder.rows] = visitorOf(fields.agent, this.#bots);
    const speaks = describesPage(fields.method, fields.status);
    this.#builder.add(urlStart, speaks ? fields.size : -1, speaks ? fields.sketch : null);
    this.counts.records++;
    return null;
  }

  /** Writes the URL, unless a filter has something against the line. */
  #compose(fields: Fields): Refusal | null {
    const filter = this.#filter;
    const builder = this.#builder;
    if (filter === null) return this.#composer.compose(fields, builder);
    const { used } = builder;
    const refusal = filter.judgeTime(fields.time) ?? this.#composer.compose(fields, builder);
    if (refusal !== null) return refusal;
    const other = filter.judgeUrl(builder.bytes, used, builder.used) ?? filter.judgeAgent(fields.agent);
    if (other !== null) this.#composer.takeBack(builder, used);
    return other;
  }

  #rejection(cause: string): Refusal {
    let refusal = this.#refusals.get(cause);
    if (refusal === undefined) {
      refusal = cause === SITEMAP_INDEX ? dropped(cause) : rejected(cause);
      this.#refusals.set(cause, refusal);
    }
    return refusal;
  }

  #refuse({ kind, cause }: Refusal, batch: LineBatch, line: number): void {
    if (cause === HEADER) {
      this.counts.lines--;
      return;
    }
    this.counts[kind][cause] = (this.counts[kind][cause] ?? 0) + 1;
    if (kind === 'dropped' || this.#onReject === undefined) return;
    const bytes = batch.bytes.subarray(batch.start[line], batch.end[line]);
    this.#onReject(batch.number[line]!, cause, bytes);
  }
}

function visitorOf(agent: Span, bots: BotJudge): number {
  if (isMissing(agent)) return VISITOR.unknown;
  return bots.isBot(agent.bytes, agent.start, agent.end) ? VISITOR.bot : VISITOR.person;
}

export function emptyCounts(): LineCounts {
  return { lines: 0, records: 0, dropped: {}, rejected: {} };
}

/** True if there is nothing but blanks in bytes[start, end). */
export function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] !== 0x20 && bytes[at] !== 0x09) return false;
  return true;
}
