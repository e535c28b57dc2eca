// The rule table RT of Figure 1: the support of every pair (α, β) that reaches MS.
//
// Instances arrive grouped by core. A pair is a core with x to its left and y to its right, so the pairs of a group are
// contexts in two nested trees: to the left of the core, token by token, and under each of them to the right. Most instances
// go on alike for many tokens, so a node is a whole chain of contexts (`side`), and a left and a right node have the counts of
// all their pairs (a, b) at once (`cells`), from how many instances there are of each shape. What cannot reach MS any more
// is not entered: a chain ends where fewer witnesses than that go on, and a way that fewer go is not taken.
//
// A large core is counted by several threads: a node of it with many instances does not enter its children but hands them on,
// some together, as branches that any thread can grow.
//
// A node is a range of an index column. Children take the place of their parent in it, each in the order of the group,
// which is that of the URLs: so two instances of one pair of URLs are always neighbours.
import { sameBytes } from '../base/hash.js';
import { uncollate } from '../url/token.js';
import { Cells, isIn, isRepeated } from './cells.js';
import { columnOf, receivedInstances, sentInstances, type Instances, type SentInstances } from './instance-columns.js';
import type { Pair } from './pair.js';
import { doubled, isWitness } from './shape.js';
import { NOTHING, Side, widened, type Chain, type Context, type Forks } from './side.js';
import type { SiteUrls } from './site-urls.js';

export interface SupportOptions {
  /** Least support of a likely pair (the paper's MS). */
  readonly MS: number;
}

/** Children of a node, for any thread. */
export interface Branches {
  readonly group: SentInstances;
  readonly coreBytes: number;
  readonly parent: Context;
  /** Ranges of `column`, which holds indexes into the group. */
  readonly column: Int32Array;
  readonly forks: Forks;
  /** Of right nodes: the left chain that they are under. */
  readonly left?: Chain;
}

/** Who takes branches of about `least` instances, of groups in shared memory. */
export interface HandOn {
  readonly least: number;
  readonly take: (branches: Branches) => void;
}

const EXAMPLES = 3;
/** Contexts of a left chain, and pairs of a left and a right one: URLs may have thousands of tokens. */
const MAX_CHAIN = 512;
const MAX_CELLS = 1 << 18;

/** Calls `emit` for every pair with low >= MS in the groups it is given: instances whose cores have one hash. */
export function createSupport(
  urls: SiteUrls,
  { MS }: SupportOptions,
  emit: (pair: Pair) => void,
  handOn?: HandOn,
): (group: Instances) => void {
  const trees = new CoreTrees(urls, MS, emit, handOn);
  return (group) => {
    // One hash is nearly always one core; where it is not, bytes decide.
    let rest = allOf(group);
    while (rest.length >= MS) {
      const [same, others] = splitByCore(urls, group, rest);
      trees.grow(group, same);
      rest = others;
    }
  };
}

/** Counts what a node has handed on. */
export function countBranches(
  urls: SiteUrls,
  { MS }: SupportOptions,
  emit: (pair: Pair) => void,
  handOn: HandOn,
  branches: Branches,
): void {
  new CoreTrees(urls, MS, emit, handOn).growBranches(branches);
}

let scratch = new Int32Array(1024);

/** Good until the next group, unless the group is shared. */
function allOf({ count, isShared }: Instances): Int32Array {
  if (!isShared && count > scratch.length) scratch = new Int32Array(2 * count);
  const all = isShared ? columnOf(count, 'shared') : scratch.subarray(0, count);
  for (let index = 0; index < count; index++) all[index] = index;
  return all;
}

const NOBODY = new Int32Array(0);

type Halves = readonly [same: Int32Array, others: Int32Array];

/** Those with the core of the first, and the others. */
function splitByCore(urls: SiteUrls, group: Instances, indexes: Int32Array): Halves {
  const others: number[] = [];
  let count = 1;
  const first = indexes[0]!;
  for (let k = 1; k < indexes.length; k++) {
    const index = indexes[k]!;
    if (isSameCore(urls, group, first, index)) indexes[count++] = index;
    else others.push(index);
  }
  return others.length === 0 ? [indexes, NOBODY] : [indexes.subarray(0, count), Int32Array.from(others)];
}

