// The rule table RT of Figure 1: the support of every pair (α, β) that reaches MS.
//
// Instances arrive grouped by core. A pair is a core with x to its left and y to its right, so the pairs of a group are
// the nodes of two nested trees: contexts to the left of the core, token by token, and under each of them contexts to the
// right. A node whose instances cannot reach MS any more is not entered, for every pair below it has no others. All
// instances at a node share the bytes of its context, so one width in bytes is enough to find the next token of each.
import { hashBytes, sameBytes } from '../base/hash.js';
import { FIRST_RUN_BYTE, uncollate } from '../url/token.js';
import { BORDERED, LOW, SIMILAR, type Instances } from './instance.js';
import type { Pair } from './pair.js';
import type { SiteUrls } from './url-list.js';

export interface SupportOptions {
  /** Least support of a likely pair (the paper's MS). */
  readonly MS: number;
}

const EXAMPLES = 3;

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
  let left = Array.from({ length: group.count }, (_, index) => index);
  // One hash is nearly always one core; where it is not, bytes decide.
  while (left.length >= options.MS) {
    const first = left[0]!;
    const same = left.filter((index) => isSameCore(urls, group, first, index));
    const cores = new Cores(urls, group, options, emit);
    cores.growLeft(same, NOTHING);
    if (same.length === left.length) return;
    left = left.filter((index) => !isSameCore(urls, group, first, index));
  }
}

function isSameCore(urls: SiteUrls, group: Instances, a: number, b: number): boolean {
  const { from, to, coreOffset, fromBytes, toBytes } = group;
  if (fromBytes[a] !== fromBytes[b] || toBytes[a] !== toBytes[b]) return false;
  const { bytes, start } = urls;
  const inFrom = (k: number) => start[from[k]!]! + coreOffset[k]!;
  const inTo = (k: number) => start[to[k]!]! + coreOffset[k]!;
  return (
    sameBytes(bytes, inFrom(a), bytes, inFrom(b), fromBytes[a]!) &&
    sameBytes(bytes, inTo(a), bytes, inTo(b), toBytes[a]!)
  );
}

/** The two nested trees of one core. */
class Cores {
  readonly #urls: SiteUrls;
  readonly #group: Instances;
  readonly #MS: number;
  readonly #emit: (pair: Pair) => void;

  constructor(urls: SiteUrls, group: Instances, options: SupportOptions, emit: (pair: Pair) => void) {
    this.#urls = urls;
    this.#group = group;
    this.#MS = options.MS;
    this.#emit = emit;
  }

  growLeft(instances: readonly number[], left: Context): void {
    const { aLow, aHigh } = this.#group;
    const a = left.tokens;
    if (this.#witnesses(instances) < this.#MS) return;
    this.#growRight(
      instances.filter((index) => aLow[index]! <= a && a <= aHigh[index]!),
      left,
      NOTHING,
    );
    const wider = instances.filter((index) => aHigh[index]! > a);
    if (wider.length < this.#MS) return;
    this.#eachChild(wider, left, -1, (members, context) => this.growLeft(members, context));
  }

  #growRight(instances: readonly number[], left: Context, right: Context): void {
    const { bLow, bHigh, eLow, eHigh } = this.#group;
    const b = right.tokens;
    const e = left.tokens + b;
    if (this.#witnesses(instances) < this.#MS) return;
    this.#count(
      instances.filter(
        (index) => bLow[index]! <= b && b <= bHigh[index]! && eLow[index]! <= e && e <= eHigh[index]!,
      ),
      left,
      right,
    );
    const wider = instances.filter((index) => bHigh[index]! > b && eHigh[index]! > e);
    if (wider.length < this.#MS) return;
    this.#eachChild(wider, right, 1, (members, context) => this.#growRight(members, left, context));
  }

  /** Rows that could count for `low`. Distinct pairs of URLs are never more. */
  #witnesses(instances: readonly number[]): number {
    const { flags } = this.#group;
    let count = 0;
    for (const index of instances) if ((flags[index]! & (LOW | SIMILAR)) === (LOW | SIMILAR)) count++;
    return count;
  }

