// Which pages are similar (Cho, Shivakumar, Garcia-Molina 2000, 2.1)? Those that share T chunks of text, by chains
// (Definition 4). A text of fewer chunks than T has to share all it has: min(T, own chunks), of both pages.
//
//   1. Pages with the same text are folded (`intake`), so that copies are not compared with each other.
//   2. ⟨chunk, text⟩ sorted: chunks that several texts have are numbered, and counted.
//   3. ⟨text, frequency, chunk⟩ sorted: of the n chunks of a text that needs t, any similar text has one of the
//      n − t + 1 rarest. Chunks of its own are the rarest of all, and generate no pairs.
//   4. ⟨chunk, text⟩ of these, sorted: a list for each chunk. Pairs of a list that are not yet known to be similar are
//      compared in full, so that the pairs are those of the iceberg count of the paper (3.2).
//
// In a list of more than MAX_LIST texts each is compared with those next to it and with the firsts of clusters; what is
// not compared is counted.
import { widened } from '../base/numbers.js';
import { eachRow, readBigEndian, readU32 } from '../base/row.js';
import { RowWriter } from '../base/row-writer.js';
import { SpillSorter, type SpillRoom } from '../base/spill.js';
import { Unions } from '../near/clusters.js';
import { MAX_LIST, takeLongList } from '../near/long-list.js';
import { ChunkStore } from './chunk-store.js';
import { PRINT, TEXT_KEY, type TakenIn } from './intake.js';
import { NO_PAGE, type Pages } from './pages.js';

export interface SimilarOptions {
  /** T: shared chunks of similar pages. */
  readonly threshold: number;
  readonly room: SpillRoom;
  /** The longest list whose pairs are all compared; tests use less. */
  readonly maxList?: number;
}

export interface SimilarPages {
  /** By page: its trivial cluster, numbered in the order of their first pages. */
  readonly clusterOf: Uint32Array;
  readonly clusters: number;
  readonly counts: SimilarCounts;
}

export interface SimilarCounts {
  /** Distinct texts, and pages without text or digest, which are like no other page. */
  texts: number;
  textless: number;
  /** Distinct chunks that several texts have. */
  sharedChunks: number;
  compared: number;
  longLists: number;
  unseen: number;
}

const NO_TEXT = 0xffffffff;

export function findSimilar(taken: TakenIn, pages: Pages, options: SimilarOptions): SimilarPages {
  const { room } = options;
  const counts: SimilarCounts = { texts: 0, textless: 0, sharedChunks: 0, compared: 0, longLists: 0, unseen: 0 };
  const third = { ...room, memoryBytes: room.memoryBytes / 3 };
  const textOf = new Uint32Array(pages.count).fill(NO_TEXT);
  const sizes = new Uint32Array(pages.count);
  const chunks = numberTexts(taken, pages, textOf, sizes, third, counts);
  const shared = countChunks(chunks, third, counts);
  const store = new ChunkStore(counts.texts, room.memoryBytes / 3, room.tmpdir);
  const prefixes = takePrefixes(shared, sizes, store, options.threshold, third);
  const unions = new Unions(counts.texts);
  comparePairs(prefixes, sizes, store, unions, options, counts);
  store.close();
  return { ...numberClusters(textOf, unions, counts), counts };
}

/** Step 1. Returns ⟨chunk, text⟩, to be sorted. */
function numberTexts(
  { texts }: TakenIn,
  { ofRecord }: Pages,
  textOf: Uint32Array,
  sizes: Uint32Array,
  room: SpillRoom,
  counts: SimilarCounts,
): SpillSorter {
  const sorter = new SpillSorter(room, room.stats);
  const row = new RowWriter();
  let last: Uint8Array | undefined;
  for (const { bytes, keyStart, keyEnd, end } of eachRow(texts)) {
    const page = ofRecord[readU32(bytes, keyEnd)]!;
    if (page === NO_PAGE) continue;
    const key = bytes.subarray(keyStart, keyStart + TEXT_KEY);
    const isNew = last === undefined || Buffer.compare(last, key) !== 0;
    if (isNew) {
      last = key.slice();
      const text = counts.texts++;
      sizes[text] = (end - keyEnd - 4) / PRINT;
      for (let at = keyEnd + 4; at < end; at += PRINT) {
        row
          .clear()
          .range(bytes, at, at + PRINT)
          .bigEndian(text);
        sorter.add(row.bytes, 0, row.length, PRINT + 4);
      }
    }
    textOf[page] = counts.texts - 1;
  }
  return sorter;
}

