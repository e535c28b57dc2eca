// What do the names in JSON objects mean? The kernel finds the names of plain lines in a trie (kernel/layout/json-names).
// One that it has not had before is added here, with the column that it means.
import { decodeText } from '../base/bytes.js';
import { alloc, giveBack, kernel, u32At, u8At } from '../base/heap.js';
import * as NAMES from '../kernel/layout/json-names.js';
import * as READER from '../kernel/layout/reader.js';
import type { Column, ColumnReader } from './format/column.js';

const WORD = {
  nodes: NAMES.NODES / 4,
  parent: NAMES.UNKNOWN_PARENT / 4,
  start: NAMES.UNKNOWN_START / 4,
  end: NAMES.UNKNOWN_END / 4,
} as const;

/** The kernel's numbers of the columns; 0 for those that records do not have. */
export const CELLS: Record<Column, number> = {
  url: READER.URL_CELL,
  size: READER.SIZE_CELL,
  status: READER.STATUS_CELL,
  method: READER.METHOD_CELL,
  sketch: READER.SKETCH_CELL,
  query: READER.QUERY_CELL,
  request: READER.REQUEST_CELL,
  host: READER.HOST_CELL,
  scheme: READER.SCHEME_CELL,
  time: 0,
  agent: 0,
  duration: 0,
  client: 0,
};

export class PlainNames {
  /** Of the trie. */
  readonly address: number;
  readonly #words: Uint32Array;
  readonly #meaningOf: ColumnReader;
  /** With the names of the objects around them, by node: `request.uri`. */
  readonly #names: string[] = [''];

  constructor(meaningOf: ColumnReader) {
    this.#meaningOf = meaningOf;
    this.address = alloc(NAMES.NAMES_BYTES);
    // The kernel finds all else by what is before the nodes, so that the rest may be anything.
    this.#words = u32At(this.address, (NAMES.NODE + NAMES.NODE_BYTES) / 4).fill(0);
    this.#words[WORD.nodes] = 1;
  }

  /** Adds the name at which the kernel stopped; false if it stopped for another reason, or there are too many names. */
  learn(): boolean {
    const { [WORD.start]: start, [WORD.end]: end, [WORD.parent]: parent } = this.#words;
    if (end === 0) return false;
    const own = JSON.parse(`"${decodeText(Uint8Array.from(u8At(start!, end! - start!)))}"`) as string;
    const name = parent === 0 ? own : `${this.#names[parent!]}.${own}`;
    const meaning = this.#meaningOf(name);
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
