// A STAND-IN until the kernel has the trees: the groups and branches that its stand-in hands over (kernel/support) are counted in
// JavaScript, and what comes of that goes into blocks as the kernel's would.
import { alloc, i32At, u32At, u8At } from '../base/heap.js';
import type { Instances, SentInstances } from './instance-columns.js';
import { RowWriter, writePair, type Pair } from './pair.js';
import { Shapes } from './shape.js';
import type { SiteUrls } from './site-urls.js';
import { countBranches, createSupport, type Branches } from './support.js';

export function standIn(
  urls: SiteUrls,
  MS: number,
  least: number,
  take: (address: number) => void,
): (address: number, bytes: number) => void {
  const pairs = new RowWriter();
  const one = new RowWriter();
  let present = 0;
  const emit = (pair: Pair) => {
    const { bytes, length } = writePair(one.clear(), pair);
    pairs.u32(length).raw(bytes.subarray(0, length));
  };
  const block = (kind: number, bytes: Uint8Array) => {
    const address = alloc(16 + bytes.length);
    u32At(address, 2).set([kind, bytes.length]);
    u8At(address + 16, bytes.length).set(bytes);
    take(address);
  };
  const handOn = {
    least,
    take: ({ column, ...branches }: Branches) =>
      block(1, Buffer.from(JSON.stringify({ ...branches, group: present, column: Array.from(column) }))),
  };
  const support = createSupport(urls, { MS }, emit, handOn);
  return (address, bytes) => {
    if (bytes === 0) support(instancesAt((present = address)));
    else if (bytes === 1) {
      const length = u32At(address, 2)[1]!;
      const branches = JSON.parse(Buffer.from(u8At(address + 16, length)).toString()) as Branches & { group: number };
      present = branches.group;
      const column = Int32Array.from(branches.column);
      countBranches(urls, { MS }, emit, handOn, { ...branches, column, group: sent(instancesAt(present)) });
    } else if (bytes === 2) {
      if (pairs.length > 0) block(0, pairs.bytes.subarray(0, pairs.length));
    } else take(address);
  };
}

function instancesAt(address: number): Instances {
  const [count, from, to, coreOffset, shape, shapeCount, shapes, isShared] = u32At(address, 8) as unknown as Eight;
  const words = i32At(shapes, 9 * shapeCount);
  const all = new Shapes();
  for (let at = 0; at < words.length; at += 9) {
    const packed = (k: number) => words[at + k]! | (words[at + k + 1]! << 16);
    all.numberOf(packed(0), packed(2), packed(4), packed(6), words[at + 8]!);
  }
  return {
    count,
    from: i32At(from, count),
    to: i32At(to, count),
    coreOffset: i32At(coreOffset, count),
    shape: i32At(shape, count),
    shapes: all,
    isShared: isShared === 1,
  };
}

type Eight = [number, number, number, number, number, number, number, number];

function sent({ count, from, to, coreOffset, shape, shapes }: Instances): SentInstances {
  return { count, from, to, coreOffset, shape, packedShapes: shapes.packed() };
}