/** Step 2. Returns ⟨text, frequency, chunk⟩ of chunks that several texts have, to be sorted. */
function countChunks(chunks: SpillSorter, room: SpillRoom, counts: SimilarCounts): SpillSorter {
  const sorter = new SpillSorter(room, room.stats);
  const row = new RowWriter();
  const print = new Uint8Array(PRINT);
  let texts = new Uint32Array(1024);
  let frequency = 0;
  const flush = () => {
    if (frequency > 1) {
      for (let k = 0; k < frequency; k++) {
        row.clear().bigEndian(texts[k]!).bigEndian(frequency).bigEndian(counts.sharedChunks);
        sorter.add(row.bytes, 0, 12, 12);
      }
      counts.sharedChunks++;
    }
    frequency = 0;
  };
  for (const { bytes, keyStart } of eachRow(chunks.finish())) {
    let isSame = frequency > 0;
    for (let k = 0; isSame && k < PRINT; k++) isSame = bytes[keyStart + k] === print[k];
    if (!isSame) {
      flush();
      for (let k = 0; k < PRINT; k++) print[k] = bytes[keyStart + k]!;
    }
    if (frequency === texts.length) texts = widened(texts);
    texts[frequency++] = readBigEndian(bytes, keyStart + PRINT);
  }
  flush();
  return sorter;
}

/** Step 3. Returns ⟨chunk, text⟩ of the prefixes, to be sorted. */
function takePrefixes(
  shared: SpillSorter,
  sizes: Uint32Array,
  store: ChunkStore,
  threshold: number,
  room: SpillRoom,
): SpillSorter {
  const sorter = new SpillSorter(room, room.stats);
  const row = new RowWriter();
  let own = new Uint32Array(1024);
  let [text, length] = [0, 0];
  const flush = () => {
    const needed = Math.min(threshold, sizes[text]!);
    if (length >= needed && length > 0) {
      for (let k = 0; k <= length - needed; k++) {
        row.clear().bigEndian(own[k]!).bigEndian(text);
        sorter.add(row.bytes, 0, 8, 8);
      }
      store.add(text, own.subarray(0, length).sort());
    }
    length = 0;
  };
  for (const { bytes, keyStart } of eachRow(shared.finish())) {
    const nextText = readBigEndian(bytes, keyStart);
    if (nextText !== text) flush();
    text = nextText;
    if (length === own.length) own = widened(own);
    own[length++] = readBigEndian(bytes, keyStart + 8);
  }
  flush();
  store.freeze();
  return sorter;
}

/** Step 4. */
function comparePairs(
  prefixes: SpillSorter,
  sizes: Uint32Array,
  store: ChunkStore,
  unions: Unions,
  { threshold, maxList = MAX_LIST }: SimilarOptions,
  counts: SimilarCounts,
): void {
  const compare = (a: number, b: number): void => {
    if (unions.areOne(a, b)) return;
    const needed = Math.min(threshold, Math.max(sizes[a]!, sizes[b]!));
    counts.compared++;
    if (shares(store.of(a), store.of(b), needed)) unions.join(a, b);
  };
  let list = new Uint32Array(1024);
  let [chunk, length] = [0, 0];
  const flush = () => {
    if (length > maxList) {
      counts.longLists++;
      counts.unseen += takeLongList(list, length, (a, b) => unions.areOne(a, b), compare);
    } else for (let a = 0; a < length; a++) for (let b = a + 1; b < length; b++) compare(list[a]!, list[b]!);
    length = 0;
  };
  for (const { bytes, keyStart } of eachRow(prefixes.finish())) {
    const nextChunk = readBigEndian(bytes, keyStart);
    if (nextChunk !== chunk) flush();
    chunk = nextChunk;
    if (length === list.length) list = widened(list);
    list[length++] = readBigEndian(bytes, keyStart + 4);
  }
  flush();
}

/** Whether two ascending lists have `needed` numbers in common. */
function shares(a: Uint32Array, b: Uint32Array, needed: number): boolean {
  let [i, j, common] = [0, 0, 0];
  while (i < a.length && j < b.length) {
    if (common + Math.min(a.length - i, b.length - j) < needed) return false;
    const [left, right] = [a[i]!, b[j]!];
    if (left === right && ++common >= needed) return true;
    if (left <= right) i++;
    if (right <= left) j++;
  }
  return false;
}

function numberClusters(
  textOf: Uint32Array,
  unions: Unions,
  counts: SimilarCounts,
): { readonly clusterOf: Uint32Array; readonly clusters: number } {
  const numbers = new Uint32Array(counts.texts).fill(NO_TEXT);
  const clusterOf = textOf;
  let clusters = 0;
  for (let page = 0; page < textOf.length; page++) {
    const text = textOf[page]!;
    if (text === NO_TEXT) {
      counts.textless++;
      clusterOf[page] = clusters++;
      continue;
    }
    const root = unions.rootOf(text);
    if (numbers[root] === NO_TEXT) numbers[root] = clusters++;
    clusterOf[page] = numbers[root]!;
  }
  return { clusterOf, clusters };
}
