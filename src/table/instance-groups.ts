// Groups instances that are in memory by their cores, each group in the order of its URLs, as `InstanceReader` gives them from
// sorted runs. A hash table finds the groups and counts their witnesses; those with too few go no further. Within a group,
// 64-bit numbers are sorted in place of rows:
//
//   of a row   | place u32 | from u32 |      and where `from` is the same   | place u32 | to u32 |
//   place      number of the chunk, then of the row in it, in as many bits as the largest chunk needs
//
// (384,508 rows of one core: 40 ms, where the sort of byte strings takes 250 ms.)
import { mixed } from '../base/hash.js';
import { readSortable, ROW, WORD, WORDS } from './instance.js';
import { InstanceColumns, type Instances } from './instance-columns.js';
import { doubled, isWitness } from './shape.js';

/** One of several shares of the cores: those of some hashes. */
export interface Share {
  readonly part: number;
  /** By the last bits of the hash of a core. */
  readonly partOf: Uint16Array;
  /** How many rows are in it. */
  readonly rows: number;
}

export interface GroupOptions {
  /** All cores, if it is not given. */
  readonly share?: Share | undefined;
  /** Groups with fewer witnesses are left out. */
  readonly least: number;
  /** Groups of so many rows lie in shared memory, and in columns that stay. */
  readonly large?: number | undefined;
}

/** Visits the groups among rows of whole chunks, in columns that are reused. */
export function eachGroup(
  chunks: readonly Uint8Array[],
  options: GroupOptions,
  visit: (group: Instances) => void,
): void {
  new Grouping(chunks.map(wordsOf)).each(options, visit);
  if (workspace.capacity > MOST_KEPT) workspace = new Workspace();
}

/** Hashes that are in one share together. */
const BUCKETS = 1 << 10;

/**
 * Cuts the cores into shares, those with the most rows first: so many of about the same size, and one more wherever hashes
 * have `large` rows, which are most of all those of one core.
 */
export function sharesOf(chunks: readonly Uint8Array[], parts: number, large: number): readonly Share[] {
  const rows = countBuckets(chunks);
  const order = Array.from(rows.keys()).sort((a, b) => rows[b]! - rows[a]!);
  const alone = order.filter((bucket) => rows[bucket]! >= large).length;
  const partOf = new Uint16Array(BUCKETS);
  const sizes = order.slice(0, alone).map((bucket) => rows[bucket]!);
  order.slice(0, alone).forEach((bucket, part) => (partOf[bucket] = part));
  const rest = Array.from({ length: parts }, () => 0);
  for (const bucket of order.slice(alone)) {
    const smallest = rest.indexOf(Math.min(...rest));
    rest[smallest]! += rows[bucket]!;
    partOf[bucket] = alone + smallest;
  }
  sizes.push(...rest);
  const inOrder = Array.from(sizes.keys()).sort((a, b) => sizes[b]! - sizes[a]!);
  return inOrder.filter((part) => sizes[part]! > 0).map((part) => ({ part, partOf, rows: sizes[part]! }));
}

function countBuckets(chunks: readonly Uint8Array[]): Int32Array {
  const rows = new Int32Array(BUCKETS);
  for (const words of chunks.map(wordsOf)) {
    for (let at = 0; at < words.length; at += WORDS) rows[bucketOf(words[at]!)]!++;
  }
  return rows;
}

function bucketOf(hash: number): number {
  return hash & (BUCKETS - 1);
}

function wordsOf(bytes: Uint8Array): Int32Array {
  return new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
}

/** Columns that the next site finds as they are: many are small, and memory takes as long to get as a small site to group. */
class Workspace {
  readonly cores = new Cores();
  readonly columns = new InstanceColumns('own');
  /** Of each row of the share: where it lies, and the number of its core. */
  place = new Int32Array(1024);
  core = new Int32Array(1024);

  get capacity(): number {
    return Math.max(this.place.length, this.columns.capacity, this.cores.rows.length);
  }
}

const MOST_KEPT = 1 << 16;
const NONE = -1;
let workspace: Workspace;

class Grouping {
  readonly #chunks: readonly Int32Array[];
  readonly #bits: number;
  readonly #cores: Cores;
  #place: Int32Array<ArrayBuffer>;
  #core: Int32Array<ArrayBuffer>;
  #rows = 0;

  constructor(chunks: readonly Int32Array[]) {
    workspace ??= new Workspace();
    this.#cores = workspace.cores;
    this.#cores.clear();
    this.#place = workspace.place;
    this.#core = workspace.core;
    this.#chunks = chunks;
    const most = chunks.reduce((rows, { length }) => Math.max(rows, (4 * length) / ROW), 1);
    this.#bits = Math.ceil(Math.log2(most));
  }

  each({ share, least, large = Infinity }: GroupOptions, visit: (group: Instances) => void): void {
    this.#chunks.forEach((words, chunk) => this.#addAll(words, chunk << this.#bits, share));
    const { count, witnesses, rows } = this.#cores;
    // Where each core that is wanted begins among the rows that are, and then where its next row goes.
    const cursor = new Int32Array(count);
    let wanted = 0;
    for (let core = 0; core < count; core++) {
      cursor[core] = witnesses[core]! < least ? -1 : wanted;
      if (witnesses[core]! >= least) wanted += rows[core]!;
    }
    const keys = this.#fillKeys(cursor, wanted);
    // Those of a large share are not to be held any longer.
    if (this.#place.length > MOST_KEPT) {
      workspace.place = new Int32Array(1024);
      workspace.core = new Int32Array(1024);
    }
    this.#place = workspace.place;
    this.#core = workspace.core;
    const reused = workspace.columns;
    for (let core = 0; core < count; core++) {
      if (cursor[core]! < 0) continue;
      const group = keys.subarray(cursor[core]! - rows[core]!, cursor[core]);
      const columns = group.length < large ? reused : new InstanceColumns('shared');
      this.#sort(group);
      this.#take(group, columns);
      visit(columns.all());
    }
  }

