// Which ways do the instances at a fork go? A hash table of their tokens, which is used again for the next fork.
import { doubled } from './shape.js';

const NONE = -1;
const FEWEST_SLOTS = 16;

/** Ways by number, in the order in which they came; a column each. */
export class Ways {
  size = 0;
  /** An instance that goes there, and the hash of its token. */
  instance = new Int32Array(8);
  hash = new Int32Array(8);
  /** How many instances go there, how many of these are witnesses, and where the next one goes. */
  count = new Int32Array(8);
  witnesses = new Int32Array(8);
  cursor = new Int32Array(8);
  #slots = new Int32Array(FEWEST_SLOTS).fill(NONE);
  #mask = FEWEST_SLOTS - 1;

  clear(): void {
    this.size = 0;
    this.#mask = FEWEST_SLOTS - 1;
    this.#slots.fill(NONE, 0, FEWEST_SLOTS);
  }

  slotOf(hash: number): number {
    return hash & this.#mask;
  }

  after(slot: number): number {
    return (slot + 1) & this.#mask;
  }

  /** The way in a slot, or -1. */
  at(slot: number): number {
    return this.#slots[slot]!;
  }

  /** Adds a way that has none yet, in the free slot where it was looked for. */
  add(slot: number, hash: number, instance: number): number {
    const way = this.size++;
    if (way === this.hash.length) this.#widen();
    this.#slots[slot] = way;
    this.instance[way] = instance;
    this.hash[way] = hash;
    this.count[way] = this.witnesses[way] = 0;
    if (2 * this.size > this.#mask) this.#widenSlots();
    return way;
  }

  /** Takes more of the slots; those of a large fork stay for the next one. */
  #widenSlots(): void {
    const slots = 4 * (this.#mask + 1);
    if (slots > this.#slots.length) this.#slots = new Int32Array(slots);
    this.#mask = slots - 1;
    this.#slots.fill(NONE, 0, slots);
    for (let way = 0; way < this.size; way++) {
      let slot = this.slotOf(this.hash[way]!);
      while (this.at(slot) !== NONE) slot = this.after(slot);
      this.#slots[slot] = way;
    }
  }

  #widen(): void {
    this.instance = doubled(this.instance);
    this.hash = doubled(this.hash);
    this.count = doubled(this.count);
    this.witnesses = doubled(this.witnesses);
    this.cursor = doubled(this.cursor);
  }
}
