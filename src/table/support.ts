// The rule table RT of Figure 1: the support of every pair (α, β) that reaches MS.
//
// Instances arrive grouped by core. A pair is a core with x to its left and y to its right, so the pairs of a group are
// the nodes of two nested trees: contexts to the left of the core, token by token, and under each of them contexts to the
// right. A node whose instances cannot reach MS any more is not entered, for every pair below it has no others. All
// instances at a node share the bytes of its context, so one width in bytes is enough to find the next token of each.
//
// A node is a range of an index column. Children take the place of their parent in it, each in the order of the group,
// which is that of the URLs: so two instances of one pair of URLs are always neighbours.
import { hashBytes, sameBytes } from '../base/hash.js';
import { FIRST_RUN_BYTE, uncollate } from '../url/token.js';
import { LOW, SIMILAR, type Instances } from './instance.js';
import type { Pair } from './pair.js';
import type { SiteUrls } from './site-urls.js';

export interface SupportOptions {
  /** Least support of a likely pair (the paper's MS). */
  readonly MS: number;
}

const EXAMPLES = 3;
const WITNESS = LOW | SIMILAR;

/** How far a context reaches from the core on one side. */
interface Context {
  readonly tokens: number;
  readonly bytes: number;
  /** True where it takes in START, or END. */
  readonly closed: boolean;
}

const NOTHING: Context = { tokens: 0, bytes: 0, closed: false };

/** Calls `emit` for every pair with low >= MS among instances whose cores have one hash. */
export function eachPair(urls: SiteUrls, group: Instances, options: SupportOptions, emit: (pair: Pair) => void): void {
  if (countWitnesses(group) < options.MS) return;
  // One hash is nearly always one core; where it is not, bytes decide.
  let rest = allOf(group);
  while (rest.length >= options.MS) {
    const [same, others] = splitByCore(urls, group, rest);
    new CoreTrees(urls, group, options.MS, emit).grow(same);
    rest = others;
  }
}

function allOf({ count }: Instances): Int32Array<ArrayBuffer> {
  const all = new Int32Array(count);
  for (let index = 0; index < count; index++) all[index] = index;
  return all;
}

/** Those with the core of the first, and the others. */
function splitByCore(urls: SiteUrls, group: Instances, indexes: Int32Array<ArrayBuffer>): Halves {
  const others: number[] = [];
  let count = 0;
  const first = indexes[0]!;
  for (const index of indexes) {
    if (isSameCore(urls, group, first, index)) indexes[count++] = index;
    else others.push(index);
  }
  return [indexes.subarray(0, count), Int32Array.from(others)];
}

type Halves = readonly [same: Int32Array<ArrayBuffer>, others: Int32Array<ArrayBuffer>];

/** Rows that could count for `low`. The distinct pairs of URLs among them are not more. */
function countWitnesses({ count, flags }: Instances): number {
  let witnesses = 0;
  for (let index = 0; index < count; index++) if ((flags[index]! & WITNESS) === WITNESS) witnesses++;
  return witnesses;
}