function isSameCore(urls: SiteUrls, { from, to, coreOffset, shape, shapes }: Instances, a: number, b: number): boolean {
  const { fromBytes, toBytes } = shapes;
  const [fromLength, toLength] = [fromBytes[shape[a]!]!, toBytes[shape[a]!]!];
  if (fromLength !== fromBytes[shape[b]!] || toLength !== toBytes[shape[b]!]) return false;
  return (
    sameAt(urls, from[a]!, coreOffset[a]!, from[b]!, coreOffset[b]!, fromLength) &&
    sameAt(urls, to[a]!, coreOffset[a]!, to[b]!, coreOffset[b]!, toLength)
  );
}

function sameAt(urls: SiteUrls, a: number, aOffset: number, b: number, bOffset: number, length: number): boolean {
  if (length === 0) return true;
  const inA = urls.at(a) + aOffset;
  const inB = urls.at(b) + bOffset;
  return sameBytes(urls.bytes, inA, urls.bytes, inB, length);
}

function sizeOf(forks: Forks, k: number): number {
  return forks[k + 1]! - forks[k]!;
}

/** Where the largest range is. */
function largestOf(forks: Forks): number {
  let largest = 0;
  for (let k = 3; k < forks.length; k += 3) if (sizeOf(forks, k) > sizeOf(forks, largest)) largest = k;
  return largest;
}

function shared(column: Int32Array): Int32Array {
  const copy = columnOf(column.length, 'shared');
  copy.set(column);
  return copy;
}

/** The two nested trees of one core after the other. */
class CoreTrees {
  readonly #urls: SiteUrls;
  readonly #MS: number;
  readonly #emit: (pair: Pair) => void;
  readonly #handOn: HandOn | undefined;
  readonly #left: Side;
  readonly #right: Side;
  readonly #cells = new Cells();
  #group!: Instances;
  #coreBytes = 0;
  #inLeft: Int32Array = new Int32Array(0);
  #inRight: Int32Array = new Int32Array(0);
  /** The left chain: a of its first and its last context. */
  #aLow = 0;
  #aHigh = 0;
  /** Of the node looked at last: its shapes, and by shape how many instances it has and how many tokens these reach. */
  readonly #found: number[] = [];
  #countOf = new Int32Array(0);
  #reachOf = new Int32Array(0);
  #byReach = new Int32Array(64);

  constructor(urls: SiteUrls, MS: number, emit: (pair: Pair) => void, handOn: HandOn | undefined) {
    this.#urls = urls;
    this.#MS = MS;
    this.#emit = emit;
    this.#handOn = handOn;
    this.#left = new Side(urls, -1);
    this.#right = new Side(urls, 1);
  }

