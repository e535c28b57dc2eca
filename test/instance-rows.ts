// Rows of the instance table as objects, and the buckets that the kernel makes them of.
import { concatBytes } from '../src/base/bytes.js';
import { giveBack, newI32 } from '../src/base/heap.js';
import { UNSHARED, type Box, type BucketOptions } from '../src/table/envelope.js';
import { eachBucket } from './table/buckets.js';
import {
  addBuckets,
  askForInstances,
  beginInstances,
  endInstances,
  handOnRest,
  readSortable,
  WORD,
  WORDS,
  type InstanceOptions,
} from '../src/table/instance.js';
import type { UrlOrder } from '../src/table/order.js';
import type { SiteUrls } from '../src/table/site-urls.js';

export interface Bucket {
  readonly members: readonly number[];
  readonly box: Box;
}

type Range = readonly [low: number, high: number];

export interface InstanceRow {
  readonly hash: bigint;
  readonly from: number;
  readonly to: number;
  readonly coreOffset: number;
  readonly flags: number;
  readonly fromBytes: number;
  readonly toBytes: number;
  readonly a: Range;
  readonly b: Range;
  readonly e: Range;
}

/** Uses up the backward order. */
export function bucketsOf(order: UrlOrder, options: BucketOptions): Bucket[] {
  const buckets: Bucket[] = [];
  eachBucket(order, options, UNSHARED, (members, size, box) => {
    buckets.push({ members: Array.from(members.subarray(0, size)), box: { ...box } });
  });
  return buckets;
}

/** The rows that the kernel makes of the buckets, a call for so many at a time. */
export function instancesOf(
  urls: SiteUrls,
  order: Pick<UrlOrder, 'tokens'>,
  options: InstanceOptions,
  buckets: readonly Bucket[],
  atOnce = Infinity,
): InstanceRow[] {
  const bytes = rowBytesOf(urls, order, options, () => {
    for (let k = 0; k < buckets.length; k += atOnce) {
      const chunk = chunkOf(buckets.slice(k, k + atOnce));
      addBuckets(chunk);
      giveBack(chunk);
    }
  });
  return rowsOf(bytes);
}

/** The rows of what is added meanwhile. */
export function rowBytesOf(
  urls: SiteUrls,
  order: Pick<UrlOrder, 'tokens'>,
  options: InstanceOptions,
  add: () => void,
): Uint8Array {
  const blocks: Uint8Array[] = [];
  beginInstances(urls, order, options);
  askForInstances(urls, (block) => {
    blocks.push(block.slice());
    giveBack(block);
  });
  add();
  handOnRest();
  endInstances();
  return concatBytes(blocks);
}

/** In the heap, as the walk writes them down. */
export function chunkOf(buckets: readonly Bucket[]): Int32Array<SharedArrayBuffer> {
  const words = buckets.flatMap(({ members, box }) => [
    members.length,
    box.iLow,
    box.iHigh,
    box.jLow,
    box.jHigh,
    box.dLow,
    box.dHigh,
    ...members,
  ]);
  const chunk = newI32(words.length);
  chunk.set(words);
  return chunk;
}

function rowsOf(block: Uint8Array): InstanceRow[] {
  const words = new Int32Array(block.buffer, block.byteOffset, block.length / 4);
  return Array.from({ length: words.length / WORDS }, (_, row) =>
    rowOf(words.subarray(row * WORDS, (row + 1) * WORDS)),
  );
}

function rowOf(words: Int32Array): InstanceRow {
  const rangeOf = (word: number): Range => [words[word]! & 0xffff, words[word]! >>> 16];
  const [coreOffset, flags] = rangeOf(WORD.place);
  const [fromBytes, toBytes] = rangeOf(WORD.lengths);
  return {
    hash: (BigInt(words[WORD.hash]!) << 32n) | BigInt(words[WORD.more]! >>> 0),
    from: readSortable(words[WORD.from]!),
    to: readSortable(words[WORD.to]!),
    coreOffset,
    flags,
    fromBytes,
    toBytes,
    a: rangeOf(WORD.a),
    b: rangeOf(WORD.b),
    e: rangeOf(WORD.e),
  };
}
