// Reads files with several threads, plain files in parts, and yields the batches in the order of inputs and lines. So
// the result is the same as with one thread.
//
//   file 1   part 1 ──→ thread 1 ──┐
//            part 2 ──→ thread 2 ──┼──→ batches in order ──→ this thread, that builds the URL list
//   file 2   packed ──→ thread 3 ──┘
//
// If no thread has begun a part when its turn comes, for example while threads start, it is read here. Everything that
// is not a file is read here too (standard input, pipes).
import { statSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { systemName } from '../base/file-name.js';
import { giveBackBatch } from './batch.js';
import type { Input } from './bytes.js';
import { checkFormatOptions, refusalOfHead } from './format/choose.js';
import { HEAD_BYTES } from './format/detect.js';
import { emptyCounts } from './line-reader.js';
import { isParquet } from './parquet/magic.js';
import { isParquetFile } from './parquet/open.js';
import { GroupsReading, parseGroupsHere } from './parquet/reading.js';
import { type Parsed, type ParserOptions, PartParser, type PartSource, sourceOf } from './part-parser.js';
import { type FilePart, filePartsOf, plainFile, type PlainFile, readRange } from './parts.js';
import type { TextRange } from './range.js';
import { type ReadOptions, readRecords, type ReadReport, summarize } from './read.js';
import { ReaderPool, type Task } from './reader-pool.js';
import type { LineCounts, RecordBatch } from './record.js';
import { MAGIC_BYTES, packingOf } from './unpack.js';
import { addMisread } from './misread.js';
import { addWays, newWays } from './ways.js';

/** More threads would only wait: the URL list, which one thread fills, keeps up with two or three. */
const MOST_THREADS = 6;
/** The number of parts per thread that are read ahead. */
const AHEAD = 2;
/** Less is read here, as a thread takes 90 ms to start. */
const MIN_BYTES = 8 << 20;
/** The least ratio of text to compressed size. */
const PACKED = 8;

/** Like {@link readRecords}, with up to `threads` - 1 threads beside the caller's. */
export async function* readRecordsParallel(
  inputs: readonly Input[],
  options: ReadOptions,
  report: ReadReport,
  threads: number,
): AsyncGenerator<RecordBatch> {
  checkFormatOptions(options); // reports wrong options before anything is opened
  const sizes = inputs.map(textBytes);
  const parsing = { ...parserOptions(options), memory: memoryOf(options) };
  if (threads <= 1 || sum(sizes) < MIN_BYTES) return yield* readHere(inputs, sizes, options, parsing, report);
  const pool = new ReaderPool(Math.min(threads - 1, MOST_THREADS), parsing);
  const parser = new PartParser(parsing);
  const open: (Reading | null)[] = [];
  const ahead = () => Math.max(2, Math.ceil((AHEAD * pool.threads) / Math.max(1, open.length)));
  const begin = (input: Input, id: number, bytes: number): Reading => {
    if (isParquetFile(input.path)) {
      pool.startAll();
      return new GroupsReading(input, id, options, { pool, parser, ahead });
    }
    const parts = partsOf(input, id, options);
    if (parts === null || (parts.source.isInOrder === true && !isQuick(parts.source, parsing)))
      return pool.readFile(input.name, input.path!, bytes, input.range);
    if (parts.source.isInOrder === true) return new OrderedReading(parts, parsing);
    if (!isQuick(parts.source, parsing)) pool.startAll();
    return new PartsReading(parts, pool, parser, ahead);
  };
  let next = 0;
  try {
    for (const input of inputs) {
      for (; next < inputs.length && open.length < pool.threads; next++) {
        open.push(sizes[next] === 0 ? null : begin(inputs[next]!, next, sizes[next]!));
      }
      const reading = open[0]!;
      if (reading === null) yield* readRecords([input], options, report);
      else yield* handOn(reading.results(), input.name, options, report);
      open.shift();
    }
  } finally {
    for (const reading of open) reading?.close();
    await pool.stop();
    parser.close();
  }
}

/** True if the kernel reads most lines. */
function isQuick({ hasPlainLines }: PartSource, { memory, filters }: ParserOptions): boolean {
  return hasPlainLines && memory === 'heap' && filters === undefined;
}

/** Reads everything in this thread; plain files in parts too, as the kernel reads these. */
async function* readHere(
  inputs: readonly Input[],
  sizes: readonly number[],
  options: ReadOptions,
  parsing: ParserOptions,
  report: ReadReport,
): AsyncGenerator<RecordBatch> {
  if (parsing.memory === 'own') return yield* readRecords(inputs, options, report);
  const parser = new PartParser(parsing);
  try {
    for (const [id, input] of inputs.entries()) {
      if (isParquetFile(input.path)) {
        yield* handOn(parseGroupsHere(input, id, options, parser), input.name, options, report);
        continue;
      }
      const parts = sizes[id] === 0 ? null : partsOf(input, id, options);
      if (parts === null) yield* readRecords([input], options, report);
      else yield* handOn(parseHere(parts, parser), input.name, options, report);
    }
  } finally {
    parser.close();
  }
}

async function* parseHere({ source, parts }: Parts, parser: PartParser): AsyncGenerator<Parsed> {
  for (const part of parts) {
    yield parser.parse(source, part);
    // Lets signals and the progress display run.
    await nextTurn();
  }
}

/** The bytes of text in a file, roughly; 0 if it is not a file, or cannot be read. */
export function textBytes({ path, range }: Input): number {
  if (path === undefined) return 0;
  try {
    const found = statSync(systemName(path));
    if (!found.isFile()) return 0;
    if (range !== undefined) return range.end - range.start;
    const head = readRange(path, 0, MAGIC_BYTES);
    return found.size * (packingOf(head) === null && !isParquet(head) ? 1 : PACKED);
  } catch {
    return 0; // the reader reports what is wrong
  }
}

/** Batches go to a URL table in the heap, except those with statuses. */
function memoryOf({ statuses }: ReadOptions): ParserOptions['memory'] {
  return statuses === true ? 'own' : 'heap';
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** The options that a thread needs. */
export function parserOptions(options: ReadOptions): ParserOptions {
  const { base, scheme, normalize, maxUrlLength, format, logFormat, columns } = options;
  const { filters, visitors, clients, answers, botRanges, statuses, facts } = options;
  return {
    base,
    scheme,
    normalize,
    maxUrlLength,
    wantsRejects: 'onReject' in options,
    ...('onWays' in options && { wantsWays: true }),
    memory: 'own',
    ...(format !== undefined && { format }),
    ...(logFormat !== undefined && { logFormat }),
    ...(columns !== undefined && { columns }),
    ...(filters !== undefined && { filters }),
    ...(visitors !== undefined && { visitors }),
    ...(clients !== undefined && { clients }),
    ...(answers !== undefined && { answers }),
    ...(botRanges !== undefined && { botRanges }),
    ...(statuses !== undefined && { statuses }),
    ...(facts !== undefined && { facts }),
  };
}

async function* handOn(
  results: AsyncIterable<Parsed>,
  name: string,
  options: ReadOptions,
  report: ReadReport,
): AsyncGenerator<RecordBatch> {
  const counts = emptyCounts();
  let lines = 0;
  let format: string | null = null;
  let reason: string | null = null;
  for await (const parsed of results) {
    options.signal?.throwIfAborted();
    for (const { number, cause, line } of parsed.rejects) options.onReject?.(name, lines + number, cause, line);
    const { misfit, firsts = {}, unreadQuery } = parsed.counts;
    for (const [cause, line] of Object.entries(firsts)) (counts.firsts ??= {})[cause] ??= lines + line;
    if (unreadQuery !== undefined) counts.unreadQuery = unreadQuery;
    if (parsed.counts.misread !== undefined) addMisread((counts.misread ??= {}), parsed.counts.misread, lines);
    if (misfit !== undefined) counts.misfit ??= { ...misfit, line: lines + misfit.line };
    if (parsed.counts.ways !== undefined) addWays((counts.ways ??= newWays()), parsed.counts.ways, lines);
    lines += parsed.lines;
    options.onProgress?.(parsed.taken.lines, parsed.taken.bytes);
    addCounts(counts, parsed.counts);
    report.forms.absolute += parsed.forms.absolute;
    report.forms.path += parsed.forms.path;
    ({ format, reason } = parsed);
    try {
      yield* parsed.batches;
    } finally {
      parsed.batches.forEach(giveBackBatch);
    }
    // The listener holds rejected lines until the next batch. So batches must come even if nothing is kept.
    if (options.onReject !== undefined && parsed.batches.length === 0) yield NOTHING;
    if (reason !== null) break;
  }
  if (counts.ways !== undefined) options.onWays?.(name, counts.ways);
  report.inputs.push(summarize(name, format ?? 'unknown', counts, { reason }));
}

function addCounts(counts: LineCounts, more: LineCounts): void {
  counts.lines += more.lines;
  counts.records += more.records;
  for (const kind of ['dropped', 'rejected'] as const) {
    for (const [cause, count] of Object.entries(more[kind])) {
      counts[kind][cause] = (counts[kind][cause] ?? 0) + count;
    }
  }
}

const NOTHING: RecordBatch = {
  block: null,
  rows: 0,
  bytes: new Uint8Array(0),
  urlStart: new Int32Array(0),
  urlEnd: new Int32Array(0),
  size: new Float64Array(0),
  sketchStart: new Int32Array(0),
  sketchEnd: new Int32Array(0),
  visitor: null,
  day: null,
  duration: null,
  client: null,
  agent: null,
  status: null,
};

/** A file that is being read. */
interface Reading {
  results(): AsyncGenerator<Parsed>;
  /** Frees batches that have come and were not taken. */
  close(): void;
}

interface Parts {
  readonly source: PartSource;
  readonly parts: Generator<FilePart>;
}

/** The parts of a file; null if it cannot be read in parts. */
function partsOf({ path, range }: Input, id: number, options: ReadOptions): Parts | null {
  const file = plainFile(path!, HEAD_BYTES);
  // Refused files are reported where whole files are read.
  const source = file === null || refusalOfHead(file.head, options) !== null ? null : sourceOf(id, file, options);
  if (file === null || source === null || (source.isInOrder === true && range !== undefined)) return null;
  return { source, parts: filePartsOf(within(file, range)) };
}

/** The file as if it had nothing but the range. */
function within(file: PlainFile, range: TextRange | undefined): PlainFile {
  if (range === undefined) return file;
  const { start, size } = file;
  return { ...file, start: start + range.start, size: Math.min(size, start + range.end) };
}

/** Reads parts one after the other in this thread: the kernel reads most lines. */
class OrderedReading implements Reading {
  readonly #parts: Parts;
  readonly #parsing: ParserOptions;

  constructor(parts: Parts, parsing: ParserOptions) {
    this.#parts = parts;
    this.#parsing = parsing;
  }

  async *results(): AsyncGenerator<Parsed> {
    const parser = new PartParser(this.#parsing);
    try {
      yield* parseHere(this.#parts, parser);
    } finally {
      parser.close();
    }
  }

  close(): void {}
}

class PartsReading implements Reading {
  readonly #source: PartSource;
  readonly #parts: Iterator<FilePart>;
  readonly #pool: ReaderPool;
  readonly #ahead: () => number;
  readonly #parser: PartParser;
  readonly #begun: { readonly part: FilePart; readonly task: Task }[] = [];

  constructor({ source, parts }: Parts, pool: ReaderPool, parser: PartParser, ahead: () => number) {
    this.#parser = parser;
    this.#source = source;
    this.#parts = parts;
    this.#pool = pool;
    this.#ahead = ahead;
    this.#begin();
  }

  async *results(): AsyncGenerator<Parsed> {
    for (let next = this.#begun.shift(); next !== undefined; next = this.#begun.shift()) {
      this.#begin();
      const { task, part } = next;
      if (!task.hasCome) this.#pool.hurry();
      if (!task.takeBack()) yield* task.results();
      else {
        yield this.#parser.parse(this.#source, part);
        await nextTurn();
      }
    }
  }

  close(): void {
    for (const { task } of this.#begun) task.close();
  }

  #begin(): void {
    while (this.#begun.length < this.#ahead()) {
      const next = this.#parts.next();
      if (next.done === true) return;
      this.#begun.push({ part: next.value, task: this.#pool.readPart(this.#source, next.value) });
    }
  }
}
