// Which instances of a core are counted alike? Those with the same lengths, the same envelopes and the same flags: they differ
// only in their URLs. Hundreds of thousands of instances of one core have a handful of shapes (1 M URLs: 228,670 have 5), so
// what a node of the trees has to know of its instances is how many there are of each.
//
//   packed, as in a row of the instance table   | fromBytes, toBytes | aLow, aHigh | bLow, bHigh | eLow, eHigh | flags |
import { mixed } from '../base/hash.js';

export const LOW = 1;
export const SIMILAR = 2;
export const BORDERED = 4;
/** Bordered, and the pair of URLs has more rows in its group: these can have envelopes in common. */
export const REPEATED = 8;

const WITNESS = LOW | SIMILAR;

/** True for an instance that counts for `low`. */
export function isWitness(flags: number): boolean {
  return (flags & WITNESS) === WITNESS;
}

const WORDS = 5;
const NONE = -1;
const FEWEST_SLOTS = 16;

/** Shapes by number, in the order in which they came; a column each. */
export class Shapes {
  count = 0;
  fromBytes = new Int32Array(8);
  toBytes = new Int32Array(8);
  aLow = new Int32Array(8);
  aHigh = new Int32Array(8);
  bLow = new Int32Array(8);
  bHigh = new Int32Array(8);
  eLow = new Int32Array(8);
  eHigh = new Int32Array(8);
  flags = new Int32Array(8);
  #packed = new Int32Array(8 * WORDS);
  #slots = new Int32Array(FEWEST_SLOTS).fill(NONE);
  #mask = FEWEST_SLOTS - 1;
  #latest = 0;

  /** Those that {@link packed} gave, with the same numbers. */
  static of(packed: Int32Array): Shapes {
    const shapes = new Shapes();
    for (let at = 0; at < packed.length; at += WORDS)
      shapes.#add(...(packed.subarray(at, at + WORDS) as unknown as Packed));
    return shapes;
  }

  /** All of them, to be sent to another thread. */
  packed(): Int32Array {
    return this.#packed.slice(0, this.count * WORDS);
  }

  clear(): void {
    this.count = 0;
    this.#mask = FEWEST_SLOTS - 1;
    this.#slots.fill(NONE, 0, FEWEST_SLOTS);
  }

  /** The number of a shape, by its packed words. */
  numberOf(lengths: number, a: number, b: number, e: number, flags: number): number {
    if (this.#latest < this.count && this.#is(this.#latest, lengths, a, b, e, flags)) return this.#latest;
    const slots = this.#slots;
    for (let slot = hashOf(lengths, a, b, e, flags) & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const shape = slots[slot]!;
      if (shape === NONE) break;
      if (this.#is(shape, lengths, a, b, e, flags)) return (this.#latest = shape);
    }
    return (this.#latest = this.#add(lengths, a, b, e, flags));
  }

  /** The same shape, but repeated. */
  repeated(shape: number): number {
    const at = shape * WORDS;
    const packed = this.#packed;
    const flags = packed[at + 4]! | REPEATED;
    return this.numberOf(packed[at]!, packed[at + 1]!, packed[at + 2]!, packed[at + 3]!, flags);
  }

  #is(shape: number, lengths: number, a: number, b: number, e: number, flags: number): boolean {
    const at = shape * WORDS;
    const packed = this.#packed;
    return (
      packed[at] === lengths &&
      packed[at + 1] === a &&
      packed[at + 2] === b &&
      packed[at + 3] === e &&
      packed[at + 4] === flags
    );
  }

  #add(lengths: number, a: number, b: number, e: number, flags: number): number {
    if (this.count === this.flags.length) this.#widen();
    if (2 * this.count > this.#mask) this.#widenSlots();
    const shape = this.count++;
    this.#packed.set([lengths, a, b, e, flags], shape * WORDS);
    this.fromBytes[shape] = lengths & 0xffff;
    this.toBytes[shape] = lengths >>> 16;
    this.aLow[shape] = a & 0xffff;
    this.aHigh[shape] = a >>> 16;
    this.bLow[shape] = b & 0xffff;
    this.bHigh[shape] = b >>> 16;
    this.eLow[shape] = e & 0xffff;
    this.eHigh[shape] = e >>> 16;
    this.flags[shape] = flags;
    this.#file(shape);
    return shape;
  }

  #file(shape: number): void {
    const at = shape * WORDS;
    const [lengths, a, b, e, flags] = this.#packed.subarray(at, at + WORDS) as unknown as Packed;
    let slot = hashOf(lengths, a, b, e, flags) & this.#mask;
    while (this.#slots[slot] !== NONE) slot = (slot + 1) & this.#mask;
    this.#slots[slot] = shape;
  }

  /** Takes more of the slots; those of a large group stay for the next one. */
  #widenSlots(): void {
    const slots = 2 * (this.#mask + 1);
    if (slots > this.#slots.length) this.#slots = new Int32Array(slots);
    this.#mask = slots - 1;
    this.#slots.fill(NONE, 0, slots);
    for (let shape = 0; shape < this.count; shape++) this.#file(shape);
  }

  #widen(): void {
    this.fromBytes = doubled(this.fromBytes);
    this.toBytes = doubled(this.toBytes);
    this.aLow = doubled(this.aLow);
    this.aHigh = doubled(this.aHigh);
    this.bLow = doubled(this.bLow);
    this.bHigh = doubled(this.bHigh);
    this.eLow = doubled(this.eLow);
    this.eHigh = doubled(this.eHigh);
    this.flags = doubled(this.flags);
    this.#packed = doubled(this.#packed);
  }
}

type Packed = [number, number, number, number, number];

export function doubled(column: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const wider = new Int32Array(column.length * 2);
  wider.set(column);
  return wider;
}

function hashOf(lengths: number, a: number, b: number, e: number, flags: number): number {
  const sides = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b);
  return mixed(sides ^ Math.imul(e, 0xc2b2ae35) ^ Math.imul(lengths, 0x27d4eb2f) ^ flags);
}
