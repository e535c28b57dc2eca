// Reads plain lines with the kernel (kernel/read/plain-lines), if the options and the format allow it.
import { decodeText, sameBytes } from '../base/bytes.js';
import { alloc, giveBack, kernel, newU32, u32At, u8At } from '../base/heap.js';
import { MOST_ROWS } from '../kernel/layout/batch.js';
import * as NAMES from '../kernel/layout/json-names.js';
import { CLASS_WORDS, STEP_WORDS } from '../kernel/layout/prefix.js';
import * as READER from '../kernel/layout/reader.js';
import { safeFormOf } from '../url/normalize.js';
import type { HeapBatchBuilder } from './batch.js';
import { type ComposeOptions, type FormCounts, parseBase } from './compose.js';
import type { Column, ColumnReader } from './format/column.js';
import { type LineFormat, PLAIN_CELLS, type PlainLine, type PlainLines } from './format/format.js';
import { endOfLine } from './lines.js';
import type { Targets } from './own-target.js';
import { patternOf, type PrefixName } from './prefix/prefixes.js';

const { MEANINGS, BASE_TEXT } = READER;

/** Indices of its parameters, in words of u32. */
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
  prefixes: READER.PREFIXES / 4,
  wantsTime: READER.WANTS_TIME / 4,
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

/** Indices of the places of a line, in words. */
const PLACE = {
  start: READER.LINE_START / 4,
  open: READER.LINE_OPEN / 4,
  close: READER.LINE_CLOSE / 4,
  end: READER.LINE_END / 4,
  words: READER.PLACE_BYTES / 4,
} as const;

/** Lines that the kernel can read, behind prefixes. */
export interface PlainShape {
  readonly plain: PlainLines;
  readonly prefixes: readonly PrefixName[];
}

const NO_PREFIXES: readonly PrefixName[] = [];

/** Null if the kernel cannot read lines of this format, or not yet. */
export function plainShapeOf({ plain, prefixes = NO_PREFIXES }: LineFormat): PlainShape | null {
  return plain === undefined || plain === null ? null : { plain, prefixes };
}

export class PlainReader {
  /** The number of lines of the last call. */
  lines = 0;
  /** By row of the batch: addresses in its line. Null if nobody asks for visitors. */
  readonly #places: Uint32Array | null = null;
  readonly #kernel = kernel();
  readonly #builder: HeapBatchBuilder;
  readonly #forms: FormCounts;
  readonly #params: Uint32Array;
  #plain: PlainLines | undefined;
  #prefixes = NO_PREFIXES;
  /** The names of JSON objects. */
  #names: PlainNames | null = null;