  #addAll(words: Int32Array, first: number, share: Share | undefined): void {
    for (let at = 0, place = first; at < words.length; at += WORDS, place++) {
      if (share !== undefined && share.partOf[bucketOf(words[at]!)] !== share.part) continue;
      if (this.#rows === this.#place.length) {
        this.#place = workspace.place = doubled(this.#place);
        this.#core = workspace.core = doubled(this.#core);
      }
      this.#place[this.#rows] = place;
      this.#core[this.#rows++] = this.#cores.add(words[at]!, words[at + 1]!, isWitness(words[at + WORD.place]! >>> 16));
    }
  }

  #fillKeys(cursor: Int32Array, wanted: number): BigUint64Array<ArrayBuffer> {
    const keys = new BigUint64Array(wanted);
    const halves = new Int32Array(keys.buffer);
    for (let row = 0; row < this.#rows; row++) {
      const core = this.#core[row]!;
      if (cursor[core]! < 0) continue;
      const at = 2 * cursor[core]!++;
      halves[at] = this.#place[row]!;
      halves[at + 1] = this.#url(this.#place[row]!, WORD.from);
    }
    return keys;
  }

  #url(place: number, word: number): number {
    return readSortable(this.#chunks[place >>> this.#bits]![this.#at(place) + word]!);
  }

  #at(place: number): number {
    return (place & ((1 << this.#bits) - 1)) * WORDS;
  }

  #sort(group: BigUint64Array<ArrayBuffer>): void {
    group.sort();
    const halves = new Int32Array(group.buffer, group.byteOffset, 2 * group.length);
    for (let start = 0; start < group.length;) {
      let end = start + 1;
      while (end < group.length && halves[2 * end + 1] === halves[2 * start + 1]) end++;
      if (end - start > 1) {
        for (let k = start; k < end; k++) halves[2 * k + 1] = this.#url(halves[2 * k]!, WORD.to);
        if (end - start > FEW) group.subarray(start, end).sort();
        else sortFew(halves, start, end);
      }
      start = end;
    }
  }

  #take(group: BigUint64Array<ArrayBuffer>, columns: InstanceColumns): void {
    const halves = new Int32Array(group.buffer, group.byteOffset, 2 * group.length);
    columns.clear(group.length);
    for (let k = 0; k < halves.length; k += 2) {
      const place = halves[k]!;
      columns.add(this.#chunks[place >>> this.#bits]!, this.#at(place));
    }
  }
}

/** So many numbers are sorted at once rather than by a call, which most `from` have too few for. */
const FEW = 16;

/** Sorts numbers of two halves each, the lower half first, as `BigUint64Array.sort` would. */
function sortFew(halves: Int32Array, start: number, end: number): void {
  for (let k = start + 1; k < end; k++) {
    const low = halves[2 * k]!;
    const high = halves[2 * k + 1]!;
    let at = k;
    for (; at > start; at--) {
      const order = (halves[2 * at - 1]! >>> 0) - (high >>> 0);
      if (order < 0 || (order === 0 && halves[2 * at - 2]! >>> 0 <= low >>> 0)) break;
      halves[2 * at] = halves[2 * at - 2]!;
      halves[2 * at + 1] = halves[2 * at - 1]!;
    }
    halves[2 * at] = low;
    halves[2 * at + 1] = high;
  }
}

/** Cores by number, with how many rows and witnesses each has. */
class Cores {
  count = 0;
  rows = new Int32Array(512);
  witnesses = new Int32Array(512);
  #hash = new Int32Array(1024);
  #slots = new Int32Array(1024).fill(NONE);
  #latest = 0;

  clear(): void {
    this.rows.fill(0, 0, this.count);
    this.witnesses.fill(0, 0, this.count);
    this.#slots.fill(NONE);
    this.count = this.#latest = 0;
  }

  /** Adds a row to the core of that hash; gives its number. */
  add(hash: number, more: number, witness: boolean): number {
    const core = (this.#latest = this.#numberOf(hash, more));
    this.rows[core]!++;
    if (witness) this.witnesses[core]!++;
    return core;
  }

  #numberOf(hash: number, more: number): number {
    if (this.#hash[2 * this.#latest] === hash && this.#hash[2 * this.#latest + 1] === more && this.count > 0) {
      return this.#latest;
    }
    const mask = this.#slots.length - 1;
    for (let slot = mixed(hash ^ more) & mask; ; slot = (slot + 1) & mask) {
      const core = this.#slots[slot]!;
      if (core === NONE) {
        if (this.count === this.rows.length) {
          this.#widen();
          return this.#numberOf(hash, more);
        }
        this.#hash[2 * this.count] = hash;
        this.#hash[2 * this.count + 1] = more;
        return (this.#slots[slot] = this.count++);
      }
      if (this.#hash[2 * core] === hash && this.#hash[2 * core + 1] === more) return core;
    }
  }

  #widen(): void {
    this.rows = doubled(this.rows);
    this.witnesses = doubled(this.witnesses);
    this.#hash = doubled(this.#hash);
    const mask = 2 * this.#slots.length - 1;
    this.#slots = new Int32Array(mask + 1).fill(NONE);
    for (let core = 0; core < this.count; core++) {
      let slot = mixed(this.#hash[2 * core]! ^ this.#hash[2 * core + 1]!) & mask;
      while (this.#slots[slot] !== NONE) slot = (slot + 1) & mask;
      this.#slots[slot] = core;
    }
  }
}
