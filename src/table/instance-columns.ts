// Instances of cores with one hash, taken out of their rows: where they are, and their shape.
import type { Row, RowReader } from '../base/spill.js';
import { HASH, readSortable, ROW, WORD } from './instance.js';
import { BORDERED, REPEATED, Shapes } from './shape.js';

/** Instances with one hash of the core, by `from` and then `to`: a column each, 16 bytes an instance. */
export interface Instances {
  readonly count: number;
  /** The URL with the longer core (or, as long, the later one), and the other: pairs are written so that they shrink. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** Bytes before the core, the same in both URLs. */
  readonly coreOffset: Int32Array;
  /** A number in `shapes`. */
  readonly shape: Int32Array;
  readonly shapes: Shapes;
  /** True where the columns are in shared memory and stay as they are. */
  readonly isShared: boolean;
}

/** The same in a message to another thread. */
export type SentInstances = Omit<Instances, 'shapes' | 'isShared'> & { readonly packedShapes: Int32Array };

export function sentInstances({ count, from, to, coreOffset, shape, shapes }: Instances): SentInstances {
  return { count, from, to, coreOffset, shape, packedShapes: shapes.packed() };
}

export function receivedInstances({ packedShapes, ...columns }: SentInstances): Instances {
  return { ...columns, shapes: Shapes.of(packedShapes), isShared: true };
}

/** Build (`clear`, `add` in the order of the URLs), then look (`all`). */
export class InstanceColumns {
  readonly #shapes = new Shapes();
  readonly #memory: 'own' | 'shared';
  #count = 0;
  #from: Int32Array = new Int32Array(0);
  #to: Int32Array = new Int32Array(0);
  #coreOffset: Int32Array = new Int32Array(0);
  #shape: Int32Array = new Int32Array(0);

  constructor(memory: 'own' | 'shared') {
    this.#memory = memory;
  }

  /** Makes room for so many, and forgets those there are. */
  clear(room = 0): void {
    this.#count = 0;
    this.#shapes.clear();
    if (room > this.#from.length) this.#resize(Math.max(room, 2 * this.#from.length));
  }

  /** How many there is room for. */
  get capacity(): number {
    return this.#from.length;
  }

  /** Adds the row whose words start at `at`. */
  add(words: Int32Array, at: number): void {
    const index = this.#count++;
    if (index === this.#from.length) this.#resize(Math.max(64, 2 * index));
    const from = readSortable(words[at + WORD.from]!);
    const to = readSortable(words[at + WORD.to]!);
    const place = words[at + WORD.place]!;
    let flags = place >>> 16;
    if ((flags & BORDERED) !== 0 && index > 0 && this.#from[index - 1] === from && this.#to[index - 1] === to) {
      flags |= REPEATED;
      this.#shape[index - 1] = this.#shapes.repeated(this.#shape[index - 1]!);
    }
    this.#from[index] = from;
    this.#to[index] = to;
    this.#coreOffset[index] = place & 0xffff;
    this.#shape[index] = this.#shapes.numberOf(
      words[at + WORD.lengths]!,
      words[at + WORD.a]!,
      words[at + WORD.b]!,
      words[at + WORD.e]!,
      flags,
    );
  }

  all(): Instances {
    return {
      count: this.#count,
      from: this.#from,
      to: this.#to,
      coreOffset: this.#coreOffset,
      shape: this.#shape,
      shapes: this.#shapes,
      isShared: this.#memory === 'shared',
    };
  }

  #resize(room: number): void {
    const kept = Math.min(this.#count, this.#from.length);
    const resized = (column: Int32Array) => {
      const wider = columnOf(room, this.#memory);
      wider.set(column.subarray(0, kept));
      return wider;
    };
    this.#from = resized(this.#from);
    this.#to = resized(this.#to);
    this.#coreOffset = resized(this.#coreOffset);
    this.#shape = resized(this.#shape);
  }
}

export function columnOf(length: number, memory: 'own' | 'shared'): Int32Array {
  return new Int32Array(memory === 'own' ? new ArrayBuffer(4 * length) : new SharedArrayBuffer(4 * length));
}

/** Reads sorted rows group by group: instances whose cores have one hash. */
export class InstanceReader {
  readonly #rows: RowReader;
  readonly #hash = new Uint8Array(HASH);
  readonly #columns = new InstanceColumns('own');
  /** One row, at an address where its words can be read. */
  readonly #bytes = new Uint8Array(ROW);
  readonly #words = new Int32Array(this.#bytes.buffer);
  #row: Row | undefined;

  constructor(rows: RowReader) {
    this.#rows = rows;
    this.#row = rows.next();
  }

  /** The next group, in columns that are reused, or undefined after the last. */
  next(): Instances | undefined {
    if (this.#row === undefined) return undefined;
    for (let k = 0; k < HASH; k++) this.#hash[k] = this.#row.bytes[this.#row.keyStart + k]!;
    this.#columns.clear();
    for (; this.#row !== undefined && this.#hasHash(this.#row); this.#row = this.#rows.next()) {
      const { bytes, keyStart } = this.#row;
      for (let k = 0; k < ROW; k++) this.#bytes[k] = bytes[keyStart + k]!;
      this.#columns.add(this.#words, 0);
    }
    return this.#columns.all();
  }

  #hasHash(row: Row): boolean {
    for (let k = 0; k < HASH; k++) if (row.bytes[row.keyStart + k] !== this.#hash[k]) return false;
    return true;
  }

  close(): void {
    this.#rows.close();
  }
}
