// Grows trivial clusters to collections (Cho, Shivakumar, Garcia-Molina 2000, 3.1). A component is walked from its
// root. Each page of the root begins a copy. A cluster that an edge leads to adds one page to each copy: the page that
// is linked from the copy's page:
//
//   copy    0    1    2
//   root    a1   a2   a3
//   → b     b2   b1   b3       a1 → b2, a2 → b1, a3 → b3
//   → c     c1   c3   c2
//
// Edges with only one possible matching come first. An edge between two clusters that are already reached must agree
// with their copies, or it is dropped. A cluster that no edge within the collection leads to fulfils Definition 5 only
// if its pages have similar parents in all copies, or none in any. Otherwise it is taken out, and the rest is walked
// again.
//
// A component may have most pages of a crawl: a mirrored host. So everything is in columns by node, a node being a
// cluster of the component.
import type { Numbers } from '../base/column.js';
import { Growing, type Lists, listsOf } from '../base/numbers.js';
import { Unions } from '../near/components.js';
import { perfectMatching, startOf } from './graph.js';
import { Kind, type LinkGroups } from './link-summary.js';

interface GrowOptions {
  readonly sizes: Numbers;
  /** By page. */
  readonly hosts: Numbers;
  readonly foreign: Numbers;
  /** The length of a page's URL. Of otherwise equal roots, the shorter one is chosen. */
  readonly lengthOf: (page: number) => number;
  readonly extended: boolean;
  /** The most steps of a search for whether a rest is connected; with 0 each rest is walked again. */
  readonly mostSteps?: number;
}

/** A similar cluster (Definition 8). Each of its collections has `size` pages. */
export interface Grown {
  readonly cardinality: number;
  readonly size: number;
  /**
   * The k-th page of a copy is pages[k · cardinality + copy]: first the root, then the others in the order of the walk.
   */
  readonly pages: Uint32Array;
}

export interface GrowCounts {
  /** The number of edges whose mapping contradicts an earlier edge. */
  contradictions: number;
  /** The number of clusters taken out because their pages have different parents in different copies. */
  unlike: number;
}

export function* growCollections(groups: LinkGroups, options: GrowOptions, counts: GrowCounts): Generator<Grown> {
  yield* new Component(groups, options, counts).collections();
}

/** The most steps of a search for whether a rest is connected. */
const MOST_STEPS = 256;

/** The priority of edges: forward before backward, and with one possible matching before others. */
const QUEUES = 4;

/** Nodes to be walked: any nodes, or connected nodes with the one to start with. */
interface Waiting {
  readonly nodes: Uint32Array;
  readonly start?: number;
}

class Component {
  readonly #groups: LinkGroups;
  readonly #options: GrowOptions;
  readonly #counts: GrowCounts;
  /** By node: its cluster, ascending. */
  readonly #clusters: Uint32Array;
  /** By node: its pages, ascending. */
  readonly #members: Lists;
  /** By group: its two nodes. */
  readonly #from: Uint32Array;
  readonly #to: Uint32Array;
  /** By node: the groups from it, and to it. */
  readonly #out: Lists;
  readonly #in: Lists;
  /** By node: 1 if it has an edge to or from a node of the same size. */
  readonly #hasPartner: Uint8Array;
  readonly #score: Uint32Array;
  /** By node: the number of the set in which it is currently walked. */
  readonly #set: Uint32Array;
  /** By node: its place in the walk, or NONE; and its number within a set. */
  readonly #place: Uint32Array;
  readonly #local: Uint32Array;
  /** By node: how many of the groups to it are known not to agree in this walk. */
  readonly #passed: Uint32Array;
  /** The walked nodes in order, and their pages by copy. */
  readonly #walked = new Growing();
  readonly #pages = new Growing();
  #cardinality = 0;

