// How do trivial clusters grow to collections (Cho, Shivakumar, Garcia-Molina 2000, 3.1)? A component is walked from
// its root. The pages of the root are one copy each; a cluster that an edge leads to gives each copy the page that is
// linked from the copy's page:
//
//   copy    0    1    2
//   root    a1   a2   a3
//   → b     b2   b1   b3       a1 → b2, a2 → b1, a3 → b3
//   → c     c1   c3   c2
//
// Edges whose matching is the only one come first. An edge between clusters that were reached before must agree with
// their copies, or it is dropped. A cluster that no edge within the collection leads to fulfils Definition 5 only if
// its pages have similar parents in all copies, or none: otherwise it is taken out, and the rest is walked again.
import { Kind, type LinkGroup } from './link-summary.js';
import { perfectMatching } from './matching.js';
import { startsOf } from './walk.js';

export interface GrowOptions {
  readonly sizes: Uint32Array;
  /** By page. */
  readonly hosts: Uint32Array;
  readonly foreign: Uint32Array;
  /** The length of a page's URL: of equal roots the shorter one. */
  readonly lengthOf: (page: number) => number;
  readonly extended: boolean;
}

/** A similar cluster (Definition 8): its collections have `pages.length` pages each. */
export interface Grown {
  readonly cardinality: number;
  /** pages[k][copy]: the k-th page of a copy; the root first, then in the order of the walk. */
  readonly pages: readonly Uint32Array[];
}

export interface GrowCounts {
  /** Edges whose mapping contradicts one that was taken before. */
  contradictions: number;
  /** Clusters taken out, as their pages have other parents in other copies. */
  unlike: number;
}

export function* growCollections(
  groups: readonly LinkGroup[],
  options: GrowOptions,
  counts: GrowCounts,
): Generator<Grown> {
  yield* new Component(groups, options, counts).collections();
}

interface Edge {
  readonly from: number;
  readonly to: number;
  readonly group: LinkGroup;
}

/** The order in which edges are taken: forward before backward, those with one matching before others. */
const QUEUES = 4;

class Component {
  readonly #options: GrowOptions;
  readonly #counts: GrowCounts;
  /** By node: its cluster, and its pages, ascending. */
  readonly #clusters: number[] = [];
  readonly #members: Uint32Array[] = [];
  readonly #out: Edge[][] = [];
  readonly #in: Edge[][] = [];
  /** Nodes with an edge to or from a node of the same size. */
  readonly #hasPartner: ReadonlySet<number>;
  readonly #score: readonly number[];
  /** The set of nodes that are walked now, by number. */
  readonly #set: number[] = [];

  constructor(groups: readonly LinkGroup[], options: GrowOptions, counts: GrowCounts) {
    this.#options = options;
    this.#counts = counts;
    const nodes = new Map<number, number>();
    const nodeOf = (cluster: number): number => {
      const known = nodes.get(cluster);
      if (known !== undefined) return known;
      const node = this.#clusters.push(cluster) - 1;
      nodes.set(cluster, node);
      this.#out.push([]);
      this.#in.push([]);
      this.#set.push(0);
      return node;
    };
    for (const group of groups) {
      const [from, to] = [nodeOf(group.from), nodeOf(group.to)];
      const edge = { from, to, group };
      this.#out[from]!.push(edge);
      this.#in[to]!.push(edge);
      // The links of an edge are to and from all pages of its clusters.
      if (group.kind === Kind.None) continue;
      this.#members[from] ??= distinct(group.links, 0);
      this.#members[to] ??= distinct(group.links, 1);
    }
    const hasPartner = new Set<number>();
    for (const { from, to, group } of this.#out.flat()) {
      if (group.kind === Kind.Unique || group.kind === Kind.Ambiguous) hasPartner.add(from).add(to);
    }
    this.#hasPartner = hasPartner;
    this.#score = this.#members.map((members) => most(members, options.foreign));
  }

  *collections(): Generator<Grown> {
    const waiting: number[][] = [this.#clusters.map((_, node) => node)];
    for (let set = 1, nodes = waiting.pop(); nodes !== undefined; nodes = waiting.pop(), set++) {
      if (nodes.length < 2) continue;
      for (const node of nodes) this.#set[node] = set;
      const walked = this.#walk(this.#start(nodes, set), set);
      const left = nodes.filter((node) => !walked.has(node));
      if (left.length > 0) waiting.push(left);
      const unlike = this.#options.extended ? new Set<number>() : this.#unlike(walked);
      if (unlike.size > 0) {
        this.#counts.unlike += unlike.size;
        waiting.push([...walked.keys()].filter((node) => !unlike.has(node)).sort((a, b) => a - b));
        continue;
      }
      if (walked.size < 2) continue;
      const pages = [...walked.values()];
      this.#countContradictions(walked);
      yield { cardinality: pages[0]!.length, pages };
    }
  }

  /** Pages that are alike within a copy link to its index, too: virtual links count from what has copies of its own. */
  #isFollowed({ from, to, group: { kind } }: Edge, set: number): boolean {
    const isEdge = kind === Kind.Virtual ? this.#hasPartner.has(from) : kind !== Kind.None;
    return isEdge && this.#set[to] === set;
  }

