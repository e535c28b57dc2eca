// The URLs of instances on one side of their core: how far do they read alike, and which go on alike after that?
//
// Both sides are read from the core outwards: byte k beyond a context is at `edge + direction · k`. Tokens are counted from
// the core too; after the last one comes START, or END, as a token of no bytes.
//
//   chain   what instances have in common beyond a context, in tokens: most go on alike for many tokens, so all of them are
//           compared at once with what one of them reads (1 M URLs: 30,000 chains, where there are 162,000 contexts)
//   fork    where they go different ways: a stable partition by the next token
import { mixed } from '../base/hash.js';
import { FIRST_RUN_BYTE } from '../url/token.js';
import type { Instances } from './instance-columns.js';
import { doubled, isWitness } from './shape.js';
import type { SiteUrls } from './site-urls.js';
import { Ways } from './ways.js';

/** A context that the instances at a node share. */
export interface Context {
  readonly tokens: number;
  readonly bytes: number;
  /** True where it takes in START, or END. */
  readonly closed: boolean;
}

export const NOTHING: Context = { tokens: 0, bytes: 0, closed: false };

/** The context that is wider by one token, of so many bytes. */
export function widened({ tokens, bytes }: Context, tokenBytes: number): Context {
  return { tokens: tokens + 1, bytes: bytes + tokenBytes, closed: tokenBytes === 0 };
}

/** Ranges of a column in which instances go on alike: from, to, bytes of their token, again and again. */
export type Forks = readonly number[];

/** Contexts by token from `first` on: their bytes, and which of them takes in START, or END, if one does. */
export interface Chain {
  readonly first: number;
  readonly bytesAt: readonly number[];
  readonly closed: number;
}

const NONE = -1;

export class Side {
  readonly #urls: SiteUrls;
  readonly #direction: -1 | 1;
  #group!: Instances;
  #coreBytes = 0;
  /** The chain: bytes of its context by token, what they are, and the token that is START or END. */
  #first = 0;
  #bytesAt = new Int32Array(64);
  #text = new Uint8Array(256);
  #closed = NONE;
  /** Of the fork: the first instance of each way, the hash of its token, how many instances and witnesses, or where they go. */
  readonly #ways = new Ways();
  #wayOf = new Int32Array(0);
  #sorted = new Int32Array(0);
  #tokenBytes = 0;
  #tokenHash = 0;

  constructor(urls: SiteUrls, direction: -1 | 1) {
    this.#urls = urls;
    this.#direction = direction;
  }

  begin(group: Instances, coreBytes: number): void {
    this.#group = group;
    this.#coreBytes = coreBytes;
  }

  /** The context of so many tokens, of the chain looked at last. */
  at(tokens: number): Context {
    return { tokens, bytes: this.bytesAt(tokens), closed: this.isClosedAt(tokens) };
  }

  bytesAt(tokens: number): number {
    return this.#bytesAt[tokens - this.#first]!;
  }

  /** True if that context takes in START, or END. */
  isClosedAt(tokens: number): boolean {
    return tokens === this.#closed;
  }

