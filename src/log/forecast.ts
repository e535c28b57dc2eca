// Estimates the number of URLs from a small part of each file, before everything is read.
//
// Plain files are sampled in windows all over them, other files at their start. Compressed files are read as far as it
// takes to get text: a block of bzip2 may be 2 MB. The share of lines with a new URL falls as more are read, so the
// extrapolation is an upper bound.
import { type Input, readBytes } from './bytes.js';
import { HEAD_BYTES } from './format/detect.js';
import { reasonOf } from './parquet/table.js';
import { isParquetFile, tableOf } from './parquet/open.js';
import { parseGroups } from './parquet/parse.js';
import { type ParserOptions, PartParser, sourceOf } from './part-parser.js';
import { plainFile, readRange } from './parts.js';
import { createReadReport, readRecords } from './read.js';
import type { RecordBatch } from './record.js';

export interface Forecast {
  /** The most distinct URLs to expect. */
  readonly urls: number;
  /** The mean length of such a URL in bytes. */
  readonly urlBytes: number;
}

/** An input that is a file, and its size in bytes. */
export interface SizedInput {
  readonly input: Input;
  readonly bytes: number;
}

const MOST_FILES = 32;
const WINDOWS = 8;
const WINDOW_BYTES = 1 << 16;
const STEP_BYTES = 1 << 14;
/** The most to read from the start of a file, in compressed bytes and in text. */
const MOST_HEAD_BYTES = 1 << 22;
const MOST_TEXT_BYTES = 1 << 22;

export async function forecastUrls(files: readonly SizedInput[], options: ParserOptions): Promise<Forecast> {
  const sample = new Sample();
  const step = Math.max(1, files.length / MOST_FILES);
  for (let k = 0; k < files.length; k += step) await look(files[Math.floor(k)]!, options, sample);
  const allBytes = files.reduce((sum, { bytes }) => sum + bytes, 0);
  if (sample.records === 0) return { urls: 0, urlBytes: 0 };
  const records = (sample.expected * allBytes) / sample.fileBytes;
  return { urls: (records * sample.urls) / sample.records, urlBytes: sample.urlBytes / sample.urls };
}

class Sample {
  /** Records of the sampled files, extrapolated from the share that was read. */
  expected = 0;
  fileBytes = 0;
  records = 0;
  urlBytes = 0;
  readonly #seen = new Set<string>();

  get urls(): number {
    return this.#seen.size;
  }

  add({ rows, bytes, urlStart, urlEnd }: RecordBatch): void {
    this.records += rows;
    for (let row = 0; row < rows; row++) {
      const length = urlEnd[row]! - urlStart[row]!;
      const url = Buffer.from(bytes.buffer, bytes.byteOffset + urlStart[row]!, length).toString('latin1');
      if (this.#seen.has(url)) continue;
      this.#seen.add(url);
      this.urlBytes += length;
    }
  }
}

async function look({ input, bytes }: SizedInput, options: ParserOptions, sample: Sample): Promise<void> {
  const before = sample.records;
  const looked = isParquetFile(input.path)
    ? await lookAtGroups(input, bytes, options, sample)
    : (lookAllOver(input, bytes, options, sample) ?? (await lookAtStart(input, options, sample)));
  if (looked === 0) return;
  sample.fileBytes += bytes;
  sample.expected += ((sample.records - before) * bytes) / looked;
}

/** Returns the number of bytes that were sampled; null for a file that cannot be read in parts. */
function lookAllOver({ path }: Input, bytes: number, options: ParserOptions, sample: Sample): number | null {
  const file = plainFile(path!, HEAD_BYTES);
  const source = file === null ? null : sourceOf(0, file, options);
  if (source === null) return null;
  const parser = new PartParser(options);
  let looked = 0;
  for (let window = 0; window < WINDOWS; window++) {
    const start = Math.max(source.textStart, Math.floor((bytes * window) / WINDOWS));
    const end = Math.min(bytes, start + WINDOW_BYTES);
    for (const batch of parser.parse(source, { path: path!, start, end }).batches) sample.add(batch);
    looked += end - start;
  }
  return looked;
}

/** Returns the bytes of a Parquet file that the sampled rows take: the first rows of some row groups. */
async function lookAtGroups(input: Input, bytes: number, options: ParserOptions, sample: Sample): Promise<number> {
  const parser = new PartParser(options);
  let [looked, rows] = [0, 0];
  try {
    const table = await tableOf(input, options);
    const { groups } = table.file;
    rows = groups.reduce((sum, group) => sum + group.rows, 0);
    for (let k = 0; k < Math.min(WINDOWS, groups.length); k++) {
      const from = Math.floor((groups.length * k) / Math.min(WINDOWS, groups.length));
      for (const parsed of parseGroups(table, { id: 0, from, to: from + 1 }, parser)) {
        for (const batch of parsed.batches) sample.add(batch);
        looked += parsed.lines;
        break;
      }
    }
  } catch (error) {
    reasonOf(error); // reported when the file is read
  } finally {
    parser.close();
  }
  return rows === 0 ? 0 : (bytes * looked) / rows;
}

async function lookAtStart({ name, path }: Input, options: ParserOptions, sample: Sample): Promise<number> {
  let looked = 0;
  let shown = 0;
  let textBytes = 0;
  const text: Buffer[] = [];
  function* steps(): Generator<Buffer> {
    while (looked < WINDOW_BYTES || (textBytes === 0 && looked < MOST_HEAD_BYTES)) {
      const step = readRange(path!, looked, STEP_BYTES);
      if (step.length === 0) return;
      looked += step.length;
      yield step;
    }
  }
  // Errors here, such as a file that breaks off, will be reported when the file is read.
  for await (const chunk of readBytes({ name, open: steps }, { reason: null })) {
    text.push(chunk);
    textBytes += chunk.length;
    shown = looked;
    if (textBytes > MOST_TEXT_BYTES) break;
  }
  for await (const batch of readRecords([{ name, open: () => text }], options, createReadReport())) sample.add(batch);
  return shown;
}