  /** Where to begin: in extended mode with the most pages; then the page with the most links from other sites. */
  #start(nodes: readonly number[], set: number): number {
    const local = new Map(nodes.map((node, k) => [node, k]));
    const next = nodes.map((node) =>
      this.#out[node]!.filter((edge) => this.#isFollowed(edge, set)).map(({ to }) => local.get(to)!),
    );
    const { sizes, lengthOf } = this.#options;
    const sizeOf = (node: number) => sizes[this.#clusters[node]!]!;
    const shortest = (node: number) => lengthOf(this.#members[node]![0]!);
    const before = (a: number, b: number): number =>
      Number(this.#hasPartner.has(nodes[b]!)) - Number(this.#hasPartner.has(nodes[a]!)) ||
      sizeOf(nodes[b]!) - sizeOf(nodes[a]!) ||
      this.#score[nodes[b]!]! - this.#score[nodes[a]!]! ||
      shortest(nodes[a]!) - shortest(nodes[b]!) ||
      this.#clusters[nodes[a]!]! - this.#clusters[nodes[b]!]!;
    return nodes[startsOf(next, before)[0]!]!;
  }

  /** The pages of each node that was reached, by copy, in the order of the walk. */
  #walk(start: number, set: number): Map<number, Uint32Array> {
    const walked = new Map<number, Uint32Array>([[start, this.#members[start]!]]);
    const queues: Edge[][] = Array.from({ length: QUEUES }, () => []);
    const taken = new Int32Array(QUEUES);
    const cardinality = this.#members[start]!.length;
    const enqueue = (node: number) => {
      for (const edge of this.#out[node]!) {
        if (this.#isFollowed(edge, set)) queues[edge.group.kind === Kind.Unique ? 0 : 1]!.push(edge);
      }
      for (const edge of this.#in[node]!) {
        const { kind } = edge.group;
        const isWhole = this.#members[node]!.length === cardinality;
        if (kind === Kind.None || kind === Kind.Virtual || !isWhole || this.#set[edge.from] !== set) continue;
        queues[kind === Kind.Unique ? 2 : 3]!.push(edge);
      }
    };
    enqueue(start);
    for (;;) {
      const queue = queues.findIndex((edges, k) => taken[k]! < edges.length);
      if (queue < 0) return walked;
      const { from, to, group } = queues[queue]![taken[queue]!++]!;
      const isForward = queue < 2;
      const [known, node] = isForward ? [from, to] : [to, from];
      if (walked.has(node)) continue;
      const partnerOf = this.#partners(group, isForward);
      walked.set(
        node,
        walked.get(known)!.map((page) => partnerOf.get(page)!),
      );
      enqueue(node);
    }
  }

  /** By page of the known cluster: its partner. On the same host, if possible, then with the most similar URL. */
  #partners({ kind, links, from }: LinkGroup, isForward: boolean): ReadonlyMap<number, number> {
    const { hosts, sizes } = this.#options;
    const before = (a: number, page: number, b: number): number =>
      Number(hosts[b] === hosts[page]) - Number(hosts[a] === hosts[page]) ||
      Math.abs(a - page) - Math.abs(b - page) ||
      a - b;
    const partnerOf = new Map<number, number>();
    if (kind === Kind.Ambiguous) {
      for (const [page, partner] of perfectMatching(links, sizes[from]!, before)!) {
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

  #countContradictions(walked: ReadonlyMap<number, Uint32Array>): void {
    for (const [node, pages] of walked) {
      for (const { to, group } of this.#out[node]!) {
        const others = walked.get(to);
        if (group.kind === Kind.None || others === undefined) continue;
        if (!agrees(group.links, pages, others)) this.#counts.contradictions++;
      }
    }
  }

  /** Nodes whose pages have parents in some copies only, or no similar ones. */
  #unlike(walked: ReadonlyMap<number, Uint32Array>): Set<number> {
    const unlike = new Set<number>();
    for (const [node, pages] of walked) {
      const into = this.#in[node]!.filter(({ from }) => walked.has(from));
      const isFollowed = into.some(
        ({ from, group }) => group.kind !== Kind.None && agrees(group.links, walked.get(from)!, pages),
      );
      if (isFollowed) continue;
      const parents = Array.from(pages, (page, copy) =>
        into.filter(({ from, group }) => hasLink(group.links, walked.get(from)![copy]!, page)).map(({ from }) => from),
      );
      if (!areAlike(parents)) unlike.add(node);
    }
    return unlike;
  }
}

/** Copies beyond which parents have to be the same for all of them; below, any two may have their own. */
const MOST_PAIRED = 1000;

/** Whether all copies are without parents, or any two of them have a similar one (Definition 5). */
function areAlike(parents: readonly (readonly number[])[]): boolean {
  if (parents.every((own) => own.length === 0)) return true;
  const common = parents.reduce((shared, own) => shared.filter((parent) => own.includes(parent)));
  if (common.length > 0) return true;
  if (parents.length > MOST_PAIRED) return false;
  return parents.every((own, k) => parents.slice(k + 1).every((others) => own.some((one) => others.includes(one))));
}

/** Whether each copy has the link. */
function agrees(links: Uint32Array, from: Uint32Array, to: Uint32Array): boolean {
  return from.every((page, copy) => hasLink(links, page, to[copy]!));
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

function distinct(links: Uint32Array, offset: 0 | 1): Uint32Array {
  const pages = new Uint32Array(links.length / 2);
  for (let k = 0; k < pages.length; k++) pages[k] = links[2 * k + offset]!;
  pages.sort();
  return pages.filter((page, k) => k === 0 || page !== pages[k - 1]);
}

function most(pages: Uint32Array, foreign: Uint32Array): number {
  return pages.reduce((greatest, page) => Math.max(greatest, foreign[page]!), 0);
}