  /** Splits instances by the next token beside the context, to the left (-1) or to the right (1). */
  #eachChild(
    instances: readonly number[],
    context: Context,
    side: -1 | 1,
    visit: (members: readonly number[], context: Context) => void,
  ): void {
    const { bytes } = this.#urls;
    const children = new Map<number, { at: number; length: number; members: number[] }[]>();
    for (const index of instances) {
      const at = side < 0 ? this.#tokenBefore(index, context.bytes) : this.#tokenAfter(index, context.bytes);
      const length = this.#tokenLength;
      const hash = hashBytes(bytes, at, at + length);
      let sameHash = children.get(hash);
      if (sameHash === undefined) children.set(hash, (sameHash = []));
      const child = sameHash.find((other) => other.length === length && sameBytes(bytes, at, bytes, other.at, length));
      if (child === undefined) sameHash.push({ at, length, members: [index] });
      else child.members.push(index);
    }
    for (const sameHash of children.values()) {
      for (const { length, members } of sameHash) {
        if (members.length < this.#MS) continue;
        const closed = length === 0;
        visit(members, { tokens: context.tokens + 1, bytes: context.bytes + length, closed });
      }
    }
  }

  /** Set by the two functions below; 0 where the next token is START or END. */
  #tokenLength = 0;

  #tokenBefore(index: number, contextBytes: number): number {
    const { bytes, start } = this.#urls;
    const urlStart = start[this.#group.from[index]!]!;
    const end = urlStart + this.#group.coreOffset[index]! - contextBytes;
    let at = end;
    if (at > urlStart) at--;
    if (at < end && bytes[at]! >= FIRST_RUN_BYTE) while (at > urlStart && bytes[at - 1]! >= FIRST_RUN_BYTE) at--;
    this.#tokenLength = end - at;
    return at;
  }

  #tokenAfter(index: number, contextBytes: number): number {
    const { bytes, start } = this.#urls;
    const { from, coreOffset, fromBytes } = this.#group;
    const urlEnd = start[from[index]! + 1]!;
    const begin = start[from[index]!]! + coreOffset[index]! + fromBytes[index]! + contextBytes;
    let at = begin;
    if (at < urlEnd) at++;
    if (at > begin && bytes[begin]! >= FIRST_RUN_BYTE) while (at < urlEnd && bytes[at]! >= FIRST_RUN_BYTE) at++;
    this.#tokenLength = at - begin;
    return begin;
  }

  #count(instances: readonly number[], left: Context, right: Context): void {
    const { flags } = this.#group;
    let low = 0;
    let high = 0;
    let against = 0;
    let bordered = 0;
    for (const index of instances) {
      const flag = flags[index]!;
      bordered |= flag & BORDERED;
      if ((flag & SIMILAR) === 0) against++;
      else {
        high++;
        if ((flag & LOW) !== 0) low++;
      }
    }
    if (low < this.#MS) return;
    if (bordered !== 0) ({ low, high, against } = this.#countDistinct(instances));
    if (low >= this.#MS) this.#emitPair(instances, left, right, low, high, against);
  }

  /** The same counts over distinct pairs of URLs: one with several envelopes counts if one of them counts. */
  #countDistinct(instances: readonly number[]): { low: number; high: number; against: number } {
    const { from, to, flags } = this.#group;
    const seen = new Map<string, number>();
    for (const index of instances) {
      const key = `${from[index]},${to[index]}`;
      seen.set(key, (seen.get(key) ?? 0) | flags[index]!);
    }
    let low = 0;
    let high = 0;
    let against = 0;
    for (const flag of seen.values()) {
      if ((flag & SIMILAR) === 0) against++;
      else {
        high++;
        if ((flag & LOW) !== 0) low++;
      }
    }
    return { low, high, against };
  }

  #emitPair(
    instances: readonly number[],
    left: Context,
    right: Context,
    low: number,
    high: number,
    against: number,
  ): void {
    const { bytes, start } = this.#urls;
    const { from, to, coreOffset, fromBytes, toBytes } = this.#group;
    const first = instances[0]!;
    const fromCore = start[from[first]!]! + coreOffset[first]!;
    const toCore = start[to[first]!]! + coreOffset[first]!;
    this.#emit({
      from: uncollate(bytes, fromCore - left.bytes, fromCore + fromBytes[first]! + right.bytes),
      to: uncollate(bytes, toCore - left.bytes, toCore + toBytes[first]! + right.bytes),
      anchor: left.closed ? (right.closed ? 'both' : 'start') : right.closed ? 'end' : 'none',
      low,
      high,
      against,
      examples: this.#examples(instances),
    });
  }

  #examples(instances: readonly number[]): [number, number][] {
    const { from, to, flags } = this.#group;
    const least: [number, number][] = [];
    for (const index of instances) {
      if ((flags[index]! & (LOW | SIMILAR)) !== (LOW | SIMILAR)) continue;
      const candidate: [number, number] = [from[index]!, to[index]!];
      if (least.some((other) => other[0] === candidate[0] && other[1] === candidate[1])) continue;
      let at = least.length;
      while (at > 0 && isBefore(candidate, least[at - 1]!)) at--;
      if (at < EXAMPLES) least.splice(at, 0, candidate);
      if (least.length > EXAMPLES) least.pop();
    }
    return least;
  }
}

function isBefore(a: readonly [number, number], b: readonly [number, number]): boolean {
  return a[0] < b[0] || (a[0] === b[0] && a[1] < b[1]);
}
