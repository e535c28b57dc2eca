// Reads the values of a column in one row group, page by page. Only its dictionary, one page, and a piece of the file
// are in memory at a time.
import zlib, { crc32 } from 'node:zlib';
import type { PageHeader } from 'hyparquet';
import { setSpan, type Span } from '../format/format.js';
import { type Chunk, endOfStruct, parsed, readAt } from './footer.js';
import type { Leaf } from './leaf.js';
import { BadParquet, damagedParquet } from './magic.js';
import { Runs } from './packed-numbers.js';
import { type Dictionary, dictionaryOf, type Values, valuesOf } from './values.js';

/** Turns the head of a page into an object. */
export type ParseHead = (reader: { view: DataView; offset: number }) => PageHeader;

const READ_BYTES = 1 << 18;
/** The head of a page may contain its least and greatest value. */
const MOST_HEAD_BYTES = 1 << 22;
const MOST_HEAD_VALUES = 1000;
/** DuckDB writes all values of a row group as one page. */
const MOST_PAGE_BYTES = 1 << 28;

export class ColumnValues {
  readonly #fd: number;
  readonly #leaf: Leaf;
  readonly #decompress: Decompress;
  readonly #parseHead: ParseHead;

  readonly #end: number;
  /** The offset of the next page, and the bytes of the file from `#ahead.start` on. */
  #at: number;
  #ahead: { readonly start: number; readonly bytes: Buffer };
  #dictionary: Dictionary | null = null;
  #left = 0;
  #levels: Runs | null = null;
  #values: Values | null = null;

  constructor(
    fd: number,
    leaf: Leaf,
    { start, end }: Extract<Chunk, { reason: null }>,
    { decompress, parseHead }: Decoding,
  ) {
    this.#fd = fd;
    this.#leaf = leaf;
    this.#decompress = decompress;
    this.#parseHead = parseHead;

    this.#at = start;
    this.#end = end;
    this.#ahead = { start, bytes: Buffer.alloc(0) };
  }

  /** Sets the span to the text of the next value, or an empty one for null. Throws a BadParquet if there is none. */
  next(span: Span): void {
    while (this.#left === 0) this.#openPage();
    this.#left--;
    if (this.#levels !== null && this.#levels.next() < this.#leaf.mostLevel) setSpan(span, NOTHING, 0, 0);
    else this.#values!.next(span);
  }

  #openPage(): void {
    if (this.#at >= this.#end) throw damagedParquet('it has fewer values than its row group has rows');
    const head = this.#head();
    const packed = this.#take(wholeNumber(head.compressed_page_size));
    if (typeof head.crc === 'number' && crc32(packed) !== head.crc >>> 0)
      throw damagedParquet('a page with another checksum');
    const bytes = wholeNumber(head.uncompressed_page_size);
    if (bytes > MOST_PAGE_BYTES) {
      throw new BadParquet(`a page of the Parquet file has ${bytes} bytes; at most ${MOST_PAGE_BYTES} are read`);
    }
    if (head.type === 'DICTIONARY_PAGE') {
      const count = wholeNumber(head.dictionary_page_header?.num_values);
      this.#dictionary = dictionaryOf(this.#leaf, unpackPage(this.#decompress, packed, bytes), count);
    } else if (head.type === 'DATA_PAGE') this.#openFirst(head, packed, bytes);
    else if (head.type === 'DATA_PAGE_V2') this.#openSecond(head, packed, bytes);
    else if (head.type !== 'INDEX_PAGE') throw damagedParquet('a page of unknown kind');
  }

  /** Opens a page of version 1: levels and values are compressed together. */
  #openFirst({ data_page_header: head }: PageHeader, packed: Buffer, bytes: number): void {
    const page = unpackPage(this.#decompress, packed, bytes);
    const count = wholeNumber(head?.num_values);
    let start = 0;
    if (this.#leaf.mostLevel > 0) {
      if (head?.definition_level_encoding !== 'RLE')
        throw damagedParquet('levels that are not runs, which are not read');
      if (page.length < 4) throw damagedParquet('a page ends too early');
      start = 4 + page.readUInt32LE(0);
      if (start > page.length) throw damagedParquet('the levels of a page are longer than it is');
    }
    this.#open(head?.encoding, page, { levels: 4, start }, count, null);
  }

  /** Opens a page of version 2: levels come first, and are never compressed. */
  #openSecond({ data_page_header_v2: head }: PageHeader, packed: Buffer, bytes: number): void {
    const count = wholeNumber(head?.num_values);
    const repetitions = wholeNumber(head?.repetition_levels_byte_length);
    const levels = repetitions + wholeNumber(head?.definition_levels_byte_length);
    if (levels > packed.length || levels > bytes) {
      throw damagedParquet('the levels of a page are longer than it is');
    }
    const isPacked = head?.is_compressed !== false;
    const rest = packed.subarray(levels);
    const values = isPacked && bytes > levels ? unpackPage(this.#decompress, rest, bytes - levels) : rest;
    this.#open(head?.encoding, values, { levels: repetitions, start: 0 }, count, packed.subarray(0, levels));
  }

  /** `apart`: the bytes with the levels, if these are not in the page. */
  #open(
    encoding: string | undefined,
    page: Buffer,
    { levels, start }: { readonly levels: number; readonly start: number },
    count: number,
    apart: Buffer | null,
  ): void {
    const { mostLevel } = this.#leaf;
    this.#left = count;
    const levelsOf = () => new Runs(apart ?? page, levels, apart?.length ?? start, 32 - Math.clz32(mostLevel));
    this.#levels = mostLevel === 0 ? null : levelsOf();
    // Nulls are not stored as values; the levels show how many there are.
    const isCounted = mostLevel > 0 && COUNTED.has(encoding ?? '');
    const values = isCounted ? countValues(levelsOf(), count, mostLevel) : count;
    this.#values = valuesOf(encoding, this.#leaf, { bytes: page, start }, values, this.#dictionary);
  }

  #head(): PageHeader {
    for (let most = READ_BYTES; ; most = MOST_HEAD_BYTES) {
      const bytes = this.#look(Math.min(most, this.#end - this.#at));
      try {
        const length = endOfStruct(bytes, 0, MOST_HEAD_VALUES);
        const view = new DataView(bytes.buffer, bytes.byteOffset, length);
        const head = parsed(() => this.#parseHead({ view, offset: 0 }));
        this.#at += length;
        return head;
      } catch (error) {
        if (!(error instanceof BadParquet) || most === MOST_HEAD_BYTES) throw error;
      }
    }
  }

  #take(length: number): Buffer {
    if (length > this.#end - this.#at) {
      throw damagedParquet(`a page of ${length} bytes, where its column has ${this.#end - this.#at}`);
    }
    const bytes = this.#look(length);
    this.#at += length;
    return bytes.subarray(0, length);
  }