function isSameCore(urls: SiteUrls, group: Instances, a: number, b: number): boolean {
  const { from, to, coreOffset, fromBytes, toBytes } = group;
  const [fromLength, toLength] = [fromBytes[a]!, toBytes[a]!];
  if (fromLength !== fromBytes[b] || toLength !== toBytes[b]) return false;
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

interface Child {
  /** An instance that goes there, where its token starts in the URL, and how long that is; 0 for START and END. */
  readonly index: number;
  readonly offset: number;
  readonly length: number;
  /** First how many instances go there and how many of them are witnesses, then where the next one goes. */
  count: number;
  witnesses: number;
  cursor: number;
}

/** The two nested trees of one core. */
class CoreTrees {
  readonly #urls: SiteUrls;
  readonly #group: Instances;
  readonly #MS: number;
  readonly #emit: (pair: Pair) => void;
  #left = new Int32Array(0);
  #right = new Int32Array(0);
  #sorted = new Int32Array(0);
  #childOf = new Int32Array(0);
  #tokenLength = 0;
  /** The token of the first child of the node that is being split. */
  #first = new Uint8Array(0);

  constructor(urls: SiteUrls, group: Instances, MS: number, emit: (pair: Pair) => void) {
    this.#urls = urls;
    this.#group = group;
    this.#MS = MS;
    this.#emit = emit;
  }

  /** `instances` are indexes into the group, all of one core; the array is the trees' from now on. */
  grow(instances: Int32Array<ArrayBuffer>): void {
    this.#left = instances;
    this.#right = new Int32Array(instances.length);
    this.#sorted = new Int32Array(instances.length);
    this.#childOf = new Int32Array(instances.length);
    this.#growLeft(0, instances.length, NOTHING);
  }

  #growLeft(from: number, to: number, left: Context): void {
    const { aLow, aHigh, eHigh } = this.#group;
    const a = left.tokens;
    let active = 0;
    let wider = from;
    for (let k = from; k < to; k++) {
      const index = this.#left[k]!;
      if (aLow[index]! <= a && a <= aHigh[index]!) this.#right[active++] = index;
      if (aHigh[index]! > a && eHigh[index]! > a) this.#left[wider++] = index;
    }
    this.#growRight(0, active, left, NOTHING);
    for (const child of this.#split(this.#left, from, wider, left, -1)) {
      this.#growLeft(child.cursor - child.count, child.cursor, widened(left, child));
    }
  }

  #growRight(from: number, to: number, left: Context, right: Context): void {
    if (to - from < this.#MS) return;
    const { bHigh, eHigh } = this.#group;
    const b = right.tokens;
    const e = left.tokens + b;
    this.#count(from, to, left, right);
    let wider = from;
    for (let k = from; k < to; k++) {
      const index = this.#right[k]!;
      if (bHigh[index]! > b && eHigh[index]! > e) this.#right[wider++] = index;
    }
    for (const child of this.#split(this.#right, from, wider, right, 1)) {
      this.#growRight(child.cursor - child.count, child.cursor, left, widened(right, child));
    }
  }

  /** Sorts rows [from, to) of the column by the next token beside the context; gives the children that can reach MS. */
  #split(column: Int32Array, from: number, to: number, context: Context, side: -1 | 1): readonly Child[] {
    if (to - from < this.#MS) return [];
    const { flags } = this.#group;
    const children: Child[] = [];
    const byHash = new Map<number, number[]>();
    for (let k = from; k < to; k++) {
      const index = column[k]!;
      const number = this.#childNumber(index, context, side, children, byHash);
      this.#childOf[k] = number;
      const child = children[number]!;
      child.count++;
      if ((flags[index]! & WITNESS) === WITNESS) child.witnesses++;
    }
    const alive = children.filter((child) => child.witnesses >= this.#MS);
    let end = from;
    for (const child of children) {
      child.cursor = child.witnesses >= this.#MS ? end : -1;
      if (child.cursor >= 0) end += child.count;
    }
    if (children.length === 1) {
      children[0]!.cursor = end;
      return alive;
    }
    for (let k = from; k < to; k++) {
      const child = children[this.#childOf[k]!]!;
      if (child.cursor >= 0) this.#sorted[child.cursor++] = column[k]!;
    }
    column.set(this.#sorted.subarray(from, end), from);
    return alive;
  }

  #childNumber(
    index: number,
    context: Context,
    side: -1 | 1,
    children: Child[],
    byHash: Map<number, number[]>,
  ): number {
    const { bytes } = this.#urls;
    const row = this.#group.from[index]!;
    const urlStart = this.#urls.at(row);
    if (children.length > 0 && this.#goesOn(index, row, urlStart, context, side)) return 0;
    const at = side < 0 ? this.#tokenBefore(index, urlStart, context) : this.#tokenAfter(index, urlStart, context);
    const length = this.#tokenLength;
    const hash = hashBytes(bytes, urlStart + at, urlStart + at + length);
    let numbers = byHash.get(hash);
    if (numbers === undefined) byHash.set(hash, (numbers = []));
    const known = numbers.find((number) => this.#isToken(children[number]!, index, at, length));
    if (known !== undefined) return known;
    numbers.push(children.length);
    if (children.length === 0) this.#first = bytes.slice(urlStart + at, urlStart + at + length);
    return children.push({ index, offset: at, length, count: 0, witnesses: 0, cursor: 0 }) - 1;
  }

  #isToken(child: Child, index: number, at: number, length: number): boolean {
    const { bytes } = this.#urls;
    const { from } = this.#group;
    const inChild = this.#urls.at(from[child.index]!) + child.offset;
    return child.length === length && sameBytes(bytes, inChild, bytes, this.#urls.at(from[index]!) + at, length);
  }

  /** True where the next token is that of the first child, as it mostly is: looked at without cutting it out. */
  #goesOn(index: number, row: number, urlStart: number, context: Context, side: -1 | 1): boolean {
    const { bytes } = this.#urls;
    const first = this.#first;
    const length = first.length;
    const core = urlStart + this.#group.coreOffset[index]!;
    const urlEnd = urlStart + this.#urls.lengthOf(row);
    const edge = side < 0 ? core - context.bytes : core + this.#group.fromBytes[index]! + context.bytes;
    if (length === 0) return edge === (side < 0 ? urlStart : urlEnd);
    const at = side < 0 ? edge - length : edge;
    if (at < urlStart || at + length > urlEnd) return false;
    for (let k = 0; k < length; k++) if (bytes[at + k] !== first[k]) return false;
    if (first[0]! < FIRST_RUN_BYTE) return true;
    // A run goes on as long as it can.
    const beyond = side < 0 ? at - 1 : at + length;
    return beyond < urlStart || beyond >= urlEnd || bytes[beyond]! < FIRST_RUN_BYTE;
  }

  /** Offset in the URL of the token to the left of the context; its length goes to #tokenLength, 0 for START. */
  #tokenBefore(index: number, urlStart: number, context: Context): number {
    const { bytes } = this.#urls;
    const end = urlStart + this.#group.coreOffset[index]! - context.bytes;
    let at = end;
    if (at > urlStart) at--;
    if (at < end && bytes[at]! >= FIRST_RUN_BYTE) while (at > urlStart && bytes[at - 1]! >= FIRST_RUN_BYTE) at--;
    this.#tokenLength = end - at;
    return at - urlStart;
  }

  /** Offset in the URL of the token to the right of the context; its length goes to #tokenLength, 0 for END. */
  #tokenAfter(index: number, urlStart: number, context: Context): number {
    const { bytes } = this.#urls;
    const { from, coreOffset, fromBytes } = this.#group;
    const urlEnd = urlStart + this.#urls.lengthOf(from[index]!);
    const begin = urlStart + coreOffset[index]! + fromBytes[index]! + context.bytes;
    let at = begin;
    if (at < urlEnd) at++;
    if (at > begin && bytes[begin]! >= FIRST_RUN_BYTE) while (at < urlEnd && bytes[at]! >= FIRST_RUN_BYTE) at++;
    this.#tokenLength = at - begin;
    return begin - urlStart;
  }

  /** Support of the pair at a node. Rows of one pair of URLs are neighbours and count once, for the best of them. */
  #count(from: number, to: number, left: Context, right: Context): void {
    const { from: fromUrl, to: toUrl, bLow, bHigh, eLow, eHigh, flags } = this.#group;
    const b = right.tokens;
    const e = left.tokens + b;
    let [low, high, against, any] = [0, 0, 0, -1];
    let [lastFrom, lastTo, lastFlags] = [-1, -1, 0];
    const examples: [number, number][] = [];
    for (let k = from; k <= to; k++) {
      const index = k < to ? this.#right[k]! : -1;
      if (index >= 0) {
        if (bLow[index]! > b || b > bHigh[index]! || eLow[index]! > e || e > eHigh[index]!) continue;
        any = index;
        if (fromUrl[index] === lastFrom && toUrl[index] === lastTo) {
          lastFlags |= flags[index]!;
          continue;
        }
      }
      if (lastFrom >= 0) {
        if ((lastFlags & SIMILAR) === 0) against++;
        else {
          high++;
          if ((lastFlags & LOW) !== 0) {
            low++;
            if (examples.length < EXAMPLES) examples.push([lastFrom, lastTo]);
          }
        }
      }
      if (index < 0) break;
      lastFrom = fromUrl[index]!;
      lastTo = toUrl[index]!;
      lastFlags = flags[index]!;
    }
    if (low >= this.#MS) this.#emitPair(any, left, right, { low, high, against, examples });
  }

  #emitPair(
    index: number,
    left: Context,
    right: Context,
    counts: Pick<Pair, 'low' | 'high' | 'against' | 'examples'>,
  ): void {
    const { from, to, coreOffset, fromBytes, toBytes } = this.#group;
    const side = (row: number, coreBytes: number) => {
      const core = this.#urls.at(row) + coreOffset[index]!;
      return uncollate(this.#urls.bytes, core - left.bytes, core + coreBytes + right.bytes);
    };
    this.#emit({
      from: side(from[index]!, fromBytes[index]!),
      to: side(to[index]!, toBytes[index]!),
      anchor: left.closed ? (right.closed ? 'both' : 'start') : right.closed ? 'end' : 'none',
      ...counts,
    });
  }
}

function widened(context: Context, child: Child): Context {
  return { tokens: context.tokens + 1, bytes: context.bytes + child.length, closed: child.length === 0 };
}
