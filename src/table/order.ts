// Two orders of a site's URLs: forwards, as they come, and backwards. Neighbours in forward order share the most first
// tokens, neighbours in backward order the most last tokens. What any two URLs share is the minimum over the neighbours
// between them (SPEC 3.3).
import { kernel, takeU16, takeU8 } from '../base/heap.js';
import { readU32, writeU32 } from '../base/row.js';
import { type SpillOptions, SpillSorter, type SpillStats } from '../base/spill.js';
import { ESCAPE_BYTE, FIRST_RUN_BYTE } from '../url/token.js';
import { type Backward, backwardColumns, orderBackward } from './backward.js';
import type { Forward, SiteUrls } from './site-urls.js';

/** Columns over the URLs of a site, in the heap. Token counts include START and END. */
export interface UrlOrder extends Forward, Backward {
  /** 1 for URLs that the walk has found to be of a crawler trap (SPEC 3.4). */
  readonly traps: Uint8Array;
}

/** Sorts in memory if the URLs are there, otherwise with an external sort. */
export function orderUrls(urls: SiteUrls, room: SpillOptions, stats: SpillStats): UrlOrder {
  const backward = urls.isResident ? sortResident(urls, room) : sortExternally(urls, room, stats);
  return { ...forwardOf(urls), ...backward, traps: trapColumn(urls.count) };
}

/** A column in the arena of this thread, without marks. */
export function trapColumn(count: number): Uint8Array {
  return takeU8(count).fill(0);
}

/** The number of tokens of each URL, and of first tokens that it shares with the URL before. */
function forwardOf(urls: SiteUrls): Forward {
  if (urls.forward !== undefined) return urls.forward;
  const { count } = urls;
  const forward = { tokens: takeU16(count), sharedFirst: takeU16(count) };
  fillForward(urls, forward, 0, count);
  return forward;
}

/** Fills the columns for URLs [from, to). */
export function fillForward(urls: SiteUrls, { tokens, sharedFirst }: Forward, from: number, to: number): void {
  urls.use();
  kernel().fillForward(tokens.byteOffset, sharedFirst.byteOffset, from, to);
}

function sortResident(urls: SiteUrls, { memoryBytes }: SpillOptions): Backward {
  const order = backwardColumns(urls.count);
  orderBackward(urls, order, { memoryBytes });
  return order;
}

/** Keys are URLs read backwards, so a common prefix of two keys is a common suffix of the URLs. */
function sortExternally(urls: SiteUrls, room: SpillOptions, stats: SpillStats): Backward {
  const sorter = new SpillSorter(room, stats);
  let line = new Uint8Array(4096);
  for (let row = 0; row < urls.count; row++) {
    const length = urls.lengthOf(row);
    if (length + 4 > line.length) line = new Uint8Array((length + 4) * 2);
    const last = urls.at(row) + length - 1;
    for (let k = 0; k < length; k++) line[k] = urls.bytes[last - k]!;
    writeU32(line, length, row);
    sorter.add(line, 0, length + 4, length);
  }
  const { backward, sharedLast } = backwardColumns(urls.count);
  const reader = sorter.finish();
  // The previous key and this key, end to end: | previous | this |
  let both = new Uint8Array(8192);
  let beforeLength = 0;
  for (let k = 0; k < urls.count; k++) {
    const row = reader.next()!;
    const length = row.keyEnd - row.keyStart;
    if (beforeLength + length > both.length) {
      const wider = new Uint8Array((beforeLength + length) * 2);
      wider.set(both.subarray(0, beforeLength));
      both = wider;
    }
    both.set(row.bytes.subarray(row.keyStart, row.keyEnd), beforeLength);
    const shared = sharedPrefix(both, 0, beforeLength, beforeLength, beforeLength + length);
    sharedLast[k] = k === 0 ? 0 : countTokens(both, 0, shared) + 1;
    backward[k] = readU32(row.bytes, row.keyEnd);
    both.copyWithin(0, beforeLength, beforeLength + length);
    beforeLength = length;
  }
  reader.close();
  return { backward, sharedLast };
}

/** The number of tokens of bytes[from, to), in collation bytes, forwards or backwards. Both ends are token boundaries. */
function countTokens(bytes: Uint8Array, from: number, to: number): number {
  let count = 0;
  let inRun = false;
  for (let at = from; at < to; at++) {
    const isRun = bytes[at]! >= FIRST_RUN_BYTE;
    if ((!isRun || !inRun) && bytes[at]! >= ESCAPE_BYTE) count++;
    inRun = isRun;
  }
  return count;
}

/** Bytes of the longest common prefix of [a, aEnd) and [b, bEnd), which are read backwards, in whole tokens. */
function sharedPrefix(bytes: Uint8Array, a: number, aEnd: number, b: number, bEnd: number): number {
  const limit = Math.min(aEnd - a, bEnd - b);
  let shared = 0;
  while (shared < limit && bytes[a + shared] === bytes[b + shared]) shared++;
  // An escape ends with its `%` here.
  while (shared > 0 && bytes[a + shared - 1]! < ESCAPE_BYTE) shared--;
  const splitsRun =
    shared > 0 &&
    bytes[a + shared - 1]! >= FIRST_RUN_BYTE &&
    ((a + shared < aEnd && bytes[a + shared]! >= FIRST_RUN_BYTE) ||
      (b + shared < bEnd && bytes[b + shared]! >= FIRST_RUN_BYTE));
  if (splitsRun) while (shared > 0 && bytes[a + shared - 1]! >= FIRST_RUN_BYTE) shared--;
  return shared;
}
