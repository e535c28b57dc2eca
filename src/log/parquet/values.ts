// Reads the values of one page, one after another, as text: ranges of the page itself if it has text, otherwise a
// scratch buffer that the next value overwrites.
//
//    PLAIN                      [length, 4 bytes] text …, or numbers of 4, 8 or 12 bytes
//    RLE_DICTIONARY             indices in the dictionary, packed (packed-numbers.ts)
//    DELTA_BINARY_PACKED        numbers as differences (packed-numbers.ts)
//    DELTA_LENGTH_BYTE_ARRAY    lengths as differences, then all texts
//    DELTA_BYTE_ARRAY           for each text, the length shared with the text before, and its rest
//    BYTE_STREAM_SPLIT          all first bytes, all second bytes, …
//
// hyparquet decodes a page, or a row group, to an array before the first value can be read. For 10 M rows of url,
// status and size by DuckDB that took 1.9 times the CPU of this (zstd; snappy 2.4) and 270 MB instead of 150; for a row
// group of 2 M rows 650 MB instead of 97. It also trusts the lengths in a page: a file of 157 bytes with a run of 2^31
// values ended the process, and one of 173 bytes never ended (test/log/parquet/claims.test.ts). So only its structs are
// used here (footer.ts, column.ts).
import { setSpan, type Span } from '../format/format.js';
import { type Leaf, TEXT_BYTES, writeNumber } from './leaf.js';
import { BadParquet, damagedParquet } from './magic.js';
import { Deltas, Runs } from './packed-numbers.js';

export interface Values {
  /** Sets the span to the text of the next value. Throws a BadParquet if there is none. */
  next(span: Span): void;
}

/** 1 MiB is usual. */
const MOST_DICTIONARY_BYTES = 1 << 26;

/** The values of a dictionary page: value k is bytes[starts[k], ends[k]). */
export interface Dictionary {
  readonly bytes: Uint8Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

/** The `count` values in `bytes` from `start` on. Throws a BadParquet for an unknown encoding. */
export function valuesOf(
  encoding: string | undefined,
  leaf: Leaf,
  { bytes, start }: { readonly bytes: Buffer; readonly start: number },
  count: number,
  dictionary: Dictionary | null,
): Values {
  if (count === 0) return NO_VALUES;
  const isText = leaf.type === 'BYTE_ARRAY';
  switch (encoding) {
    case 'PLAIN':
      return isText ? new PlainTexts(bytes, start) : new PlainNumbers(leaf, bytes, start);
    case 'PLAIN_DICTIONARY':
    case 'RLE_DICTIONARY':
      if (dictionary === null) throw damagedParquet('a page needs a dictionary, and there is none');
      // A page of nulls may store nothing.
      if (start >= bytes.length) return NO_VALUES;
      return new DictionaryValues(new Runs(bytes, start + 1, bytes.length, bytes[start]!), dictionary);
    case 'DELTA_BINARY_PACKED':
      if (leaf.type === 'INT32' || leaf.type === 'INT64') return new DeltaNumbers(leaf, bytes, start);
      break;
    case 'DELTA_LENGTH_BYTE_ARRAY':
      if (isText) return new DeltaTexts(bytes, start, count);
      break;
    case 'DELTA_BYTE_ARRAY':
      if (isText) return new FrontCodedTexts(bytes, start, count);
      break;
    case 'BYTE_STREAM_SPLIT':
      if (!isText) return new SplitNumbers(leaf, bytes, start, count);
      break;
    default:
  }
  throw damagedParquet(`the encoding ${encoding ?? 'is unknown'} of ${leaf.type}, which is not read`);
}

/** Throws a BadParquet if the page has fewer than `count` values. */
export function dictionaryOf(leaf: Leaf, page: Buffer, count: number): Dictionary {
  const least = leaf.type === 'BYTE_ARRAY' ? 4 : leaf.width;
  if (count * least > page.length) throw damagedParquet(`a dictionary of ${count} values in ${page.length} bytes`);
  if (page.length > MOST_DICTIONARY_BYTES) {
    throw new BadParquet(
      `a dictionary of the Parquet file has ${page.length} bytes; at most ${MOST_DICTIONARY_BYTES} are read`,
    );
  }
  const values = valuesOf('PLAIN', leaf, { bytes: page, start: 0 }, count, null);
  const isText = leaf.type === 'BYTE_ARRAY';
  const bytes = isText ? page : Buffer.alloc(count * textWidth(leaf));
  const [starts, ends] = [new Int32Array(count), new Int32Array(count)];
  const span: Span = { bytes, start: 0, end: 0 };
  for (let k = 0, at = 0; k < count; k++) {
    values.next(span);
    if (!isText) {
      bytes.set(span.bytes.subarray(span.start, span.end), at);
      span.end = at + span.end - span.start;
      span.start = at;
    }
    at = span.end;
    starts[k] = span.start;
    ends[k] = span.end;
  }
  return { bytes, starts, ends };
}

function textWidth({ text, width }: Leaf): number {
  return text.kind === 'hex' ? 2 * width : TEXT_BYTES;
}

const tooEarly = () => damagedParquet('a page ends too early');

const NO_VALUES: Values = {
  next() {
    throw tooEarly();
  },
};

class PlainTexts implements Values {
  readonly #bytes: Buffer;
  #at: number;

  constructor(bytes: Buffer, start: number) {
    this.#bytes = bytes;
    this.#at = start;
  }

  next(span: Span): void {
    const bytes = this.#bytes;
    const start = this.#at + 4;
    if (start > bytes.length) throw tooEarly();
    const length = bytes.readUInt32LE(this.#at);
    if (length > bytes.length - start)
      throw damagedParquet(`a text of ${length} bytes, which is more than its page has`);
    this.#at = start + length;
    span.bytes = bytes;
    span.start = start;
    span.end = this.#at;
  }
}

/** Writes the value at an offset into a scratch buffer. */
class NumberText {
  readonly #leaf: Leaf;
  readonly #scratch: Buffer;

