// Rows of instances for the kernel, and the groups that it makes of them, in a form that tests can compare.
import { alloc, i32At, u32At, u8At } from '../../src/base/heap.js';

/** An instance; its core represents a hash of 64 bits. */
export interface TestInstance {
  readonly core: number;
  readonly from: number;
  readonly to: number;
  readonly offset: number;
  readonly flags: number;
  /** For core bytes, a, b and e: from and to. */
  readonly shape: readonly number[];
}

/** Instances end to end in a block of the heap. */
export function blockOf(instances: readonly TestInstance[]): Uint8Array {
  const words = instances.flatMap(({ core, from, to, offset, flags, shape }) => [
    core,
    Math.imul(core, 7919),
    sortable(from),
    sortable(to),
    offset | (flags << 16),
    ...[0, 2, 4, 6].map((k) => shape[k]! | (shape[k + 1]! << 16)),
  ]);
  const address = alloc(4 * words.length);
  i32At(address, words.length).set(words);
  return u8At(address, 4 * words.length);
}

/**
 * A word whose bytes in memory are big endian, so that they sort as the numbers do. Node runs on little-endian
 * machines.
 */
function sortable(value: number): number {
  return (value << 24) | ((value & 0xff00) << 8) | ((value >>> 8) & 0xff00) | (value >>> 24);
}

export interface TestGroup {
  readonly from: readonly number[];
  readonly to: readonly number[];
  readonly offset: readonly number[];
  /** Numbers of shapes. */
  readonly shape: readonly number[];
  /** For each shape: core bytes, a, b, e and flags. */
  readonly shapes: readonly (readonly number[])[];
}

const SHAPE_WORDS = 9;

/** The group at an address (kernel/count/group). */
export function groupAt(address: number): TestGroup {
  const [count, from, to, offset, shape, shapeCount, shapes] = u32At(address >>> 0, 7) as unknown as Seven;
  const column = (at: number) => Array.from(i32At(at, count));
  const words = i32At(shapes, SHAPE_WORDS * shapeCount);
  return {
    from: column(from),
    to: column(to),
    offset: column(offset),
    shape: column(shape),
    shapes: Array.from({ length: shapeCount }, (_, k) =>
      Array.from(words.subarray(SHAPE_WORDS * k, SHAPE_WORDS * (k + 1))),
    ),
  };
}

type Seven = [number, number, number, number, number, number, number];

/** The contents of a group; instances of one pair of URLs are put into a fixed order. */
export function instancesIn({ from, to, offset, shape, shapes }: TestGroup): string[] {
  const all = from.map((url, k) => [url, to[k]!, offset[k]!, ...shapes[shape[k]!]!]);
  for (let k = 1; k < all.length; k++)
    if (byUrls(all[k - 1]!, all[k]!) > 0) throw new Error(`instance ${k} is too late`);
  return shown(all);
}

/** The expected group of the instances of one core. */
export function expectedOf(instances: readonly TestInstance[], bordered: number, repeated: number): string[] {
  const pairOf = ({ from, to }: TestInstance) => `${from} ${to}`;
  const rows = new Map<string, number>();
  for (const instance of instances) rows.set(pairOf(instance), (rows.get(pairOf(instance)) ?? 0) + 1);
  const all = instances.map((instance) => {
    const { from, to, offset, shape, flags } = instance;
    const isRepeated = (flags & bordered) !== 0 && rows.get(pairOf(instance))! > 1;
    return [from, to, offset, ...shape, isRepeated ? flags | repeated : flags];
  });
  return shown(all);
}

function byUrls(a: readonly number[], b: readonly number[]): number {
  return a[0]! - b[0]! || a[1]! - b[1]!;
}

function shown(instances: readonly (readonly number[])[]): string[] {
  return instances.map((numbers) => numbers.join(' ')).toSorted();
}
