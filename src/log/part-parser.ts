// Parses parts of a file into batches of records, each part independently. Reader threads run this.
import { Forgeries } from './agents/addresses.js';
import { TAB } from '../base/ascii.js';
import { BatchBuilder, HeapBatchBuilder } from './batch.js';
import { unreadable } from './bytes.js';
import { type ComposeOptions, Composer, type FormCounts } from './compose.js';
import { createFilter, type LineFilter, type Questions, wantsOf } from './filter.js';
import { chooseFormat, type FormatOptions, openFormat } from './format/choose.js';
import type { ColumnNames } from './format/column.js';
import { clearFields, createFields, type LineFormat, NO_WANTS, TITLE } from './format/format.js';
import { nameOfShape, type Shape, shapeOf, unreadQueryIn } from './format/shape.js';
import { isBlank, LineReader } from './line-reader.js';
import { OwnTargets, type Targets, targetsOf } from './own-target.js';
import { type FilePart, PartReader, type PlainFile } from './parts.js';
import { PlainReader } from './plain-reader.js';
import type { LineCounts, RecordBatch } from './record.js';

export interface ParserOptions extends ComposeOptions, FormatOptions, Questions {
  readonly wantsRejects: boolean;
  readonly wantsWays?: boolean;
  /** Where to put batches. The caller owns, and frees, those in the heap. */
  readonly memory: 'heap' | 'own';
}

export interface RejectedLine {
  /** Counted from the first line of its part. */
  readonly number: number;
  readonly cause: string;
  readonly line: Uint8Array;
}

/** The result of reading some of an input. */
export interface Parsed {
  readonly batches: readonly RecordBatch[];
  readonly rejects: readonly RejectedLine[];
  readonly counts: LineCounts;
  /** All lines, including those that do not count. */
  readonly lines: number;
  readonly forms: FormCounts;
  /** The format of the whole input; null if none was recognized. */
  readonly format: string | null;
  /** Why the input could not be read to its end, or null. */
  readonly reason: string | null;
  /** For the progress display: the lines and bytes that this part has read. */
  readonly taken: { readonly lines: number; readonly bytes: number };
}

export class PartParser {
  readonly #options: ParserOptions;
  readonly #builder: BatchBuilder | HeapBatchBuilder;
  readonly #plain: PlainReader | null;
  readonly #forms: FormCounts = { absolute: 0, path: 0 };
  readonly #composer: Composer;
  readonly #filter: LineFilter | null;
  readonly #own: OwnTargets;
  readonly #forgeries: Forgeries | undefined;
  readonly #parts: PartReader;
  #rejects: RejectedLine[] = [];
  /** The id of the last part. */
  #id = -1;
  #reader: LineReader | undefined;