  /** The next bytes of the column: at least `length`. */
  #look(length: number): Buffer {
    const { start, bytes } = this.#ahead;
    const from = this.#at - start;
    if (from + length <= bytes.length) return bytes.subarray(from);
    const more = readAt(this.#fd, this.#at, Math.min(this.#end - this.#at, Math.max(length, READ_BYTES)));
    if (more.length < length) throw damagedParquet('the file has become shorter');
    this.#ahead = { start: this.#at, bytes: more };
    return more;
  }
}

/** What a column needs to be decoded. */
interface Decoding {
  readonly decompress: Decompress;
  readonly parseHead: ParseHead;
}

const NOTHING = new Uint8Array(0);

/** Encodings that do not store the number of values. */
const COUNTED: ReadonlySet<string> = new Set([
  'DELTA_BINARY_PACKED',
  'DELTA_LENGTH_BYTE_ARRAY',
  'DELTA_BYTE_ARRAY',
  'BYTE_STREAM_SPLIT',
]);
const MOST_COUNTED = 1 << 24;

function countValues(levels: Runs, count: number, mostLevel: number): number {
  if (count > MOST_COUNTED) throw damagedParquet(`a page of ${count} values`);
  let values = 0;
  for (let k = 0; k < count; k++) if (levels.next() === mostLevel) values++;
  return values;
}

/** A number of the head of a page, which may be anything if the file is damaged. */
function wholeNumber(value: number | undefined): number {
  if (value !== undefined && Number.isSafeInteger(value) && value >= 0) return value;
  throw damagedParquet(`the head of a page has ${value} as a size or number`);
}

// A page is decompressed by node:zlib if that knows the codec, else by libzstd in WebAssembly (unzstd.ts) or
// hyparquet-compressors. The file has the decompressed size, so no page takes more memory than it claims.

/** Decompresses a page to exactly `bytes` bytes. Throws whatever its library throws. */
export type Decompress = (packed: Buffer, bytes: number) => Uint8Array;

/** Node has this from 22.15 on. */
type Unzstd = (packed: Buffer, options: { readonly maxOutputLength: number }) => Buffer;
const unzstd = (zlib as { readonly zstdDecompressSync?: Unzstd }).zstdDecompressSync;

/** Loads the library for a codec. Throws a BadParquet for an unknown codec. */
export async function decompressorOf(codec: string | undefined): Promise<Decompress> {
  switch (codec) {
    case 'UNCOMPRESSED':
      return (packed) => packed;
    case 'GZIP':
      return (packed, bytes) => zlib.gunzipSync(packed, { maxOutputLength: Math.max(1, bytes) });
    case 'BROTLI':
      return (packed, bytes) => zlib.brotliDecompressSync(packed, { maxOutputLength: Math.max(1, bytes) });
    case 'ZSTD': {
      if (unzstd !== undefined) return (packed, bytes) => unzstd(packed, { maxOutputLength: Math.max(1, bytes) });
      return (await import('../unzstd.js')).loadUnzstd();
    }
    case 'SNAPPY':
    case 'LZ4':
    case 'LZ4_RAW': {
      const { compressors } = await import('hyparquet-compressors');
      return compressors[codec]!;
    }
    default:
      throw new BadParquet(`is a Parquet file with the codec ${codec ?? 'of an unknown number'}, which is not read`);
  }
}

/** Decompresses a page to `bytes` bytes. Throws a BadParquet if that fails. */
function unpackPage(decompress: Decompress, packed: Buffer, bytes: number): Buffer {
  let page: Uint8Array;
  try {
    page = decompress(packed, bytes);
  } catch (error) {
    if (error instanceof Error) throw damagedParquet(`a page cannot be decompressed: ${error.message}`);
    throw error;
  }
  if (page.length !== bytes) throw damagedParquet(`a page of ${page.length} bytes says that it has ${bytes}`);
  return Buffer.from(page.buffer, page.byteOffset, page.length);
}
