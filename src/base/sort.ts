// Sorts byte strings that lie in one buffer, without moving them.
//
// Multikey quicksort (Bentley and Sedgewick 1997): the rows are split in three by what stands at the present depth, and
// only the middle part looks deeper, so that no shared part is compared twice. Five bytes are looked at at once and kept
// beside the row (Ng and Kakehi 2007), since fetching them is what costs: the strings lie all over memory.
//
//   a cached key:  | symbol 1 | symbol 2 | … | symbol 5 |   9 bits each; 0 is the end of the string, else the byte + 1
//
// So the end comes before every byte. Equal strings keep the order of their row numbers.

export interface ByteStrings {
  readonly bytes: Uint8Array;
  /** Where string r starts, and where it ends. */
  readonly start: ArrayLike<number>;
  readonly end: ArrayLike<number>;
}

/**
 * Sorts the row numbers in `rows`, which ascend, by their strings, read from the first byte on or, `backward`, from the
 * last byte on.
 */
export function sortByteStrings(rows: Int32Array, strings: ByteStrings, order: 'forward' | 'backward'): void {
  const { bytes, start, end } = strings;
  const count = rows.length;
  // Both ends of a string side by side: what is far apart in memory costs more than all the rest.
  const spans = bytes.length < 2 ** 32 ? new Uint32Array(2 * count) : new Float64Array(2 * count);
  const items = new Int32Array(count);
  for (let k = 0; k < count; k++) {
    items[k] = k;
    spans[2 * k] = start[rows[k]!]!;
    spans[2 * k + 1] = end[rows[k]!]!;
  }
  const sorter: Sorter = { items, keys: new Float64Array(count), bytes, spans, order };
  const depth = sharedDepth(sorter, 0, count, 0);
  fetchKeys(sorter, 0, count, depth);
  sortRange(sorter, 0, count, depth);
  for (let k = 0; k < count; k++) items[k] = rows[items[k]!]!;
  rows.set(items);
}

interface Sorter {
  /** Places in `rows`, as they were before. */
  readonly items: Int32Array;
  /** The key of the item in the same place, at the depth that its range is sorted at. */
  readonly keys: Float64Array;
  readonly bytes: Uint8Array;
  readonly spans: Uint32Array | Float64Array;
  readonly order: 'forward' | 'backward';
}

const SYMBOLS = 5;
const SMALL = 12;
const LARGE = 8192;
const BUCKETS = 1024;

function keyAt(sorter: Sorter, item: number, depth: number): number {
  return sorter.order === 'forward' ? forwardKey(sorter, item, depth) : backwardKey(sorter, item, depth);
}

function forwardKey({ bytes, spans }: Sorter, item: number, depth: number): number {
  const at = spans[2 * item]! + depth;
  const left = spans[2 * item + 1]! - at;
  if (left < SYMBOLS) return lastKey(bytes, at, 1, left);
  const low = ((bytes[at + 2]! + 1) << 18) | ((bytes[at + 3]! + 1) << 9) | (bytes[at + 4]! + 1);
  return (((bytes[at]! + 1) << 9) | (bytes[at + 1]! + 1)) * 2 ** 27 + low;
}

function backwardKey({ bytes, spans }: Sorter, item: number, depth: number): number {
  const at = spans[2 * item + 1]! - 1 - depth;
  const left = at - spans[2 * item]! + 1;
  if (left < SYMBOLS) return lastKey(bytes, at, -1, left);
  const low = ((bytes[at - 2]! + 1) << 18) | ((bytes[at - 3]! + 1) << 9) | (bytes[at - 4]! + 1);
  return (((bytes[at]! + 1) << 9) | (bytes[at - 1]! + 1)) * 2 ** 27 + low;
}

/** A key with the end of the string in it, after `left` symbols. */
function lastKey(bytes: Uint8Array, at: number, step: number, left: number): number {
  let key = 0;
  for (let k = 0; k < SYMBOLS; k++) key = key * 512 + (k < left ? bytes[at + step * k]! + 1 : 0);
  return key;
}

function fetchKeys(sorter: Sorter, from: number, to: number, depth: number): void {
  const { items, keys, order } = sorter;
  if (order === 'forward') for (let k = from; k < to; k++) keys[k] = forwardKey(sorter, items[k]!, depth);
  else for (let k = from; k < to; k++) keys[k] = backwardKey(sorter, items[k]!, depth);
}

/** True where a key has the end of the string in it: rows with this key are the same to their ends. */
function isLast(key: number): boolean {
  return Math.floor(key / 512) * 512 === key;
}