  constructor(options: ParserOptions) {
    this.#options = options;
    this.#parts = new PartReader(options.memory);
    this.#composer = new Composer(options, this.#forms);
    this.#filter = createFilter(options.filters);
    this.#own = new OwnTargets(options);
    this.#forgeries = options.botRanges && new Forgeries(options.botRanges);
    if (options.memory === 'own') {
      this.#builder = new BatchBuilder(options);
      this.#plain = null;
    } else {
      const builder = (this.#builder = new HeapBatchBuilder(options));
      this.#plain = this.#filter === null ? PlainReader.of(options, builder, this.#forms) : null;
    }
  }

  parse(source: PartSource, part: FilePart): Parsed {
    const reader = this.#readerFor(source, part.start);
    return this.#parse(source.shape, reader, part.end - part.start, () => this.#parts.read(part, source.textStart));
  }

  /** Parses whole lines that were read already, which took `fileBytes` bytes of a file. */
  parseText(source: PartSource, text: Uint8Array, fileBytes: number): Parsed {
    return this.#parse(source.shape, this.#readerFor(source, 0), fileBytes, () => this.#parts.hold(text));
  }

  #parse(shape: Shape | null, reader: LineReader, fileBytes: number, open: () => Buffer): Parsed {
    reader.restart();
    this.#builder.clear();
    this.#forms.absolute = this.#forms.path = 0;
    this.#rejects = [];
    const batches: RecordBatch[] = [];
    const reason = this.#read(open, reader, batches);
    const lines = reason === null ? reader.textLines : 0;
    const forms = { ...this.#forms };
    const taken = { lines, bytes: fileBytes };
    const format = shape === null ? null : nameOfShape(shape);
    const counts = { ...reader.counts, ...unreadQueryIn(shape) };
    return { batches, rejects: this.#rejects, counts, lines, forms, format, reason, taken };
  }

  #read(open: () => Buffer, reader: LineReader, batches: RecordBatch[]): string | null {
    let bytes: Buffer;
    try {
      bytes = open();
    } catch (error) {
      return unreadable(error);
    }
    for (const _ of reader.readText(bytes)) batches.push(this.#builder.take());
    if (!this.#builder.isEmpty) batches.push(this.#builder.take());
    return null;
  }

  /** Frees memory in the heap. */
  close(): void {
    this.#parts.close();
    this.#plain?.close();
    if (this.#builder.block !== null) this.#builder.close();
  }

  #readerFor({ id, shape, targets, header, columns }: PartSource, start: number): LineReader {
    // The reader of a table is either past the header or before it, and the next part may need the other.
    if (this.#reader !== undefined && this.#id === id && header === null) return this.#reader;
    const options = columns === undefined ? this.#options : { ...this.#options, columns };
    const format = shape === null ? null : openFormat(shape, options, wantsOf(this.#options));
    if (header !== null && start > header.start) readHeader(format!, header.line);
    const onReject = (number: number, cause: string, line: Uint8Array) => {
      this.#rejects.push({ number, cause, line: Uint8Array.from(line) });
    };
    this.#id = id;
    const output = {
      builder: this.#builder,
      composer: this.#composer,
      filter: this.#filter,
      own: this.#own,
      forgeries: this.#forgeries,
      plain: this.#plain,
      wantsWays: this.#options.wantsWays === true,
    };
    this.#reader = new LineReader({ format, targets }, output, this.#options.wantsRejects ? onReject : undefined);
    return this.#reader;
  }
}

function readHeader(format: LineFormat, header: Uint8Array): string | null {
  const fields = createFields();
  clearFields(fields);
  return format.parse(Buffer.from(header), 0, header.length, fields);
}

/** The buffers of batches outside of the heap, to be transferred instead of copied. */
export function buffersOf(batches: readonly RecordBatch[]): ArrayBuffer[] {
  return batches.flatMap(({ block, bytes, urlStart, urlEnd, size, sketchStart, sketchEnd, ...others }) => {
    const own = block === null ? [bytes, urlStart, urlEnd, size, sketchStart, sketchEnd] : [];
    const { visitor, day, duration, client, agent, status } = others;
    const columns = [...own, visitor, day, duration, client, agent, status];
    return columns.flatMap((column) => (column === null ? [] : [column.buffer as ArrayBuffer]));
  });
}

/**
 * What is known about a plain file before its parts are read: its shape, and for a table the line that names the
 * columns.
 */
export interface PartSource {
  /** Its number among the inputs of the run. */
  readonly id: number;
  readonly shape: Shape | null;
  readonly targets: Targets;
  /** The line that names the columns, if the format has one, and where it begins in the file. */
  readonly header: { readonly line: Uint8Array; readonly start: number } | null;
  /** True if parts must be read in order, as any line may change how the following are read. */
  readonly isInOrder?: boolean;
  /** True if the kernel can read plain lines of the file. */
  readonly hasPlainLines: boolean;
  /** The offset where the text of the file begins. */
  readonly textStart: number;
  /** Its columns, if they are the file's own and not those of the options. */
  readonly columns?: ColumnNames;
}

/** The rows of a Parquet file as text; `columns` are by position. */
export function parquetSource(id: number, columns: ColumnNames): PartSource {
  return {
    id,
    shape: shapeOf('parquet'),
    targets: 'any',
    header: null,
    hasPlainLines: true,
    textStart: 0,
    columns,
  };
}

/**
 * Null if the parts of this format cannot be read independently: quotes or elements span lines, the header is not in
 * the first bytes, or any line may change how the following are read, unless the kernel reads most of these lines.
 */
export function sourceOf(id: number, { head, start }: PlainFile, options: FormatOptions): PartSource | null {
  const shape = chooseFormat(head, options);
  const format = shape === null ? null : openFormat(shape, options, NO_WANTS);
  if (format?.linesOf !== undefined || format?.quotedBy !== undefined) return null;
  const isInOrder = format?.earlierLines === 'any';
  const hasHeader = format?.earlierLines === 'header';
  const header = hasHeader ? headerOf(head, start) : null;
  // Below a title, the header is found by reading on.
  if (hasHeader && (header === null || readHeader(format!, header.line) === TITLE)) return null;
  const targets = targetsOf(head, shape, options);
  // The kernel reads such lines only if they have tabs.
  const hasPlainLines = format?.plain !== undefined && (!isInOrder || head.includes(TAB));
  if (isInOrder && !hasPlainLines) return null;
  return { id, shape, targets, header, isInOrder, hasPlainLines, textStart: start };
}

/** The first line that is not blank, if the first bytes have its end. */
function headerOf(head: Buffer, textStart: number): PartSource['header'] {
  for (let start = 0; ;) {
    const newline = head.indexOf(0x0a, start);
    if (newline < 0) return null;
    const end = newline > start && head[newline - 1] === 0x0d ? newline - 1 : newline;
    if (!isBlank(head, start, end)) {
      return { line: Uint8Array.from(head.subarray(start, end)), start: textStart + start };
    }
    start = newline + 1;
  }
}
