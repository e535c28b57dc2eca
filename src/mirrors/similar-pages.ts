// Finds similar pages (Cho, Shivakumar, Garcia-Molina 2000, 2.1): those that share T chunks of text, also by chains
// (Definition 4). A page with fewer than T chunks must share all of them: two pages need min(T, own chunks) of both.
//
//   1. Pages with the same text are folded (`intake`), so that copies are not compared with each other.
//   2. ⟨chunk, text⟩ sorted: chunks that several texts have are numbered, and counted. Those of the frame of a host are
//      left out (`frames`), so a text needs fewer; a text of nothing else is similar only to pages with the same text.
//   3. ⟨text, frequency, chunk⟩ sorted: a text with n chunks that needs t of them shares at least one of its n − t + 1
//      rarest chunks with any similar text. Chunks that only it has are the rarest, and generate no pairs.
//   4. ⟨chunk, text⟩ of these, sorted: a list for each chunk. Pairs of a list that are not yet known to be similar are
//      compared in full, so that the pairs are those of the iceberg count of the paper (3.2).
//   5. Components of texts (`near/components`). Clusters follow from ⟨root, page⟩ sorted and ⟨page, first page⟩ sorted.
//
// In a list of more than MAX_LIST texts, each text is compared with those next to it and with the first texts of
// clusters. The other pairs are counted. Only the list itself decides that, so the result does not depend on memory.
import { Column } from '../base/column.js';
import { Bits, widened } from '../base/numbers.js';
import { NumberPairs } from '../base/number-pairs.js';
import { eachRow, readBigEndian, readU32, RowWriter } from '../base/row.js';
import { type SpillRoom, SpillSorter } from '../base/spill.js';
import { roomFor } from '../memory-plan.js';
import { Components, type Roots, Unions } from '../near/components.js';
import { MAX_LIST, possiblePairs, takeLongList } from '../near/long-list.js';
import { ChunkStore, type TextChunks } from './chunk-store.js';
import { Frames, leastOf, MANY_HOSTS } from './frames.js';
import { PRINT, type TakenIn, TEXT_KEY } from './intake.js';
import type { Pages } from './pages.js';

interface SimilarOptions {
  /** T: the number of chunks that similar pages share. */
  readonly threshold: number;
  /** The memory of all stages together. */
  readonly room: SpillRoom;
  /** The longest list whose pairs are all compared; tests use less. */
  readonly maxList?: number;
}

export interface SimilarPages {
  /** By page: its trivial cluster. Clusters are numbered in the order of their first pages. */
  readonly clusterOf: Column;
  readonly clusters: number;
  readonly counts: SimilarCounts;
}

export interface SimilarCounts {
  /** The number of distinct texts, and of pages without text and digest, which are similar to no other. */
  texts: number;
  textless: number;
  /** The number of distinct chunks that several texts have. */
  sharedChunks: number;
  /** The number of distinct chunks that are the frame of a host, which are not compared. */
  frameChunks: number;
  longLists: number;
  unseen: number;
}

export function findSimilar(taken: TakenIn, pages: Pages, options: SimilarOptions): SimilarPages {
  const { room, threshold } = options;
  const counts: SimilarCounts = { texts: 0, textless: 0, sharedChunks: 0, frameChunks: 0, longLists: 0, unseen: 0 };
  const sorts = roomFor('mirrors/sorts', room);
  const quarter = { ...sorts, memoryBytes: sorts.memoryBytes / 4 };
  const column = roomFor('mirrors/column', room);
  const [lengths, hosts] = [new Column(pages.ofRecord.length, column), new Column(pages.ofRecord.length, column)];
  const { chunks, holders } = numberTexts(taken, pages, { lengths, hosts, room: quarter, counts });
  const shared = countChunks(chunks, { lengths, frames: new Frames(hosts, counts.texts), room: quarter, counts });
  hosts.close();
  const store = new ChunkStore(quarter.memoryBytes, room.tmpdir);
  const isStored = new Bits(counts.texts);
  const prefixes = takePrefixes(shared, { lengths, threshold, store, isStored, room: quarter });
  lengths.close();
  const components = new Components(store.count, roomFor('mirrors/unions', room));
  comparePairs(prefixes, { store, components, maxList: options.maxList ?? MAX_LIST, counts });
  store.close();
  const firsts = findFirsts(placed(holders, pages, quarter), components.finish(), isStored, quarter);
  return { ...numberClusters(firsts, new Column(pages.count, roomFor('mirrors/column', room)), counts), counts };
}