  /** Null if the options do not allow any plain line. */
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
    this.#params[WORD.wantsTime] = builder.hasFacts ? 1 : 0;
    this.#params[WORD.mostUrl] = Math.min(options.maxUrlLength, 0xffffffff);
    if (builder.visitor === null) return;
    this.#places = newU32(PLACE.words * MOST_ROWS);
    this.#params[WORD.places] = this.#places.byteOffset;
  }

  /**
   * Adds the records of plain lines from an offset of a text on, until a line is not plain or the batch is full.
   * Returns the offset after them. The text is in the heap, and ends with a newline or has one after it. If only own
   * `targets` count, a full URL is not plain.
   */
  read({ plain, prefixes }: PlainShape, text: Uint8Array, from: number, targets: Targets): number {
    if (plain !== this.#plain) this.#configure(plain);
    if (prefixes !== this.#prefixes) this.#setPrefixes(prefixes);
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

  /** The line of a row that was read last from this text. Only if visitors are requested. */
  placeOf(row: number, text: Buffer): PlainLine {
    const at = PLACE.words * row;
    const place = (word: number) => this.#places![at + word]! - text.byteOffset;
    const start = place(PLACE.start);
    const end = endOfLine(text, start, place(PLACE.end));
    return { bytes: text, start, open: place(PLACE.open), close: place(PLACE.close), end };
  }

  close(): void {
    if (this.#places !== null) giveBack(this.#places);
    this.#setPrefixes(NO_PREFIXES);
    giveBack(this.#params);
    this.#names?.close();
  }

  #setPrefixes(prefixes: readonly PrefixName[]): void {
    const address = this.#params[WORD.prefixes]!;
    if (address !== 0) giveBack({ byteOffset: address });
    this.#prefixes = prefixes;
    this.#params[WORD.prefixes] = prefixes.length === 0 ? 0 : writePrefixes(prefixes);
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

/** Writes prefixes for the kernel (kernel/layout/prefix); returns their address. */
function writePrefixes(prefixes: readonly PrefixName[]): number {
  const patterns = prefixes.map(patternOf);
  const words = patterns.reduce((sum, { steps }) => sum + 1 + CLASS_WORDS + steps.length, 1);
  const memory = newU32(words).fill(0);
  let at = 0;
  for (const { classes, steps } of patterns) {
    memory[at] = steps.length / STEP_WORDS;
    memory.set(classes, at + 1);
    memory.set(steps, at + 1 + CLASS_WORDS);
    at += 1 + CLASS_WORDS + steps.length;
  }
  return memory.byteOffset;
}

function isNormalOrigin(origin: Uint8Array): boolean {
  const url = Buffer.concat([origin, Buffer.from('/')]);
  return sameBytes(safeFormOf(url) ?? origin, url);
}

// The kernel finds the names in plain lines of JSON in a trie (kernel/layout/json-names). A new name is added here,
// with the column that it means.

const NAMES_WORD = {
  nodes: NAMES.NODES / 4,
  parent: NAMES.UNKNOWN_PARENT / 4,
  start: NAMES.UNKNOWN_START / 4,
  end: NAMES.UNKNOWN_END / 4,
} as const;

/** The kernel's numbers of the columns; 0 for columns that records do not have. */
const CELLS: Record<Column, number> = {
  url: READER.URL_CELL,
  size: READER.SIZE_CELL,
  status: READER.STATUS_CELL,
  method: READER.METHOD_CELL,
  sketch: READER.SKETCH_CELL,
  query: READER.QUERY_CELL,
  request: READER.REQUEST_CELL,
  target: READER.TARGET_CELL,
  host: READER.HOST_CELL,
  scheme: READER.SCHEME_CELL,
  time: READER.TIME_CELL,
  agent: 0,
  duration: 0,
  client: 0,
  referrer: 0,
  line: 0,
  redirect: 0,
  canonical: 0,
  language: 0,
};

class PlainNames {
  /** The address of the trie. */
  readonly address: number;
  readonly #words: Uint32Array;
  readonly #meaningOf: ColumnReader;
  /** By node: its name with those of the enclosing objects, as in `request.uri`. */
  readonly #names: string[] = [''];

  constructor(meaningOf: ColumnReader) {
    this.#meaningOf = meaningOf;
    this.address = alloc(NAMES.NAMES_BYTES);
    // Only this head must be zeroed: the kernel reads nothing else that it has not written.
    this.#words = u32At(this.address, (NAMES.NODE + NAMES.NODE_BYTES) / 4).fill(0);
    this.#words[NAMES_WORD.nodes] = 1;
  }

  /**
   * Adds the name at which the kernel stopped. False if it stopped for another reason, or if there are too many names.
   */
  learn(): boolean {
    const { [NAMES_WORD.start]: start, [NAMES_WORD.end]: end, [NAMES_WORD.parent]: parent } = this.#words;
    if (end === 0) return false;
    const own = JSON.parse(`"${decodeText(Uint8Array.from(u8At(start!, end! - start!)))}"`) as string;
    const name = parent === 0 ? own : `${this.#names[parent!]}.${own}`;
    const meaning = this.#meaningOf(name);
    // Only JavaScript reads lines that name another URL, or languages.
    if (meaning !== null && ['redirect', 'canonical', 'language'].includes(meaning.column)) return false;
    const cell = meaning === null ? 0 : CELLS[meaning.column];
    const node = kernel().addJsonName(this.address, cell === 0 ? 0 : cell | (meaning!.rank << 8));
    if (node < 0) return false;
    this.#names[node] = name;
    return true;
  }

  close(): void {
    giveBack({ byteOffset: this.address });
  }
}
