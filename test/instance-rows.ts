// Rows of the instance table as objects, and the buckets that the kernel makes them from.
import { concatBytes } from '../src/base/bytes.js';
import { giveBack, newI32 } from '../src/base/heap.js';
import * as ROW from '../src/kernel/layout/instance-row.js';
import { UNSHARED, type Box, type BucketOptions } from '../src/table/envelope.js';
import { eachBucket } from './table/buckets.js';
import {
  addBuckets,
  askForInstances,
  beginInstances,
  endInstances,
  handOnRest,
  type InstanceColumns,
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

/** Consumes the backward order. */
export function bucketsOf(order: UrlOrder, options: BucketOptions): Bucket[] {
  const buckets: Bucket[] = [];
  eachBucket(order, options, UNSHARED, (members, size, box) => {
    buckets.push({ members: Array.from(members.subarray(0, size)), box: { ...box } });
  });
  return buckets;
}

/** The rows that the kernel makes from the buckets, so many buckets per call. */
export function instancesOf(
  urls: SiteUrls,
  order: InstanceColumns,
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

/** The rows that are added meanwhile. */
export function rowBytesOf(
  urls: SiteUrls,
  order: InstanceColumns,
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
  return Array.from({ length: block.length / ROW.ROW }, (_, row) =>
    rowOf(new DataView(block.buffer, block.byteOffset + row * ROW.ROW, ROW.ROW)),
  );
}

function rowOf(row: DataView): InstanceRow {
  const u16 = (at: number) => row.getUint16(at, true);
  return {
    hash: row.getBigUint64(ROW.HASH, true),
    from: row.getUint32(ROW.FROM),
    to: row.getUint32(ROW.TO),
    coreOffset: u16(ROW.CORE_OFFSET),
    flags: u16(ROW.FLAGS),
    fromBytes: u16(ROW.FROM_BYTES),
    toBytes: u16(ROW.TO_BYTES),
    a: [u16(ROW.A_LOW), u16(ROW.A_HIGH)],
    b: [u16(ROW.B_LOW), u16(ROW.B_HIGH)],
    e: [u16(ROW.E_LOW), u16(ROW.E_HIGH)],
  };
}
