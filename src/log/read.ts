// Reads inputs into batches of records (SPEC 2):
//
//   bytes -> lines -> fields -> kept, dropped or rejected -> URL -> row
//
// Asynchronous between chunks; synchronous and without allocation within them. For every input, and so for the whole
// run, lines = records + dropped + rejected. An empty line counts, rejected as `empty`; the header of a table does not.
import type { UrlForm } from '../url/parse.js';
import { Forgeries } from './agents/addresses.js';
import { BatchBuilder } from './batch.js';
import { type Input, measured, peek, readBytes } from './bytes.js';
import { type ComposeOptions, Composer, type FormCounts } from './compose.js';
import { createFilter, type Questions, wantsOf } from './filter.js';
import { checkFormatOptions, chooseFormat, type FormatOptions, openFormat, refusalOfHead } from './format/choose.js';
import { HEAD_BYTES } from './format/detect.js';
import { nameOfShape, shapeOf, unreadQueryIn } from './format/shape.js';
import { emptyCounts, type LineOutput, LineReader, type OnRejectedLine, type OnRequest } from './line-reader.js';
import { joinQuoted, readLines } from './lines.js';
import { OwnTargets, targetsOf } from './own-target.js';
import { BadParquet, isParquet } from './parquet/magic.js';
import { tableOf } from './parquet/open.js';
import { isOutside } from './parquet/parse.js';
import { textOf } from './parquet/table.js';
import { inRange } from './range.js';
import type { Condition, InputSummary, LineCounts, LineWays, RecordBatch } from './record.js';

export interface ReadOptions extends ComposeOptions, FormatOptions, Questions {
  /** `line` is valid only during the call, and truncated if it is longer than a line may be. */
  onReject?(input: string, lineNumber: number, cause: string, line: Uint8Array): void;
  /** With `requests`: gets each request for a page, also those that are dropped because of their status. */
  readonly onRequest?: OnRequest;
  /** Gets the ways that the lines of each input took, once it has been read. */
  onWays?(input: string, ways: LineWays): void;
  readonly signal?: AbortSignal;
  /** Gets the lines that were read, and the bytes of inputs as stored, compressed or not. */
  onProgress?(lines: number, bytes: number): void;
}

/** Grows while records are read: an input is added once it has been read to its end. */
export interface ReadReport {
  readonly inputs: InputSummary[];
  readonly forms: FormCounts;
  /** The form of the URLs so far; `absolute` while there are none. */
  readonly urlForm: UrlForm;
}

export function createReadReport(): ReadReport {
  const forms = { absolute: 0, path: 0 };
  return {
    inputs: [],
    forms,
    get urlForm() {
      return formOf(forms);
    },
  };
}

/** The next batch overwrites the last one. */
export async function* readRecords(
  inputs: readonly Input[],
  options: ReadOptions,
  report: ReadReport,
): AsyncGenerator<RecordBatch> {
  checkFormatOptions(options); // reports wrong options before anything is opened
  const builder = new BatchBuilder(options);
  const composer = new Composer(options, report.forms);
  const filter = createFilter(options.filters);
  const wantsWays = options.onWays !== undefined;
  const { botRanges, onRequest } = options;
  const forgeries = botRanges && new Forgeries(botRanges);
  const output = { builder, composer, filter, own: new OwnTargets(options), wantsWays, onRequest, forgeries };
  for (const input of inputs) yield* readInput(input, options, output, report);
}