  constructor(leaf: Leaf) {
    this.#leaf = leaf;
    this.#scratch = Buffer.alloc(Math.max(TEXT_BYTES, textWidth(leaf)));
  }

  set(bytes: Buffer, at: number, span: Span): void {
    const { text, width } = this.#leaf;
    if (width <= 0 || at + width > bytes.length) throw tooEarly();
    const scratch = this.#scratch;
    const length =
      text.kind === 'hex'
        ? scratch.write(bytes.toString('hex', at, at + width), 'latin1')
        : writeNumber(text, bytes, at, scratch);
    setSpan(span, scratch, 0, length);
  }
}

class PlainNumbers implements Values {
  readonly #bytes: Buffer;
  readonly #width: number;
  readonly #text: NumberText;
  #at: number;

  constructor(leaf: Leaf, bytes: Buffer, start: number) {
    this.#bytes = bytes;
    this.#at = start;
    this.#width = leaf.width;
    this.#text = new NumberText(leaf);
  }

  next(span: Span): void {
    this.#text.set(this.#bytes, this.#at, span);
    this.#at += this.#width;
  }
}

class DictionaryValues implements Values {
  readonly #places: Runs;
  readonly #dictionary: Dictionary;

  constructor(places: Runs, dictionary: Dictionary) {
    this.#places = places;
    this.#dictionary = dictionary;
  }

  next(span: Span): void {
    const place = this.#places.next();
    const { bytes, starts, ends } = this.#dictionary;
    if (place >= starts.length) throw damagedParquet(`place ${place} in a dictionary of ${starts.length} values`);
    span.bytes = bytes;
    span.start = starts[place]!;
    span.end = ends[place]!;
  }
}

class DeltaNumbers implements Values {
  readonly #deltas: Deltas;
  readonly #number = Buffer.alloc(8);
  readonly #text: NumberText;

  constructor(leaf: Leaf, bytes: Buffer, start: number) {
    this.#deltas = new Deltas(bytes, start, bytes.length, leaf.type === 'INT32' ? 32 : 64);
    this.#text = new NumberText(leaf);
  }

  next(span: Span): void {
    this.#number.writeBigInt64LE(this.#deltas.next());
    this.#text.set(this.#number, 0, span);
  }
}

/** The most lengths of a page that are decoded together, before its texts: 64 MiB. */
const MOST_LENGTHS = 1 << 24;

/** Decodes lengths; returns where they end. */
function readLengths(bytes: Buffer, start: number, lengths: Int32Array): number {
  const deltas = new Deltas(bytes, start, bytes.length, 32);
  for (let k = 0; k < lengths.length; k++) {
    const length = Number(deltas.next());
    if (length < 0 || length > bytes.length) throw damagedParquet(`a text of ${length} bytes in its page`);
    lengths[k] = length;
  }
  return deltas.endOfAll();
}

function roomFor(count: number): Int32Array {
  if (count > MOST_LENGTHS) throw damagedParquet(`a page of ${count} values`);
  return new Int32Array(count);
}

class DeltaTexts implements Values {
  readonly #bytes: Buffer;
  readonly #lengths: Int32Array;
  #at: number;
  #next = 0;

  constructor(bytes: Buffer, start: number, count: number) {
    this.#bytes = bytes;
    this.#lengths = roomFor(count);
    this.#at = readLengths(bytes, start, this.#lengths);
  }

  next(span: Span): void {
    if (this.#next === this.#lengths.length) throw tooEarly();
    const start = this.#at;
    this.#at += this.#lengths[this.#next++]!;
    if (this.#at > this.#bytes.length) throw tooEarly();
    setSpan(span, this.#bytes, start, this.#at);
  }
}

class FrontCodedTexts implements Values {
  readonly #shared: Int32Array;
  readonly #rests: DeltaTexts;
  #text = Buffer.alloc(256);
  #length = 0;
  #next = 0;

  constructor(bytes: Buffer, start: number, count: number) {
    this.#shared = roomFor(count);
    this.#rests = new DeltaTexts(bytes, readLengths(bytes, start, this.#shared), count);
  }

  next(span: Span): void {
    this.#rests.next(span);
    const shared = this.#shared[this.#next++]!;
    if (shared > this.#length) throw damagedParquet('a text shares more with the one before than there is');
    const rest = span.end - span.start;
    if (shared + rest > this.#text.length) {
      const grown = Buffer.alloc(2 * (shared + rest));
      this.#text.copy(grown, 0, 0, shared);
      this.#text = grown;
    }
    this.#text.set(span.bytes.subarray(span.start, span.end), shared);
    this.#length = shared + rest;
    setSpan(span, this.#text, 0, this.#length);
  }
}

class SplitNumbers implements Values {
  readonly #bytes: Buffer;
  readonly #start: number;
  readonly #count: number;
  readonly #number: Buffer;
  readonly #text: NumberText;
  #next = 0;

  constructor(leaf: Leaf, bytes: Buffer, start: number, count: number) {
    this.#bytes = bytes;
    this.#start = start;
    this.#count = count;
    this.#number = Buffer.alloc(leaf.width);
    this.#text = new NumberText(leaf);
    if (leaf.width <= 0 || start + count * leaf.width > bytes.length) throw tooEarly();
  }

  next(span: Span): void {
    if (this.#next === this.#count) throw tooEarly();
    const at = this.#start + this.#next++;
    for (let k = 0; k < this.#number.length; k++) this.#number[k] = this.#bytes[at + k * this.#count]!;
    this.#text.set(this.#number, 0, span);
  }
}
