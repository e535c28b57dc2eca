// Joins clusters over break points: pages in the midst of a collection that have another text in each copy (Cho,
// Shivakumar, Garcia-Molina 2000, 2.2, Figure 3c). A break point splits the collection into clusters:
//
//   a1 → x → b1        ⟨a1, a2⟩ and ⟨b1, b2⟩; x and y are not similar
//   a2 → y → b2
//
// These clusters are joined by the same method as trivial clusters (`link-summary`, `grow`), one level up: clusters
// take the place of trivial clusters, copies that of pages, and ways over at most one page that of links. The remaining
// trivial clusters take part as copies of one page. Pages x and y are in no collection.
import { type Numbers, numbersOf } from '../base/column.js';
import { listsOf } from '../base/numbers.js';
import { eachRow, readBigEndian, RowWriter } from '../base/row.js';
import { type SpillRoom, SpillSorter } from '../base/spill.js';
import { roomFor } from '../memory-plan.js';
import { growCollections, type Grown } from './grow.js';
import type { LinkFile } from './link-file.js';
import { joinGroups } from './link-summary.js';

interface BreakOptions {
  /** By page: its trivial cluster. By trivial cluster: its number of pages. */
  readonly clusterOf: Numbers;
  readonly sizes: Numbers;
  /** By page. */
  readonly hosts: Numbers;
  readonly foreign: Numbers;
  readonly lengthOf: (page: number) => number;
  /** All links, sorted by target. */
  readonly links: LinkFile;
  /** The memory of all stages together. */
  readonly room: SpillRoom;
}

export interface BreakCounts {
  /** The number of clusters that were joined with others, and of pages over which too many copies are linked. */
  joined: number;
  hubs: number;
}

const NONE = 0xffffffff;
/** The most paths (a link in, a link out) to follow through one page: an index that links to all copies says nothing. */
const MOST_WAYS = 10_000;

/** All clusters, joined where possible, in the order of their least pages. */
export function joinOverBreaks(grown: readonly Grown[], options: BreakOptions, counts: BreakCounts): Grown[] {
  const { hosts, foreign, lengthOf, room } = options;
  const parts = [...grown, ...singles(grown, options)];
  const copies = new Copies(parts, hosts.length);
  const sorts = roomFor('mirrors/sorts', room);
  const third = { ...sorts, memoryBytes: sorts.memoryBytes / 3 };
  const ways = findWays(copies, options.links, third, counts);
  const cardinalities = numbersOf(Uint32Array.from(parts, ({ cardinality }) => cardinality));
  const groupCounts = { pairs: 0, edges: 0, unmatched: 0 };
  const components = joinGroups(eachRow(ways.finish()), {
    sizes: cardinalities,
    extended: false,
    counts: groupCounts,
    room,
  });
  const growing = {
    sizes: cardinalities,
    hosts: numbersOf(copies.roots.map((page) => hosts.get(page))),
    foreign: numbersOf(copies.sums(foreign)),
    lengthOf: (copy: number) => lengthOf(copies.roots[copy]!),
    extended: false,
  };
  const isJoined = new Uint8Array(parts.length);
  const result: Grown[] = [];
  for (const groups of components()) {
    for (const { cardinality, pages: members } of growCollections(groups, growing, { contradictions: 0, unlike: 0 })) {
      result.push(copies.joined(cardinality, members));
      for (const copy of members) isJoined[copies.partOf[copy]!] = 1;
    }
  }
  counts.joined += isJoined.reduce((sum, one) => sum + one, 0);
  grown.forEach((one, part) => {
    if (isJoined[part] === 0) result.push(one);
  });
  const least = new Map(result.map((one) => [one, one.pages.reduce((a, b) => Math.min(a, b))]));
  return result.sort((a, b) => least.get(a)! - least.get(b)!);
}

/** The trivial clusters that have no page in a collection. */
function* singles(grown: readonly Grown[], { clusterOf, sizes }: BreakOptions): Generator<Grown> {
  const isTaken = new Uint8Array(clusterOf.length);
  for (const { pages } of grown) for (const page of pages) isTaken[page] = 1;
  const { starts, items } = listsOf(sizes.length, Uint32Array.from(clusterOf.each()));
  for (let cluster = 0; cluster < sizes.length; cluster++) {
    const pages = items.slice(starts[cluster], starts[cluster + 1]);
    if (pages.length > 1 && pages.every((page) => isTaken[page] === 0)) {
      yield { cardinality: pages.length, size: 1, pages };
    }
  }
}