  /** The contexts up to `last` tokens of the chain looked at last, for another thread. */
  chainTo(last: number): Chain {
    const first = this.#first;
    return { first, bytesAt: Array.from(this.#bytesAt.subarray(0, last - first + 1)), closed: this.#closed };
  }

  /** Makes such a chain the one looked at last, for {@link at} and its like. */
  setChain({ first, bytesAt, closed }: Chain): void {
    this.#first = first;
    this.#bytesAt = Int32Array.from({ length: Math.max(64, bytesAt.length) }, (_, k) => bytesAt[k] ?? 0);
    this.#closed = closed;
  }

  /**
   * The most tokens, up to `most`, that instances column[from, to) read alike, each as far as it reaches by its shape. All have
   * the context in common and one of them reaches `most`.
   */
  chain(column: Int32Array, from: number, to: number, context: Context, most: number, reachOf: Int32Array): number {
    const { shape } = this.#group;
    let model = from;
    while (reachOf[shape[column[model]!]!]! < most) model++;
    this.#read(column[model]!, context, most);
    let last = most;
    for (let k = from; k < to && last > context.tokens; k++) {
      const index = column[k]!;
      const reach = reachOf[shape[index]!]!;
      last = this.#alike(index, context.bytes, reach < last ? reach : last, last);
    }
    if (last < this.#closed) this.#closed = NONE;
    return last;
  }

  /** Takes the chain from one instance. */
  #read(index: number, { tokens, bytes: contextBytes, closed }: Context, most: number): void {
    const { bytes } = this.#urls;
    const direction = this.#direction;
    const edge = this.#edge(index, contextBytes);
    const left = this.#bytesLeft(index, contextBytes);
    if (this.#text.length < left) this.#text = new Uint8Array(2 * left);
    while (this.#bytesAt.length <= most - tokens) this.#bytesAt = doubled(this.#bytesAt);
    const text = this.#text;
    this.#first = tokens;
    this.#closed = closed ? tokens : NONE;
    this.#bytesAt[0] = contextBytes;
    let read = 0;
    for (let level = tokens + 1; level <= most; level++) {
      if (read === left) this.#closed = level;
      else {
        let byte = (text[read] = bytes[edge + direction * read]!);
        read++;
        if (byte >= FIRST_RUN_BYTE) {
          for (; read < left; read++) {
            byte = bytes[edge + direction * read]!;
            if (byte < FIRST_RUN_BYTE) break;
            text[read] = byte;
          }
        }
      }
      this.#bytesAt[level - tokens] = contextBytes + read;
    }
  }

  /** `last` if the instance reads the chain up to `reach` tokens, else how many it does. */
  #alike(index: number, contextBytes: number, reach: number, last: number): number {
    const { bytes } = this.#urls;
    const direction = this.#direction;
    const text = this.#text;
    const edge = this.#edge(index, contextBytes);
    const left = this.#bytesLeft(index, contextBytes);
    const wanted = this.#bytesAt[reach - this.#first]! - contextBytes;
    const limit = wanted < left ? wanted : left;
    let same = 0;
    while (same < limit && bytes[edge + direction * same] === text[same]) same++;
    for (let tokens = reach; tokens > this.#first; tokens--) {
      const end = this.#bytesAt[tokens - this.#first]! - contextBytes;
      if (end > same) continue;
      // A run goes on as long as it can, and nothing comes after START or END.
      const splitsRun =
        end < left && text[end - 1]! >= FIRST_RUN_BYTE && bytes[edge + direction * end]! >= FIRST_RUN_BYTE;
      if (splitsRun || (tokens === this.#closed && end < left)) continue;
      return tokens === reach ? last : tokens;
    }
    return reach === this.#first ? last : this.#first;
  }

  /** Sorts column[from, to) by the next token beyond the context; leaves those ways that `least` witnesses go. */
  fork(column: Int32Array, from: number, to: number, contextBytes: number, least: number): Forks {
    const { shape, shapes } = this.#group;
    const ways = this.#ways;
    ways.clear();
    if (this.#sorted.length < to - from) {
      this.#wayOf = new Int32Array(to - from);
      this.#sorted = new Int32Array(to - from);
    }
    for (let k = from; k < to; k++) {
      const index = column[k]!;
      const way = this.#wayFor(index, contextBytes);
      this.#wayOf[k - from] = way;
      ways.count[way]!++;
      if (isWitness(shapes.flags[shape[index]!]!)) ways.witnesses[way]!++;
    }
    const forks: number[] = [];
    let end = from;
    for (let way = 0; way < ways.size; way++) {
      if (ways.witnesses[way]! < least) {
        ways.cursor[way] = NONE;
        continue;
      }
      this.#cut(ways.instance[way]!, contextBytes);
      forks.push(end, end + ways.count[way]!, this.#tokenBytes);
      ways.cursor[way] = end - from;
      end += ways.count[way]!;
    }
    if (ways.size === 1) return forks;
    for (let k = from; k < to; k++) {
      const way = this.#wayOf[k - from]!;
      if (ways.cursor[way]! >= 0) this.#sorted[ways.cursor[way]!++] = column[k]!;
    }
    for (let k = from; k < end; k++) column[k] = this.#sorted[k - from]!;
    return forks;
  }

  #wayFor(index: number, contextBytes: number): number {
    const { bytes } = this.#urls;
    const direction = this.#direction;
    const ways = this.#ways;
    const edge = this.#cut(index, contextBytes);
    const hash = this.#tokenHash;
    const length = this.#tokenBytes;
    for (let slot = ways.slotOf(hash); ; slot = ways.after(slot)) {
      const way = ways.at(slot);
      if (way === NONE) return ways.add(slot, hash, index);
      if (ways.hash[way] !== hash) continue;
      const other = this.#cut(ways.instance[way]!, contextBytes);
      if (this.#tokenBytes !== length) continue;
      let same = 0;
      while (same < length && bytes[edge + direction * same] === bytes[other + direction * same]) same++;
      if (same === length) return way;
    }
  }

  /** Finds the next token of an instance, and its hash; gives where it starts. */
  #cut(index: number, contextBytes: number): number {
    const { bytes } = this.#urls;
    const direction = this.#direction;
    const edge = this.#edge(index, contextBytes);
    const left = this.#bytesLeft(index, contextBytes);
    let length = 0;
    let hash = 0x811c9dc5;
    if (left > 0) {
      let byte = bytes[edge]!;
      do {
        hash = Math.imul(hash ^ byte, 0x01000193);
        length++;
      } while (byte >= FIRST_RUN_BYTE && length < left && (byte = bytes[edge + direction * length]!) >= FIRST_RUN_BYTE);
    }
    this.#tokenBytes = length;
    this.#tokenHash = mixed(hash);
    return edge;
  }

  /** Where the first byte beyond the context is. */
  #edge(index: number, contextBytes: number): number {
    const core = this.#urls.at(this.#group.from[index]!) + this.#group.coreOffset[index]!;
    return this.#direction < 0 ? core - contextBytes - 1 : core + this.#coreBytes + contextBytes;
  }

  #bytesLeft(index: number, contextBytes: number): number {
    const before = this.#group.coreOffset[index]!;
    if (this.#direction < 0) return before - contextBytes;
    return this.#urls.lengthOf(this.#group.from[index]!) - before - this.#coreBytes - contextBytes;
  }
}