interface Numbering {
  /** To be filled, by text: the number of its chunks, and its host or MANY_HOSTS. */
  readonly lengths: Column;
  readonly hosts: Column;
  readonly room: SpillRoom;
  readonly counts: SimilarCounts;
}

/** Step 1. Returns ⟨chunk, text⟩, each with the least chunk of the text, and ⟨record, text⟩, to be sorted. */
function numberTexts(
  { texts }: TakenIn,
  { isPage, ofRecord, hosts: hostOf }: Pages,
  { lengths, hosts, room, counts }: Numbering,
): { readonly chunks: SpillSorter; readonly holders: NumberPairs } {
  const chunks = new SpillSorter(room, room.stats);
  const holders = new NumberPairs(room);
  const row = new RowWriter();
  let last: Uint8Array | undefined;
  for (const { bytes, keyStart, keyEnd, end } of eachRow(texts)) {
    const record = readU32(bytes, keyEnd);
    if (!isPage.has(record)) continue;
    const key = bytes.subarray(keyStart, keyStart + TEXT_KEY);
    const host = hostOf.get(ofRecord.get(record));
    const isNew = last === undefined || Buffer.compare(last, key) !== 0;
    if (!isNew && hosts.get(counts.texts - 1) !== host) hosts.set(counts.texts - 1, MANY_HOSTS);
    if (isNew) {
      last = key.slice();
      const text = counts.texts++;
      hosts.set(text, host);
      lengths.set(text, (end - keyEnd - 4) / PRINT);
      const least = leastOf(bytes, keyEnd + 4, end);
      for (let at = keyEnd + 4; at < end; at += PRINT) {
        row
          .clear()
          .range(bytes, at, at + PRINT)
          .bigEndian(text)
          .u32(least);
        chunks.add(row.bytes, 0, row.length, PRINT + 4);
      }
    }
    holders.add(record, counts.texts - 1);
  }
  return { chunks, holders };
}

interface Counting {
  /** By text: the number of its chunks, from which those of frames are subtracted. */
  readonly lengths: Column;
  readonly frames: Frames;
  readonly room: SpillRoom;
  readonly counts: SimilarCounts;
}

/** Step 2. Returns ⟨text, frequency, chunk⟩ of chunks that several texts have and that are no frame, to be sorted. */
function countChunks(chunks: SpillSorter, { lengths, frames, room, counts }: Counting): SpillSorter {
  const sorter = new SpillSorter(room, room.stats);
  const row = new RowWriter();
  const print = new Uint8Array(PRINT);
  let [texts, leasts] = [new Uint32Array(1024), new Uint32Array(1024)];
  let frequency = 0;
  const flush = () => {
    if (frames.isFrame(texts, leasts, frequency)) {
      for (let k = 0; k < frequency; k++) lengths.set(texts[k]!, lengths.get(texts[k]!) - 1);
      counts.frameChunks++;
    } else if (frequency > 1) {
      for (let k = 0; k < frequency; k++) {
        row.clear().bigEndian(texts[k]!).bigEndian(frequency).bigEndian(counts.sharedChunks);
        sorter.add(row.bytes, 0, 12, 12);
      }
      counts.sharedChunks++;
    }
    frequency = 0;
  };
  for (const { bytes, keyStart, keyEnd } of eachRow(chunks.finish())) {
    let isSame = frequency > 0;
    for (let k = 0; isSame && k < PRINT; k++) isSame = bytes[keyStart + k] === print[k];
    if (!isSame) {
      flush();
      for (let k = 0; k < PRINT; k++) print[k] = bytes[keyStart + k]!;
    }
    if (frequency === texts.length) [texts, leasts] = [widened(texts), widened(leasts)];
    texts[frequency] = readBigEndian(bytes, keyStart + PRINT);
    leasts[frequency++] = readU32(bytes, keyEnd);
  }
  flush();
  return sorter;
}

interface Prefixing {
  /** By text: the number of its chunks that are compared. */
  readonly lengths: Column;
  readonly threshold: number;
  /** To be filled: the texts that may be similar to others, and by text whether it is among them. */
  readonly store: ChunkStore;
  readonly isStored: Bits;
  readonly room: SpillRoom;
}