function sortRange(sorter: Sorter, from: number, to: number, depth: number): void {
  const { items, keys } = sorter;
  let alike = 0;
  while (to - from > SMALL) {
    const largest = to - from > LARGE ? distribute(sorter, from, to, depth) : undefined;
    if (largest !== undefined) {
      [from, to] = largest;
      alike = 0;
      continue;
    }
    const pivot = middle(keys[from]!, keys[(from + to) >>> 1]!, keys[to - 1]!);
    let below = from;
    let above = to;
    for (let at = from; at < above;) {
      const key = keys[at]!;
      if (key < pivot) {
        swap(sorter, at++, below++);
      } else if (key > pivot) {
        swap(sorter, at, --above);
      } else {
        at++;
      }
    }
    sortRange(sorter, from, below, depth);
    sortRange(sorter, above, to, depth);
    if (isLast(pivot)) {
      items.subarray(below, above).sort();
      return;
    }
    depth += SYMBOLS;
    // Where all go on alike for long, one look at each row passes over that, not one for every five bytes of it.
    alike = below === from && above === to ? alike + 1 : 0;
    if (alike > 1) depth = sharedDepth(sorter, from, to, depth);
    from = below;
    to = above;
    fetchKeys(sorter, from, to, depth);
  }
  insertionSort(sorter, from, to, depth);
}

/**
 * Puts a large range into buckets of ever larger keys, each as wide as the others, and sorts all but the largest of them,
 * which it gives; undefined where all keys are the same. In place: what comes into a bucket sends away what is there
 * (American flag sort, McIlroy et al. 1993). 5,000,000 numbered files, both orders: 8.0 s -> 2.7 s.
 */
function distribute(sorter: Sorter, from: number, to: number, depth: number): [number, number] | undefined {
  const { items, keys } = sorter;
  let [least, most] = [keys[from]!, keys[from]!];
  for (let k = from + 1; k < to; k++) {
    const key = keys[k]!;
    if (key < least) least = key;
    else if (key > most) most = key;
  }
  if (least === most) return undefined;
  const scale = BUCKETS / (most - least + 1);
  const end = new Int32Array(BUCKETS);
  for (let k = from; k < to; k++) end[((keys[k]! - least) * scale) | 0]!++;
  const next = new Int32Array(BUCKETS);
  for (let bucket = 0, at = from; bucket < BUCKETS; bucket++) {
    next[bucket] = at;
    end[bucket] = at += end[bucket]!;
  }
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    for (let at = next[bucket]!; at < end[bucket]!; at = ++next[bucket]!) {
      let key = keys[at]!;
      let item = items[at]!;
      for (let goal = ((key - least) * scale) | 0; goal !== bucket; goal = ((key - least) * scale) | 0) {
        const there = next[goal]!++;
        const [otherKey, otherItem] = [keys[there]!, items[there]!];
        keys[there] = key;
        items[there] = item;
        key = otherKey;
        item = otherItem;
      }
      keys[at] = key;
      items[at] = item;
    }
  }
  let largest = 0;
  const startOf = (bucket: number) => (bucket === 0 ? from : end[bucket - 1]!);
  for (let bucket = 1; bucket < BUCKETS; bucket++) {
    if (end[bucket]! - startOf(bucket) > end[largest]! - startOf(largest)) largest = bucket;
  }
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    if (bucket !== largest && end[bucket]! - startOf(bucket) > 1)
      sortRange(sorter, startOf(bucket), end[bucket]!, depth);
  }
  return [startOf(largest), end[largest]!];
}

/** How deep all items of the range are the same, as they are known to be down to `depth`. */
function sharedDepth({ items, bytes, spans, order }: Sorter, from: number, to: number, depth: number): number {
  const step = order === 'forward' ? 1 : -1;
  const placeOf = (item: number) => (step > 0 ? spans[2 * item]! + depth : spans[2 * item + 1]! - 1 - depth);
  const lengthOf = (item: number) => spans[2 * item + 1]! - spans[2 * item]! - depth;
  const first = placeOf(items[from]!);
  let shared = lengthOf(items[from]!);
  for (let k = from + 1; k < to && shared > 0; k++) {
    const here = placeOf(items[k]!);
    const length = Math.min(shared, lengthOf(items[k]!));
    shared = 0;
    while (shared < length && bytes[here + step * shared] === bytes[first + step * shared]) shared++;
  }
  return depth + Math.max(0, shared);
}

function swap({ items, keys }: Sorter, a: number, b: number): void {
  const item = items[a]!;
  const key = keys[a]!;
  items[a] = items[b]!;
  keys[a] = keys[b]!;
  items[b] = item;
  keys[b] = key;
}

function middle(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}

function insertionSort(sorter: Sorter, from: number, to: number, depth: number): void {
  const { items, keys } = sorter;
  for (let at = from + 1; at < to; at++) {
    const item = items[at]!;
    const key = keys[at]!;
    let hole = at;
    while (hole > from && isBefore(sorter, item, key, items[hole - 1]!, keys[hole - 1]!, depth)) {
      items[hole] = items[hole - 1]!;
      keys[hole] = keys[hole - 1]!;
      hole--;
    }
    items[hole] = item;
    keys[hole] = key;
  }
}

function isBefore(sorter: Sorter, a: number, aKey: number, b: number, bKey: number, depth: number): boolean {
  while (aKey === bKey) {
    if (isLast(aKey)) return a < b;
    depth += SYMBOLS;
    aKey = keyAt(sorter, a, depth);
    bKey = keyAt(sorter, b, depth);
  }
  return aKey < bKey;
}