  constructor(groups: LinkGroups, options: GrowOptions, counts: GrowCounts) {
    this.#groups = groups;
    this.#options = options;
    this.#counts = counts;
    this.#clusters = distinct([groups.from, groups.to]);
    const count = this.#clusters.length;
    const nodesOf = (clusters: Uint32Array) => clusters.map((cluster) => placeOf(this.#clusters, cluster));
    [this.#from, this.#to] = [nodesOf(groups.from), nodesOf(groups.to)];
    [this.#out, this.#in] = [listsOf(count, this.#from), listsOf(count, this.#to)];
    this.#hasPartner = new Uint8Array(count);
    for (let group = 0; group < groups.count; group++) {
      const kind = groups.kindOf(group);
      if (kind !== Kind.Unique && kind !== Kind.Ambiguous) continue;
      this.#hasPartner[this.#from[group]!] = 1;
      this.#hasPartner[this.#to[group]!] = 1;
    }
    this.#members = this.#findMembers();
    this.#score = new Uint32Array(count);
    for (let node = 0; node < count; node++) this.#score[node] = most(this.#membersOf(node), options.foreign);
    this.#set = new Uint32Array(count);
    this.#place = new Uint32Array(count).fill(NONE);
    this.#local = new Uint32Array(count);
    this.#passed = new Uint32Array(count);
  }

  /** The links of an edge touch all pages of its clusters. */
  #findMembers(): Lists {
    const count = this.#clusters.length;
    const starts = new Uint32Array(count + 1);
    for (let node = 0; node < count; node++) starts[node + 1] = starts[node]! + this.#sizeOf(node);
    const items = new Uint32Array(starts[count]!);
    const isKnown = new Uint8Array(count);
    const take = (node: number, links: Uint32Array, offset: 0 | 1) => {
      if (isKnown[node] === 1) return;
      isKnown[node] = 1;
      items.set(distinct([links.filter((_, at) => at % 2 === offset)]), starts[node]);
    };
    for (let group = 0; group < this.#groups.count; group++) {
      if (this.#groups.kindOf(group) === Kind.None) continue;
      take(this.#from[group]!, this.#groups.linksOf(group), 0);
      take(this.#to[group]!, this.#groups.linksOf(group), 1);
    }
    return { starts, items };
  }

  #sizeOf(node: number): number {
    return this.#options.sizes.get(this.#clusters[node]!);
  }

  #membersOf(node: number): Uint32Array {
    return of(this.#members, node);
  }

  *collections(): Generator<Grown> {
    const waiting: Waiting[] = [{ nodes: this.#clusters.map((_, node) => node) }];
    let set = 0;
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { nodes, start } = next;
      if (nodes.length < 2) continue;
      if (start === undefined) {
        // Reversed, so that the first piece is walked first.
        for (const piece of this.#pieces(nodes, ++set).reverse()) waiting.push(piece);
        continue;
      }
      this.#walk(start, this.#set[start]!);
      const left = nodes.filter((node) => this.#place[node] === NONE);
      if (left.length > 0) waiting.push({ nodes: left });
      const unlike = this.#options.extended ? [] : this.#unlike();
      const walked = this.#walked.slice();
      if (unlike.length > 0) {
        waiting.push({ nodes: this.#withoutUnlike(walked, unlike).sort() });
      } else if (walked.length > 1) {
        this.#countContradictions();
        yield { cardinality: this.#cardinality, size: walked.length, pages: this.#pages.slice() };
      }
      for (const node of walked) this.#place[node] = NONE;
    }
  }

  /**
   * The walked nodes without the unlike ones. Taking these out may make further nodes unlike, and so on along a chain.
   * If all mappings are forced and the remaining nodes are connected, another walk would find the same copies. Then
   * only nodes with a link from the nodes taken out are looked at again. Otherwise the rest is walked again.
   */
  #withoutUnlike(walked: Uint32Array, unlike: readonly number[]): Uint32Array {
    const isForced = this.#options.mostSteps !== 0 && this.#isForced(walked);
    for (let round = unlike; round.length > 0;) {
      this.#counts.unlike += round.length;
      const isWhole = this.#takeOut(round);
      if (!isForced || !isWhole) break;
      const heirs = new Set(round.flatMap((node) => [...of(this.#out, node)].map((group) => this.#to[group]!)));
      round = [...heirs].filter((node) => this.#place[node] !== NONE && this.#isUnlike(node));
    }
    return walked.filter((node) => this.#place[node] !== NONE);
  }

  /** True if each edge between walked nodes has one matching, and all agree. */
  #isForced(walked: Uint32Array): boolean {
    return walked.every((node) =>
      of(this.#out, node).every((group) => {
        const kind = this.#groups.kindOf(group);
        if (kind === Kind.None || this.#place[this.#to[group]!] === NONE) return true;
        return kind === Kind.Unique && this.#agrees(group);
      }),
    );
  }

  /** Takes nodes out of the walked ones. True if the others are known to be connected still. */
  #takeOut(nodes: readonly number[]): boolean {
    let isWhole = true;
    for (const node of nodes) {
      this.#place[node] = NONE;
      isWhole &&= this.#areConnected(this.#neighbours(node));
    }
    return isWhole;
  }

  /**
   * The walked neighbours of a node. A group of links that leads to no such node gives NONE, so that it counts as a
   * step.
   */
  *#neighbours(node: number): Generator<number> {
    for (const [lists, ends] of [
      [this.#out, this.#to],
      [this.#in, this.#from],
    ] as const) {
      for (const group of of(lists, node)) {
        const other = ends[group]!;
        yield this.#groups.kindOf(group) !== Kind.None && this.#place[other] !== NONE ? other : NONE;
      }
    }
  }

  /** True if some nodes are found to be connected in few steps, by a search from all of them in turns. */
  #areConnected(nodes: Iterable<number>): boolean {
    const starts = [...new Set(nodes)].filter((node) => node !== NONE);
    const { mostSteps = MOST_STEPS } = this.#options;
    if (starts.length < 2) return true;
    const sides = new Unions(starts.length);
    const sideOf = new Map(starts.map((node, side) => [node, side]));
    const searches = starts.map((node) => [this.#neighbours(node)]);
    let apart = starts.length - 1;
    for (let step = 0; step < mostSteps; step++) {
      const side = step % searches.length;
      const found = nextOf(searches[side]!);
      if (found === undefined || found === NONE) continue;
      const other = sideOf.get(found);
      if (other === undefined) {
        sideOf.set(found, side);
        searches[side]!.push(this.#neighbours(found));
      } else if (!sides.areOne(side, other)) {
        sides.join(side, other);
        if (--apart === 0) return true;
      }
    }
    return false;
  }

  /**
   * Pages that are alike within a copy link to its index, too. So virtual links count only from a node with partners.
   */
  #isFollowed(group: number, set: number): boolean {
    const kind = this.#groups.kindOf(group);
    const [from, to] = [this.#from[group]!, this.#to[group]!];
    const isEdge = kind === Kind.Virtual ? this.#hasPartner[from] === 1 : kind !== Kind.None;
    return isEdge && this.#set[from] === set && this.#set[to] === set;
  }

  /** The parts of a set that edges connect, each with its start, in the order of the starts. */
  #pieces(nodes: Uint32Array, set: number): Waiting[] {
    for (const node of nodes) this.#set[node] = set;
    const pieces: Waiting[] = [];
    const isSeen = new Uint8Array(nodes.length);
    nodes.forEach((node, k) => (this.#local[node] = k));
    const piece = new Growing();
    const see = (node: number) => {
      if (isSeen[this.#local[node]!] === 1) return;
      isSeen[this.#local[node]!] = 1;
      piece.push(node);
    };
    for (const first of nodes) {
      piece.clear();
      see(first);
      for (let at = 0; at < piece.length; at++) {
        const node = piece.at(at);
        for (const group of of(this.#out, node)) if (this.#isFollowed(group, set)) see(this.#to[group]!);
        for (const group of of(this.#in, node)) if (this.#isFollowed(group, set)) see(this.#from[group]!);
      }
      if (piece.length > 1) pieces.push({ nodes: piece.slice().sort() });
    }
    return pieces
      .map(({ nodes: own }) => ({ nodes: own, start: this.#start(own, set) }))
      .sort((a, b) => this.#before(a.start, b.start));
  }

  /** In extended mode the node with the most pages comes first; then the one with the most links from other sites. */
  #before(a: number, b: number): number {
    const shortest = (node: number) => this.#options.lengthOf(this.#membersOf(node)[0]!);
    return (
      this.#hasPartner[b]! - this.#hasPartner[a]! ||
      this.#sizeOf(b) - this.#sizeOf(a) ||
      this.#score[b]! - this.#score[a]! ||
      shortest(a) - shortest(b) ||
      a - b
    );
  }

  /** The node to start with. */
  #start(nodes: Uint32Array, set: number): number {
    nodes.forEach((node, k) => (this.#local[node] = k));
    const [from, to] = [new Growing(), new Growing()];
    nodes.forEach((node, k) => {
      for (const group of of(this.#out, node)) {
        if (!this.#isFollowed(group, set)) continue;
        from.push(k);
        to.push(this.#local[this.#to[group]!]!);
      }
    });
    // The edges are sorted by `from`, so those of a node are adjacent.
    const next = { starts: listsOf(nodes.length, from.slice()).starts, items: to.slice() };
    return nodes[startOf(next, (a, b) => this.#before(nodes[a]!, nodes[b]!))]!;
  }

  #pageOf(node: number, copy: number): number {
    return this.#pages.at(this.#place[node]! * this.#cardinality + copy);
  }

  /** Starts a new walk. Its results are in `walked`, `pages` and `place`. */
  #walk(start: number, set: number): void {
    this.#walked.clear();
    this.#pages.clear();
    const own = this.#membersOf(start);
    this.#cardinality = own.length;
    this.#take(start, own);
    const queues = Array.from({ length: QUEUES }, () => new Growing());
    const taken = new Uint32Array(QUEUES);
    this.#enqueue(start, set, queues);
    for (;;) {
      const queue = queues.findIndex((groups, k) => taken[k]! < groups.length);
      if (queue < 0) return;
      const group = queues[queue]!.at(taken[queue]!++);
      const isForward = queue < 2;
      const ends = [this.#from[group]!, this.#to[group]!] as const;
      const [known, node] = isForward ? ends : [ends[1], ends[0]];
      if (this.#place[node] !== NONE) continue;
      const partnerOf = this.#partners(group, isForward);
      this.#take(
        node,
        own.map((_, copy) => partnerOf.get(this.#pageOf(known, copy))!),
      );
      this.#enqueue(node, set, queues);
    }
  }

  #take(node: number, pages: Uint32Array): void {
    this.#place[node] = this.#walked.length;
    this.#walked.push(node);
    for (const page of pages) this.#pages.push(page);
  }

  #enqueue(node: number, set: number, queues: readonly Growing[]): void {
    for (const group of of(this.#out, node)) {
      if (this.#place[this.#to[group]!] !== NONE || !this.#isFollowed(group, set)) continue;
      queues[this.#groups.kindOf(group) === Kind.Unique ? 0 : 1]!.push(group);
    }
    if (this.#sizeOf(node) !== this.#cardinality) return;
    for (const group of of(this.#in, node)) {
      const kind = this.#groups.kindOf(group);
      const from = this.#from[group]!;
      if (kind === Kind.None || kind === Kind.Virtual) continue;
      if (this.#place[from] !== NONE || this.#set[from] !== set) continue;
      queues[kind === Kind.Unique ? 2 : 3]!.push(group);
    }
  }

  /** By page of the known cluster: its partner, preferably on the same host, then with the most similar URL. */
  #partners(group: number, isForward: boolean): ReadonlyMap<number, number> {
    const { hosts } = this.#options;
    const links = this.#groups.linksOf(group);
    const before = (a: number, page: number, b: number): number =>
      Number(hosts.get(b) === hosts.get(page)) - Number(hosts.get(a) === hosts.get(page)) ||
      Math.abs(a - page) - Math.abs(b - page) ||
      a - b;
    const partnerOf = new Map<number, number>();
    if (this.#groups.kindOf(group) === Kind.Ambiguous) {
      for (const [page, partner] of perfectMatching(links, this.#sizeOf(this.#from[group]!), before)!) {
        if (isForward) partnerOf.set(page, partner);
        else partnerOf.set(partner, page);
      }
      return partnerOf;
    }
    for (let at = 0; at < links.length; at += 2) {
      const [page, partner] = isForward ? [links[at]!, links[at + 1]!] : [links[at + 1]!, links[at]!];
      const known = partnerOf.get(page);
      if (known === undefined || before(partner, page, known) < 0) partnerOf.set(page, partner);
    }
    return partnerOf;
  }

  #countContradictions(): void {
    for (let at = 0; at < this.#walked.length; at++) {
      for (const group of of(this.#out, this.#walked.at(at))) {
        if (this.#groups.kindOf(group) === Kind.None || this.#place[this.#to[group]!] === NONE) continue;
        if (!this.#agrees(group)) this.#counts.contradictions++;
      }
    }
  }

  /** Nodes whose pages have parents in some copies only, or parents that are not similar. */
  #unlike(): number[] {
    const walked = this.#walked.slice();
    for (const node of walked) this.#passed[node] = 0;
    return [...walked].filter((node) => this.#isUnlike(node));
  }

  #isUnlike(node: number): boolean {
    const into = of(this.#in, node);
    // While nodes are only taken out, groups that do not count now will not count later.
    for (; this.#passed[node]! < into.length; this.#passed[node]!++) {
      const group = into[this.#passed[node]!]!;
      const counts = this.#groups.kindOf(group) !== Kind.None && this.#place[this.#from[group]!] !== NONE;
      if (counts && this.#agrees(group)) return false;
    }
    const own = into.filter((group) => this.#place[this.#from[group]!] !== NONE);
    const parents = Array.from({ length: this.#cardinality }, (_, copy) =>
      Array.from(
        own.filter((group) => this.#hasLink(group, copy)),
        (group) => this.#from[group]!,
      ),
    );
    return !areAlike(parents);
  }

  /** True if each copy has a link of the group. */
  #agrees(group: number): boolean {
    for (let copy = 0; copy < this.#cardinality; copy++) if (!this.#hasLink(group, copy)) return false;
    return true;
  }

  #hasLink(group: number, copy: number): boolean {
    const from = this.#pageOf(this.#from[group]!, copy);
    return hasLink(this.#groups.linksOf(group), from, this.#pageOf(this.#to[group]!, copy));
  }
}

/** With more copies, all of them must have a common parent; with fewer, any two copies may have their own. */
const MOST_PAIRED = 1000;

/** True if no copy has parents, or any two have a similar one (Definition 5). */
function areAlike(parents: readonly (readonly number[])[]): boolean {
  if (parents.every((own) => own.length === 0)) return true;
  const common = parents.reduce((shared, own) => shared.filter((parent) => own.includes(parent)));
  if (common.length > 0) return true;
  if (parents.length > MOST_PAIRED) return false;
  return parents.every((own, k) => parents.slice(k + 1).every((others) => own.some((one) => others.includes(one))));
}

/** The next value of the first generator that has one; those without are removed. */
function nextOf(generators: Generator<number>[]): number | undefined {
  for (; generators.length > 0; generators.shift()) {
    const { value, done } = generators[0]!.next();
    if (done !== true) return value;
  }
  return undefined;
}

function hasLink(links: Uint32Array, from: number, to: number): boolean {
  let [low, high] = [0, links.length / 2];
  while (low < high) {
    const middle = (low + high) >> 1;
    const order = links[2 * middle]! - from || links[2 * middle + 1]! - to;
    if (order === 0) return true;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return false;
}

const NONE = 0xffffffff;

function of({ starts, items }: Lists, k: number): Uint32Array {
  return items.subarray(starts[k], starts[k + 1]);
}

/** Distinct numbers of several lists, ascending. */
function distinct(lists: readonly Uint32Array[]): Uint32Array {
  const all = new Uint32Array(lists.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const list of lists) {
    all.set(list, at);
    at += list.length;
  }
  all.sort();
  return all.filter((number, k) => k === 0 || number !== all[k - 1]);
}

/** The position of a number in an ascending list that has it. */
function placeOf(list: Uint32Array, number: number): number {
  let [low, high] = [0, list.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle]! < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

function most(pages: Uint32Array, foreign: Numbers): number {
  return pages.reduce((greatest, page) => Math.max(greatest, foreign.get(page)), 0);
}