  /** `instances` are indexes into the group, all of one core; the array is the trees' from now on. */
  grow(group: Instances, instances: Int32Array): void {
    this.#begin(group, group.shapes.fromBytes[group.shape[instances[0]!]!]!);
    this.#inLeft = instances;
    if (this.#inRight.length < instances.length) this.#inRight = new Int32Array(instances.length);
    this.#growLeft(0, instances.length, NOTHING);
  }

  growBranches({ group, coreBytes, parent, column, forks, left }: Branches): void {
    this.#begin(receivedInstances(group), coreBytes);
    if (left === undefined) {
      this.#inLeft = column;
      this.#inRight = new Int32Array(sizeOf(forks, largestOf(forks)));
      return this.#enterLeft(forks, parent);
    }
    this.#left.setChain(left);
    this.#aLow = left.first;
    this.#aHigh = left.first + left.bytesAt.length - 1;
    this.#inRight = column;
    this.#enterRight(forks, parent);
  }

  #begin(group: Instances, coreBytes: number): void {
    this.#group = group;
    this.#coreBytes = coreBytes;
    this.#left.begin(group, coreBytes);
    this.#right.begin(group, coreBytes);
    if (this.#countOf.length >= group.shapes.count) return;
    this.#found.length = 0;
    this.#countOf = new Int32Array(group.shapes.count);
    this.#reachOf = new Int32Array(group.shapes.count);
  }

  #growLeft(from: number, to: number, context: Context): void {
    const { shape, shapes } = this.#group;
    const { aLow, aHigh, eHigh } = shapes;
    const column = this.#inLeft;
    this.#countShapes(column, from, to);
    for (const found of this.#found) this.#reachOf[found] = Math.min(aHigh[found]!, eHigh[found]!);
    const reach = this.#commonReach(context.tokens);
    if (reach < context.tokens) return;
    const most = Math.min(reach, context.tokens + MAX_CHAIN);
    const last = this.#left.chain(column, from, to, context, most, this.#reachOf);
    let active = 0;
    let wider = from;
    for (let k = from; k < to; k++) {
      const index = column[k]!;
      const itsShape = shape[index]!;
      if (aLow[itsShape]! <= last) this.#inRight[active++] = index;
      if (this.#reachOf[itsShape]! > last) column[wider++] = index;
    }
    this.#aLow = context.tokens;
    this.#aHigh = last;
    const end = this.#left.at(last);
    this.#growRight(0, active, NOTHING);
    if (last === reach) return;
    const forks = this.#left.fork(column, from, wider, end.bytes, this.#MS);
    this.#enterLeft(forks, end);
  }

  #enterLeft(forks: Forks, parent: Context): void {
    const own = this.#handOnMost(forks, parent, 'left');
    for (let k = 0; k < own.length; k += 3) this.#growLeft(own[k]!, own[k + 1]!, widened(parent, own[k + 2]!));
  }

  #growRight(from: number, to: number, context: Context): void {
    const { shape, shapes } = this.#group;
    const { aLow, bHigh, eHigh } = shapes;
    const column = this.#inRight;
    this.#countShapes(column, from, to);
    for (const found of this.#found) {
      this.#reachOf[found] = Math.min(bHigh[found]!, eHigh[found]! - Math.max(this.#aLow, aLow[found]!));
    }
    const reach = this.#commonReach(context.tokens);
    if (reach < context.tokens) return;
    const most = Math.min(reach, context.tokens + Math.floor(MAX_CELLS / (this.#aHigh - this.#aLow + 1)));
    const last = this.#right.chain(column, from, to, context, most, this.#reachOf);
    this.#count(from, to, context.tokens, last);
    if (last === reach) return;
    let wider = from;
    for (let k = from; k < to; k++) {
      const index = column[k]!;
      if (this.#reachOf[shape[index]!]! > last) column[wider++] = index;
    }
    const end = this.#right.at(last);
    const forks = this.#right.fork(column, from, wider, end.bytes, this.#MS);
    this.#enterRight(forks, end);
  }

  #enterRight(forks: Forks, parent: Context): void {
    const own = this.#handOnMost(forks, parent, 'right');
    for (let k = 0; k < own.length; k += 3) this.#growRight(own[k]!, own[k + 1]!, widened(parent, own[k + 2]!));
  }

  /** Hands all children on but the largest, if these are enough for others; gives those that are left. */
  #handOnMost(forks: Forks, parent: Context, side: 'left' | 'right'): Forks {
    if (this.#handOn === undefined || !this.#group.isShared || forks.length < 6) return forks;
    const { least, take } = this.#handOn;
    const [from, to] = [forks[0]!, forks.at(-2)!];
    const kept = largestOf(forks);
    if (to - from - sizeOf(forks, kept) < least) return forks;
    const sent = {
      group: sentInstances(this.#group),
      coreBytes: this.#coreBytes,
      parent,
      column: side === 'left' ? this.#inLeft.subarray(from, to) : shared(this.#inRight.subarray(from, to)),
      ...(side === 'right' && { left: this.#left.chainTo(this.#aHigh) }),
    };
    let some: number[] = [];
    let instances = 0;
    for (let k = 0; k < forks.length; k += 3) {
      if (k !== kept) {
        some.push(forks[k]! - from, forks[k + 1]! - from, forks[k + 2]!);
        instances += sizeOf(forks, k);
      }
      if (instances < least && (k + 3 < forks.length || some.length === 0)) continue;
      take({ ...sent, forks: some });
      some = [];
      instances = 0;
    }
    return forks.slice(kept, kept + 3);
  }

  #countShapes(column: Int32Array, from: number, to: number): void {
    const { shape } = this.#group;
    const found = this.#found;
    const countOf = this.#countOf;
    for (const before of found) countOf[before] = 0;
    found.length = 0;
    for (let k = from; k < to; k++) {
      const itsShape = shape[column[k]!]!;
      if (countOf[itsShape]!++ === 0) found.push(itsShape);
    }
  }

  /** The most tokens that MS witnesses reach; less than `least` if so few are there. */
  #commonReach(least: number): number {
    const { flags } = this.#group.shapes;
    let most = least - 1;
    for (const shape of this.#found) {
      const reach = this.#reachOf[shape]!;
      if (!isWitness(flags[shape]!) || reach < least) continue;
      while (this.#byReach.length <= reach - least) this.#byReach = doubled(this.#byReach);
      this.#byReach[reach - least]! += this.#countOf[shape]!;
      if (reach > most) most = reach;
    }
    let reach = most;
    for (let sum = 0; reach >= least; reach--) {
      sum += this.#byReach[reach - least]!;
      if (sum >= this.#MS) break;
    }
    this.#byReach.fill(0, 0, most - least + 1);
    return reach;
  }

  /** Support of all pairs at a node, whose instances are there by shape. */
  #count(from: number, to: number, bLow: number, bHigh: number): void {
    const { shapes } = this.#group;
    const cells = this.#cells;
    cells.begin({ aLow: this.#aLow, aHigh: this.#aHigh, bLow, bHigh });
    let repeated = 0;
    for (const shape of this.#found) {
      if (isRepeated(shapes, shape)) repeated++;
      else cells.add(shapes, shape, this.#countOf[shape]!);
    }
    if (repeated > 0) this.#countRepeated(from, to);
    cells.each(this.#MS, (a, b, low, high, against) => this.#emitPair(from, to, a, b, { low, high, against }));
  }

  #countRepeated(from: number, to: number): void {
    const { from: fromUrl, to: toUrl, shape, shapes } = this.#group;
    let [lastFrom, lastTo] = [-1, -1];
    for (let k = from; k < to; k++) {
      const index = this.#inRight[k]!;
      if (!isRepeated(shapes, shape[index]!)) continue;
      if (fromUrl[index] !== lastFrom || toUrl[index] !== lastTo) this.#cells.nextPair();
      lastFrom = fromUrl[index]!;
      lastTo = toUrl[index]!;
      this.#cells.addRepeated(shapes, shape[index]!);
    }
  }

  #emitPair(from: number, to: number, a: number, b: number, support: Pick<Pair, 'low' | 'high' | 'against'>): void {
    const { from: fromUrl, to: toUrl, coreOffset, shape, shapes } = this.#group;
    const examples = this.#examples(from, to, a, b);
    const index = examples[0]!;
    const side = (row: number, coreBytes: number) => {
      const core = this.#urls.at(row) + coreOffset[index]!;
      const start = core - this.#left.bytesAt(a);
      return uncollate(this.#urls.bytes, start, core + coreBytes + this.#right.bytesAt(b));
    };
    const isStart = this.#left.isClosedAt(a);
    const isEnd = this.#right.isClosedAt(b);
    this.#emit({
      from: side(fromUrl[index]!, shapes.fromBytes[shape[index]!]!),
      to: side(toUrl[index]!, shapes.toBytes[shape[index]!]!),
      anchor: isStart ? (isEnd ? 'both' : 'start') : isEnd ? 'end' : 'none',
      ...support,
      examples: examples.map((example) => [fromUrl[example]!, toUrl[example]!] as const),
    });
  }

  /** The first witnesses of a pair, of different pairs of URLs. */
  #examples(from: number, to: number, a: number, b: number): readonly number[] {
    const { from: fromUrl, to: toUrl, shape, shapes } = this.#group;
    const examples: number[] = [];
    let last = -1;
    for (let k = from; k < to && examples.length < EXAMPLES; k++) {
      const index = this.#inRight[k]!;
      const itsShape = shape[index]!;
      if (!isWitness(shapes.flags[itsShape]!) || !isIn(shapes, itsShape, a, b)) continue;
      if (last >= 0 && fromUrl[last] === fromUrl[index] && toUrl[last] === toUrl[index]) continue;
      examples.push((last = index));
    }
    return examples;
  }
}