/** All copies of all clusters, numbered cluster by cluster. */
class Copies {
  /** By copy: its cluster, and its first page. */
  readonly partOf: Uint32Array;
  readonly roots: Uint32Array;
  /** By page: its copy, or NONE. */
  readonly ofPage: Uint32Array;
  readonly #parts: readonly Grown[];
  readonly #firsts: Uint32Array;

  constructor(parts: readonly Grown[], pages: number) {
    this.#parts = parts;
    this.#firsts = new Uint32Array(parts.length + 1);
    parts.forEach(({ cardinality }, part) => (this.#firsts[part + 1] = this.#firsts[part]! + cardinality));
    const count = this.#firsts[parts.length]!;
    this.partOf = new Uint32Array(count);
    this.roots = new Uint32Array(count);
    this.ofPage = new Uint32Array(pages).fill(NONE);
    parts.forEach(({ cardinality, pages: own }, part) => {
      const first = this.#firsts[part]!;
      this.partOf.fill(part, first, first + cardinality);
      this.roots.set(own.subarray(0, cardinality), first);
      own.forEach((page, at) => (this.ofPage[page] = first + (at % cardinality)));
    });
  }

  /** By copy: the sum of a value over its pages. */
  sums(ofPage: Numbers): Uint32Array {
    const sums = new Uint32Array(this.roots.length);
    this.ofPage.forEach((copy, page) => {
      if (copy !== NONE) sums[copy]! += ofPage.get(page);
    });
    return sums;
  }

  /** A cluster whose collections are unions of copies: members[k · cardinality + collection] are copies. */
  joined(cardinality: number, members: Uint32Array): Grown {
    const pages: number[] = [];
    for (let at = 0; at < members.length; at += cardinality) {
      const part = this.partOf[members[at]!]!;
      const { size, pages: own } = this.#parts[part]!;
      for (let k = 0; k < size; k++) {
        for (let collection = 0; collection < cardinality; collection++) {
          pages.push(own[k * cardinality + members[at + collection]! - this.#firsts[part]!]!);
        }
      }
    }
    return { cardinality, size: pages.length / cardinality, pages: Uint32Array.from(pages) };
  }

  areJoinable(a: number, b: number): boolean {
    const [one, other] = [this.partOf[a]!, this.partOf[b]!];
    return one !== other && this.#parts[one]!.cardinality === this.#parts[other]!.cardinality;
  }
}

/** Returns ⟨cluster, cluster, copy, copy⟩ for copies that are linked over at most one page, to be sorted. */
function findWays(copies: Copies, links: LinkFile, room: SpillRoom, counts: BreakCounts): SpillSorter {
  const out = new SpillSorter(room, room.stats);
  const ways = new SpillSorter(room, room.stats);
  const row = new RowWriter();
  for (const [target, source] of links.each()) {
    row.clear().bigEndian(source).bigEndian(target);
    out.add(row.bytes, 0, 8, 8);
  }
  const put = (a: number, b: number) => {
    if (!copies.areJoinable(a, b)) return;
    row.clear().bigEndian(copies.partOf[a]!).bigEndian(copies.partOf[b]!).bigEndian(a).bigEndian(b);
    ways.add(row.bytes, 0, 16, 16);
  };
  const into = grouped(links.each());
  let before = into.next();
  for (const { page, others } of grouped(pairsOf(out))) {
    const after = copiesOf(others, copies);
    const own = copies.ofPage[page]!;
    if (own !== NONE) for (const copy of after) put(own, copy);
    while (before.done !== true && before.value.page < page) before = into.next();
    if (before.done === true || before.value.page !== page) continue;
    const from = copiesOf(before.value.others, copies);
    if (from.size * after.size > MOST_WAYS) {
      counts.hubs++;
      continue;
    }
    for (const a of from) for (const b of after) if (a !== own && b !== own) put(a, b);
  }
  return ways;
}

function copiesOf(pages: readonly number[], { ofPage }: Copies): Set<number> {
  return new Set(pages.map((page) => ofPage[page]!).filter((copy) => copy !== NONE));
}

function* pairsOf(sorter: SpillSorter): Generator<readonly [number, number]> {
  for (const { bytes, keyStart } of eachRow(sorter.finish())) {
    yield [readBigEndian(bytes, keyStart), readBigEndian(bytes, keyStart + 4)];
  }
}

/** Groups pairs by their first page; equal first pages must be adjacent. */
function* grouped(
  pairs: Iterable<readonly [number, number]>,
): Generator<{ readonly page: number; readonly others: readonly number[] }> {
  let page = NONE;
  let others: number[] = [];
  for (const [own, other] of pairs) {
    if (own !== page && others.length > 0) {
      yield { page, others };
      others = [];
    }
    page = own;
    others.push(other);
  }
  if (others.length > 0) yield { page, others };
}