async function* readInput(
  input: Input,
  options: ReadOptions,
  output: LineOutput,
  report: ReadReport,
): AsyncGenerator<RecordBatch> {
  const condition: Condition = { reason: null };
  const taken = { lines: 0, bytes: 0 };
  const metered = options.onProgress === undefined ? input : measured(input, (bytes) => (taken.bytes += bytes));
  const [head, chunks] = await peek(readBytes(metered, condition), HEAD_BYTES);
  if (isParquet(head)) {
    for await (const _ of chunks) break; // closes the input
    return yield* readParquet(input, options, output, report);
  }
  const refused = refusalOfHead(head, options);
  if (refused !== null) {
    for await (const _ of chunks) break; // closes the input
    report.inputs.push(summarize(input.name, 'unknown', emptyCounts(), { reason: refused }));
    return;
  }
  const shape = chooseFormat(head, options);
  const format = shape === null ? null : openFormat(shape, options, wantsOf(options));
  const formsBefore = { ...report.forms };
  let isIgnored = input.range !== undefined && input.range.start > 0;
  const onReject =
    options.onReject &&
    ((...line: Parameters<OnRejectedLine>) => {
      if (!isIgnored) options.onReject!(input.name, ...line);
    });
  const reader = new LineReader({ format, targets: targetsOf(head, shape, options) }, output, onReject);
  const { builder } = output;
  // What comes before the range is read only because it decides how the lines of the range are read.
  const begin = () => {
    isIgnored = false;
    builder.clear();
    reader.restart();
    Object.assign(report.forms, formsBefore);
  };
  const before = format?.earlierLines === undefined ? 'skipped' : 'given';
  const asked = input.range === undefined ? chunks : inRange(chunks, input.range, before, begin);
  const lines = format?.linesOf?.(asked, condition) ?? readLines(asked);
  for await (const batch of format?.quotedBy === undefined ? lines : joinQuoted(lines, format.quotedBy)) {
    options.signal?.throwIfAborted();
    if (isIgnored) {
      for (const _ of reader.read(batch));
      continue;
    }
    yield* reader.read(batch);
    if (options.onProgress !== undefined) {
      options.onProgress(reader.counts.lines - taken.lines, taken.bytes);
      taken.lines = reader.counts.lines;
      taken.bytes = 0;
    }
    if (options.onReject === undefined) continue;
    // The listener holds rejected lines until the next batch. So batches must come even if nothing is kept.
    yield builder;
    builder.clear();
  }
  if (!builder.isEmpty) yield builder;
  builder.clear();
  if (reader.counts.ways !== undefined) options.onWays?.(input.name, reader.counts.ways);
  const counts = { ...reader.counts, ...unreadQueryIn(shape) };
  report.inputs.push(summarize(input.name, shape === null ? 'unknown' : nameOfShape(shape), counts, condition));
}

/** Reads a Parquet file, whose rows are lines of text. */
async function* readParquet(
  input: Input,
  options: ReadOptions,
  output: LineOutput,
  report: ReadReport,
): AsyncGenerator<RecordBatch> {
  const condition: Condition = { reason: null };
  let counts = emptyCounts();
  try {
    const table = await tableOf(input, options);
    const format = openFormat(shapeOf('parquet'), { columns: table.columns }, wantsOf(options));
    let skipped = 0;
    const rejected: OnRejectedLine | undefined =
      options.onReject && ((number, cause, line) => options.onReject!(input.name, skipped + number, cause, line));
    const reader = new LineReader({ format, targets: 'any' }, output, rejected);
    ({ counts } = reader);
    const { groups } = table.file;
    async function* pieces(): AsyncGenerator<Buffer> {
      for (const [group, { rows }] of groups.entries()) {
        if (isOutside(table, group, options.filters ?? {})) {
          skipped += rows;
          counts.lines += rows;
          counts.dropped['time'] = (counts.dropped['time'] ?? 0) + rows;
          continue;
        }
        for (const piece of textOf(table, group)) {
          yield piece.text;
          options.onProgress?.(piece.rows, 0);
        }
      }
    }
    for await (const batch of readLines(pieces())) {
      options.signal?.throwIfAborted();
      yield* reader.read(batch);
      if (options.onReject === undefined) continue;
      yield output.builder;
      output.builder.clear();
    }
    options.onProgress?.(
      0,
      groups.reduce((sum, { bytes }) => sum + bytes, 0),
    );
  } catch (error) {
    if (!(error instanceof BadParquet)) throw error;
    condition.reason = error.message;
  }
  if (!output.builder.isEmpty) yield output.builder;
  output.builder.clear();
  if (counts.ways !== undefined) options.onWays?.(input.name, counts.ways);
  report.inputs.push(summarize(input.name, 'parquet', counts, condition));
}

function formOf({ absolute, path }: FormCounts): UrlForm {
  if (path === 0) return 'absolute';
  return absolute === 0 ? 'path' : 'mixed';
}

/** Causes are sorted by name, so that the summary does not depend on their order. */
export function summarize(name: string, format: string, counts: LineCounts, { reason }: Condition): InputSummary {
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
    ...(counts.misfit !== undefined && { misfit: counts.misfit }),
    ...(counts.firsts !== undefined && { firsts: sorted(counts.firsts) }),
    ...(counts.unreadQuery !== undefined && { unreadQuery: counts.unreadQuery }),
    ...(counts.misread !== undefined && { misread: counts.misread }),
  };
}
