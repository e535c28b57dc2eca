// The support of all pairs (a, b) at a node at once: a tokens of its left chain, b of its right one.
//
//   a \ b   0  1  2  3  4        An instance counts in a rectangle of cells that a range of a + b cuts at two corners: in each
//   0       .  .  .  .  .        line from one b to another. So it is added where that begins and taken away behind where it
//   1       .  .  x  x  x        ends, and sums along a line give the counts.
//   2       .  x  x  x  .
import { isWitness, REPEATED, SIMILAR, type Shapes } from './shape.js';

/** Cells [aLow, aHigh] × [bLow, bHigh]. */
export interface CellRange {
  readonly aLow: number;
  readonly aHigh: number;
  readonly bLow: number;
  readonly bHigh: number;
}

export class Cells {
  low = new Int32Array(0);
  high = new Int32Array(0);
  against = new Int32Array(0);
  /** The pair of URLs that a cell has counted last, and counted last for `low`. */
  #seen = new Int32Array(0);
  #seenLow = new Int32Array(0);
  #pair = 0;
  #range: CellRange = { aLow: 0, aHigh: 0, bLow: 0, bHigh: 0 };
  #width = 0;
  #cells = 0;

  begin(range: CellRange): void {
    this.#range = range;
    this.#width = range.bHigh - range.bLow + 2;
    this.#cells = this.#width * (range.aHigh - range.aLow + 1);
    if (this.low.length < this.#cells) {
      const column = () => new Int32Array(2 * this.#cells);
      this.low = column();
      this.high = column();
      this.against = column();
      this.#seen = column();
      this.#seenLow = column();
      return;
    }
    this.low.fill(0, 0, this.#cells);
    this.high.fill(0, 0, this.#cells);
    this.against.fill(0, 0, this.#cells);
  }

  /** Adds so many instances of a shape, none of which is repeated. */
  add(shapes: Shapes, shape: number, count: number): void {
    const flags = shapes.flags[shape]!;
    if ((flags & SIMILAR) === 0) return this.#addTo(this.against, shapes, shape, count);
    this.#addTo(this.high, shapes, shape, count);
    if (isWitness(flags)) this.#addTo(this.low, shapes, shape, count);
  }

  #addTo(column: Int32Array, shapes: Shapes, shape: number, count: number): void {
    const { aLow, aHigh, bLow } = this.#range;
    const last = Math.min(aHigh, shapes.aHigh[shape]!);
    for (let a = Math.max(aLow, shapes.aLow[shape]!); a <= last; a++) {
      const from = this.#from(shapes, shape, a);
      const to = this.#to(shapes, shape, a);
      if (from > to) continue;
      const line = (a - aLow) * this.#width - bLow;
      column[line + from]! += count;
      column[line + to + 1]! -= count;
    }
  }

  #from(shapes: Shapes, shape: number, a: number): number {
    return Math.max(this.#range.bLow, shapes.bLow[shape]!, shapes.eLow[shape]! - a);
  }

  #to(shapes: Shapes, shape: number, a: number): number {
    return Math.min(this.#range.bHigh, shapes.bHigh[shape]!, shapes.eHigh[shape]! - a);
  }

  /** Instances that are added from here on are of another pair of URLs than those before. */
  nextPair(): void {
    if (++this.#pair < 0x7fffffff) return;
    this.#pair = 1;
    this.#seen.fill(0);
    this.#seenLow.fill(0);
  }

  /** Adds an instance whose pair of URLs may have others in the same cells: it counts once, for the best of them. */
  addRepeated(shapes: Shapes, shape: number): void {
    const { aLow, aHigh, bLow } = this.#range;
    const flags = shapes.flags[shape]!;
    const similar = (flags & SIMILAR) !== 0 ? this.high : this.against;
    const last = Math.min(aHigh, shapes.aHigh[shape]!);
    for (let a = Math.max(aLow, shapes.aLow[shape]!); a <= last; a++) {
      const line = (a - aLow) * this.#width - bLow;
      const to = line + this.#to(shapes, shape, a);
      for (let cell = line + this.#from(shapes, shape, a); cell <= to; cell++) {
        if (this.#seen[cell] !== this.#pair) {
          this.#seen[cell] = this.#pair;
          similar[cell]!++;
          similar[cell + 1]!--;
        }
        if (isWitness(flags) && this.#seenLow[cell] !== this.#pair) {
          this.#seenLow[cell] = this.#pair;
          this.low[cell]!++;
          this.low[cell + 1]!--;
        }
      }
    }
  }

  /** Visits the cells with at least so many instances that count for `low`. */
  each(least: number, visit: (a: number, b: number, low: number, high: number, against: number) => void): void {
    const { aLow, aHigh, bLow, bHigh } = this.#range;
    for (let a = aLow; a <= aHigh; a++) {
      const line = (a - aLow) * this.#width - bLow;
      let [low, high, against] = [0, 0, 0];
      for (let b = bLow; b <= bHigh; b++) {
        low += this.low[line + b]!;
        high += this.high[line + b]!;
        against += this.against[line + b]!;
        if (low >= least) visit(a, b, low, high, against);
      }
    }
  }
}

/** True for shapes whose instances are added one by one. */
export function isRepeated(shapes: Shapes, shape: number): boolean {
  return (shapes.flags[shape]! & REPEATED) !== 0;
}

/** True if an instance of that shape counts at (a, b). */
export function isIn(shapes: Shapes, shape: number, a: number, b: number): boolean {
  return (
    shapes.aLow[shape]! <= a &&
    a <= shapes.aHigh[shape]! &&
    shapes.bLow[shape]! <= b &&
    b <= shapes.bHigh[shape]! &&
    shapes.eLow[shape]! <= a + b &&
    a + b <= shapes.eHigh[shape]!
  );
}
