// Reads plain lines with the kernel (kernel/read/plain-lines), as far as the options and the format allow.
import { alloc, giveBack, kernel, newU32, u32At, u8At } from '../base/heap.js';
import { MOST_ROWS } from '../kernel/layout/batch.js';
import * as READER from '../kernel/layout/reader.js';
import { isNormal } from '../url/normalize.js';
import { parseBase, type ComposeOptions, type FormCounts } from './compose.js';
import { PLAIN_CELLS, type PlainLine, type PlainLines } from './format/format.js';
import type { HeapBatchBuilder } from './heap-batch.js';
import { endOfLine } from './lines.js';
import type { Targets } from './own-target.js';
import { CELLS, PlainNames } from './plain-names.js';

const { MEANINGS, BASE_TEXT } = READER;

/** Word indices of its parameters, u32 each. */
const WORD = {
  kind: READER.KIND / 4,
  mostCells: READER.MOST_CELLS / 4,
  cells: READER.CELLS / 4,
  lines: READER.LINES / 4,
  base: READER.BASE / 4,
  baseLength: READER.BASE_LENGTH / 4,
  isSafe: READER.IS_SAFE / 4,
  mostUrl: READER.MOST_URL / 4,
  paths: READER.PATHS / 4,
  onlyPaths: READER.ONLY_PATHS / 4,
  isHttps: READER.IS_HTTPS / 4,
  names: READER.NAMES / 4,
  firstWord: READER.FIRST_WORD / 4,
  places: READER.PLACES / 4,
} as const;
const KINDS: Record<PlainLines['kind'], number> = {
  table: READER.TABLE,
  w3c: READER.W3C,
  urls: READER.URLS,
  ncsa: READER.NCSA,
  elb: READER.ELB,
  json: READER.JSON_OBJECT,
  cdxj: READER.CDXJ,
};

/** Word indices of the places of a line. */
const PLACE = {
  start: READER.LINE_START / 4,
  open: READER.LINE_OPEN / 4,
  close: READER.LINE_CLOSE / 4,
  end: READER.LINE_END / 4,
  words: READER.PLACE_BYTES / 4,
} as const;

export class PlainReader {
  /** Lines of the last call. */
  lines = 0;
  /** By row of the batch: addresses in its line. Null if nobody asks for visitors. */
  readonly #places: Uint32Array | null = null;
  readonly #kernel = kernel();
  readonly #builder: HeapBatchBuilder;
  readonly #forms: FormCounts;
  readonly #params: Uint32Array;
  #plain: PlainLines | undefined;
  /** For JSON. */
  #names: PlainNames | null = null;

  /** Null if no line can be read that way. */
  static of(options: ComposeOptions, builder: HeapBatchBuilder, forms: FormCounts): PlainReader | null {
    const base = options.base === null ? new Uint8Array(0) : parseBase(options.base);
    const isPlain = base.length === 0 || options.normalize === 'none' || isNormalOrigin(base);
    return isPlain ? new PlainReader(options, base, builder, forms) : null;
  }

  private constructor(options: ComposeOptions, base: Uint8Array, builder: HeapBatchBuilder, forms: FormCounts) {
    this.#builder = builder;
    this.#forms = forms;
    const address = alloc(BASE_TEXT + base.length);
    this.#params = u32At(address, BASE_TEXT / 4).fill(0);
    u8At(address + BASE_TEXT, base.length).set(base);
    this.#params[WORD.base] = address + BASE_TEXT;
    this.#params[WORD.baseLength] = base.length;
    this.#params[WORD.isSafe] = options.normalize === 'safe' ? 1 : 0;
    this.#params[WORD.isHttps] = options.scheme === 'https' ? 1 : 0;
    this.#params[WORD.mostUrl] = Math.min(options.maxUrlLength, 0xffffffff);
    if (builder.visitor === null) return;
    this.#places = newU32(PLACE.words * MOST_ROWS);
    this.#params[WORD.places] = this.#places.byteOffset;
  }

  /**
   * Adds the records of plain lines from an offset of a text on, until one that is not plain or the batch is full;
   * returns the offset after them. The text is in the heap, and ends with a newline or has one after it. A full URL is
   * not plain where only own `targets` count.
   */
  read(plain: PlainLines, text: Uint8Array, from: number, targets: Targets): number {
    if (plain !== this.#plain) this.#configure(plain);
    const params = this.#params;
    const { block, rows } = this.#builder;
    params[WORD.paths] = 0;
    params[WORD.onlyPaths] = targets === 'own' ? 1 : 0;
    const end = text.byteOffset + text.length;
    let at = text.byteOffset + from;
    this.lines = 0;
    do {
      at = this.#kernel.readPlain(params.byteOffset, block, at, end) >>> 0;
      this.lines += params[WORD.lines]!;
    } while (at < end && this.#names?.learn() === true);
    this.#forms.path += params[WORD.paths]!;
    this.#forms.absolute += this.#builder.rows - rows - params[WORD.paths]!;
    return at - text.byteOffset;
  }

  /** Where the line of a row is that was read last from this text. Only if visitors are asked for. */
  placeOf(row: number, text: Buffer): PlainLine {
    const at = PLACE.words * row;
    const place = (word: number) => this.#places![at + word]! - text.byteOffset;
    const start = place(PLACE.start);
    const end = endOfLine(text, start, place(PLACE.end));
    return { bytes: text, start, open: place(PLACE.open), close: place(PLACE.close), end };
  }

  close(): void {
    if (this.#places !== null) giveBack(this.#places);
    giveBack(this.#params);
    this.#names?.close();
  }

  #configure(plain: PlainLines): void {
    this.#plain = plain;
    const params = this.#params;
    params[WORD.kind] = KINDS[plain.kind];
    this.#names?.close();
    this.#names = null;
    if (plain.kind === 'elb') params[WORD.firstWord] = plain.wordsBeforeTime;
    if (plain.kind === 'json' || plain.kind === 'cdxj') {
      this.#names = new PlainNames(plain.meaningOf);
      params[WORD.names] = this.#names.address;
    }
    if (plain.kind !== 'table' && plain.kind !== 'w3c') return;
    const meanings = u8At(params.byteOffset + MEANINGS, PLAIN_CELLS).fill(0);
    for (const { column, cell } of plain.columns) meanings[cell] = CELLS[column];
    params[WORD.mostCells] = plain.mostCells;
    params[WORD.cells] = 1 + Math.max(...plain.columns.map(({ cell }) => cell));
  }
}

function isNormalOrigin(origin: Uint8Array): boolean {
  const url = Buffer.concat([origin, Buffer.from('/')]);
  return isNormal(url, 0, url.length);
}