/** Step 3. Returns ⟨chunk, text⟩ of the prefixes, to be sorted. Texts have their numbers in the store. */
function takePrefixes(shared: SpillSorter, { lengths, threshold, store, isStored, room }: Prefixing): NumberPairs {
  const sorter = new NumberPairs(room);
  let own = new Uint32Array(1024);
  let [text, length] = [0, 0];
  const flush = () => {
    const needed = Math.min(threshold, lengths.get(text));
    if (length >= needed && length > 0) {
      for (let k = 0; k <= length - needed; k++) sorter.add(own[k]!, store.count);
      store.add(needed, own.subarray(0, length).sort());
      isStored.set(text);
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
  if (length > 0) flush();
  store.freeze();
  return sorter;
}

interface Comparing {
  readonly store: ChunkStore;
  readonly components: Components;
  readonly maxList: number;
  readonly counts: SimilarCounts;
}

/** Step 4. Compares the pairs of texts that share a chunk. */
function comparePairs(prefixes: NumberPairs, { store, components, maxList, counts }: Comparing): void {
  const join = (a: number, b: number): boolean => {
    const areSimilar = shares(store.of(a), store.of(b));
    if (areSimilar) components.join(a, b);
    return areSimilar;
  };
  let list = new Uint32Array(1024);
  let [chunk, length] = [0, 0];
  const flush = () => {
    if (length > maxList) {
      counts.longLists++;
      counts.unseen += compareLongList(list, length, join);
    } else {
      for (let a = 0; a < length; a++) {
        for (let b = a + 1; b < length; b++) if (!components.areOne(list[a]!, list[b]!)) join(list[a]!, list[b]!);
      }
    }
    length = 0;
  };
  prefixes.each((nextChunk, text) => {
    if (nextChunk !== chunk) flush();
    chunk = nextChunk;
    if (length === list.length) list = widened(list);
    list[length++] = text;
  });
  flush();
  counts.unseen = Math.min(counts.unseen, possiblePairs(store.count));
}

/** Starts from scratch: what is already known of these texts may depend on memory. */
function compareLongList(list: Uint32Array, length: number, join: (a: number, b: number) => boolean): number {
  const known = new Unions(length);
  const places = Uint32Array.from({ length }, (_, place) => place);
  return takeLongList(
    places,
    length,
    (a, b) => known.areOne(a, b),
    (a, b) => {
      if (!known.areOne(a, b) && join(list[a]!, list[b]!)) known.join(a, b);
    },
  );
}

/** True if two texts share as many chunks as both need. */
function shares(a: TextChunks, b: TextChunks): boolean {
  const needed = Math.max(a[0]!, b[0]!);
  let [i, j, common] = [1, 1, 0];
  while (i < a.length && j < b.length) {
    if (common + Math.min(a.length - i, b.length - j) < needed) return false;
    const [left, right] = [a[i]!, b[j]!];
    if (left === right && ++common >= needed) return true;
    if (left <= right) i++;
    if (right <= left) j++;
  }
  return false;
}

/** Returns ⟨text, page⟩, to be sorted. */
function placed(holders: NumberPairs, { ofRecord }: Pages, room: SpillRoom): NumberPairs {
  const places = new NumberPairs(room);
  holders.each((record, text) => places.add(text, ofRecord.get(record)));
  return places;
}

/** Step 5. Returns ⟨page, the first page of its cluster⟩, to be sorted. */
function findFirsts(places: NumberPairs, roots: Roots, isStored: Bits, room: SpillRoom): NumberPairs {
  const firsts = new NumberPairs(room);
  const rooted = new NumberPairs(room);
  let [lastText, stored, first] = [-1, -1, 0];
  places.each((text, page) => {
    const isNew = text !== lastText;
    lastText = text;
    if (isStored.has(text)) {
      if (isNew) stored++;
      rooted.add(roots.of(stored), page);
    } else {
      if (isNew) first = page;
      firsts.add(page, first);
    }
  });
  roots.close();
  let lastRoot = -1;
  rooted.each((root, page) => {
    if (root !== lastRoot) first = page;
    lastRoot = root;
    firsts.add(page, first);
  });
  return firsts;
}

function numberClusters(
  firsts: NumberPairs,
  clusterOf: Column,
  counts: SimilarCounts,
): { readonly clusterOf: Column; readonly clusters: number } {
  let [clusters, page] = [0, 0];
  const skipTo = (next: number) => {
    for (; page < next; page++) {
      counts.textless++;
      clusterOf.set(page, clusters++);
    }
  };
  firsts.each((own, first) => {
    skipTo(own);
    clusterOf.set(own, first === own ? clusters++ : clusterOf.get(first));
    page++;
  });
  skipTo(clusterOf.length);
  return { clusterOf, clusters };
}
