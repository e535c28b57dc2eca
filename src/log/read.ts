// What came in? Inputs -> batches of records (SPEC 2):
//
//   bytes -> lines -> fields -> kept, dropped or rejected -> URL -> row
//
// Asynchronous between chunks, synchronous and without allocation inside. For every input, and so for the whole run,
// lines = records + dropped + rejected. An empty line is a line, rejected as `empty`; the header of a table is none.
import type { UrlForm } from '../url/parse.js';
import { BatchBuilder } from './batch.js';
import { peek, readBytes, type Condition, type Input } from './bytes.js';
import { Composer, type ComposeOptions } from './compose.js';
import { createColumnReader, type ColumnNames } from './format/column.js';
import { createFormat, detectFormat, HEAD_BYTES } from './format/detect.js';
import { clearFields, createFields, HEADER, type Fields, type FormatName, type LineFormat } from './format/format.js';
import { MAX_LINE_BYTES, readLines, type LineBatch } from './lines.js';
import { joinQuoted } from './quoted.js';
import { describesPage, refusalOf, rejected, type InputSummary, type LineCounts, type RecordBatch } from './record.js';
import type { Refusal } from './record.js';

export interface ReadOptions extends ComposeOptions {
  /** Detected for each input by itself where it is not given. */
  readonly format?: FormatName;
  readonly columns?: ColumnNames;
  /** `line` is valid during the call only, and cut where it is longer than a line may be. */
  onReject?(input: string, lineNumber: number, cause: string, line: Uint8Array): void;
  readonly signal?: AbortSignal;
}

/** Grows while records are read: an input is added once it was read to its end. */
export interface ReadReport {
  readonly inputs: InputSummary[];
  /** Form of the URLs so far; `absolute` while there are none. */
  urlForm: UrlForm;
}

const EMPTY = rejected('empty');
const TOO_LONG = rejected('line-too-long');
const UNKNOWN_FORMAT = rejected('unknown-format');

export function createReadReport(): ReadReport {
  return { inputs: [], urlForm: 'absolute' };
}

/** The batch is written over when the next one is asked for. */
export async function* readRecords(
  inputs: readonly Input[],
  options: ReadOptions,
  report: ReadReport,
): AsyncGenerator<RecordBatch> {
  createColumnReader(options.columns); // wrong options are told before anything is opened
  const builder = new BatchBuilder();
  const composer = new Composer(options);
  for (const input of inputs) {
    for await (const batch of readInput(input, options, builder, composer, report)) {
      report.urlForm = formOf(composer);
      yield batch;
    }
  }
  report.urlForm = formOf(composer);
}

async function* readInput(
  input: Input,
  options: ReadOptions,
  builder: BatchBuilder,
  composer: Composer,
  report: ReadReport,
): AsyncGenerator<RecordBatch> {
  const condition: Condition = { reason: null };
  const [head, chunks] = await peek(readBytes(input, condition), HEAD_BYTES);
  const name = options.format ?? detectFormat(head, options.columns);
  const format = name === null ? null : createFormat(name, options.columns);
  const reader = new LineReader(input.name, format, options, builder, composer);
  const lines = readLines(chunks);
  for await (const batch of format?.quotedBy === undefined ? lines : joinQuoted(lines, format.quotedBy)) {
    options.signal?.throwIfAborted();
    yield* reader.read(batch);
    if (options.onReject === undefined) continue;
    // Whoever listens holds rejected lines until the next batch: even where nothing is kept, they must not pile up.
    yield builder;
    builder.clear();
  }
  if (builder.rows > 0) yield builder;
  builder.clear();
  report.inputs.push(summarize(input.name, name ?? 'unknown', reader.counts, condition));
}

class LineReader {
  readonly counts: LineCounts = { lines: 0, records: 0, dropped: {}, rejected: {} };
  readonly #fields: Fields = createFields();
  readonly #input: string;
  readonly #format: LineFormat | null;
  readonly #options: ReadOptions;
  readonly #builder: BatchBuilder;
  readonly #composer: Composer;
  readonly #refusals = new Map<string, Refusal>();

  constructor(
    input: string,
    format: LineFormat | null,
    options: ReadOptions,
    builder: BatchBuilder,
    composer: Composer,
  ) {
    this.#input = input;
    this.#format = format;
    this.#options = options;
    this.#builder = builder;
    this.#composer = composer;
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
    const refusal = refusalOf(fields.method, fields.status) ?? this.#composer.compose(fields, this.#builder);
    if (refusal !== null) return refusal;
    const speaks = describesPage(fields.method, fields.status);
    this.#builder.add(urlStart, speaks ? fields.size : -1, speaks ? fields.sketch : null);
    this.counts.records++;
    return null;
  }

  #rejection(cause: string): Refusal {
    let refusal = this.#refusals.get(cause);
    if (refusal === undefined) this.#refusals.set(cause, (refusal = rejected(cause)));
    return refusal;
  }

  #refuse({ kind, cause }: Refusal, batch: LineBatch, line: number): void {
    if (cause === HEADER) {
      this.counts.lines--;
      return;
    }
    this.counts[kind][cause] = (this.counts[kind][cause] ?? 0) + 1;
    if (kind === 'dropped') return;
    const bytes = batch.bytes.subarray(batch.start[line], batch.end[line]);
    this.#options.onReject?.(this.#input, batch.number[line]!, cause, bytes);
  }
}

function isBlank(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] !== 0x20 && bytes[at] !== 0x09) return false;
  return true;
}

function formOf({ absolute, path }: Composer): UrlForm {
  if (path === 0) return 'absolute';
  return absolute === 0 ? 'path' : 'mixed';
}

/** Causes in the order of their names, so that the summary does not depend on which came first. */
function summarize(name: string, format: string, counts: LineCounts, { reason }: Condition): InputSummary {
  const sorted = (causes: Record<string, number>) =>
    Object.fromEntries(Object.entries(causes).sort(([a], [b]) => (a < b ? -1 : 1)));
  return {
    name,
    format,
    lines: counts.lines,
    records: counts.records,
    dropped: sorted(counts.dropped),
    rejected: sorted(counts.rejected),
    truncated: reason !== null,
    ...(reason !== null && { reason }),
  };
}
