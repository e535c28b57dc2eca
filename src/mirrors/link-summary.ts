// Finds the trivial clusters that can be joined (Cho, Shivakumar, Garcia-Molina 2000, Figures 8 and 9):
//
//   ⟨Ri, Rj, page, target⟩ sorted    the links from one cluster to another, with s and d
//   |Ri| = s = d = |Rj|              and a perfect matching of the links: an edge
//   components of the edges          in memory or on disk (near/components)
//   ⟨component, Ri, Rj, links⟩       sorted: all data of a component, one component after another
//
// Pages without a link from or to a similar page of another cluster are set aside first, as no collection can have them:
// a copy without links does not keep the others apart. So are pages of hosts that lack most links that the others have
// (`part-copies`). Rᵢ is what is left.
//
// Only clusters of at least two pages take part, unless virtual links count (`extended`): then |Ri| = s ≥ d = |Rj|.
import { Column, type Numbers } from '../base/column.js';
import { BlockWriter } from '../base/merge.js';
import { Bits, widened } from '../base/numbers.js';
import { eachRow, readBigEndian, readU32, type Row, RowWriter } from '../base/row.js';
import { ScratchFile } from '../base/scratch.js';
import { type SpillRoom, SpillSorter } from '../base/spill.js';
import { roomFor } from '../memory-plan.js';
import { Components } from '../near/components.js';
import { isUnique, perfectMatching } from './graph.js';
import type { LinkFile } from './link-file.js';
import { endsOf, fromStart, type LinkGroup, groupsOf, without } from './link-rows.js';
import type { Pages } from './pages.js';
import { pagesOfPartCopies } from './part-copies.js';
import type { SimilarPages } from './similar-pages.js';

interface SummaryOptions {
  /** Whether only links within a host count. */
  readonly singleSite: boolean;
  readonly extended: boolean;
  /** The memory of all stages together. */
  readonly room: SpillRoom;
  /** If given, gets all distinct links that count. */
  readonly kept?: LinkFile | undefined;
}

/** The kind of an edge: none, with only one matching, with several matchings, or by virtual links (`extended`). */
export const Kind = { None: 0, Unique: 1, Ambiguous: 2, Virtual: 3 } as const;

/**
 * The groups of a component, in columns, as one component may have most links of a crawl: a host with a mirror.
 *
 *   from, to, kinds    by group: its two clusters, and the kind of its edge
 *   starts             group g has links[starts[g], starts[g + 1]): alternately page and target, sorted
 */
export class LinkGroups {
  #count = 0;
  #from = new Uint32Array(64);
  #to = new Uint32Array(64);
  #kinds = new Uint8Array(64);
  #starts = new Uint32Array(65);
  #links = new Uint32Array(256);

  get count(): number {
    return this.#count;
  }

  get from(): Uint32Array {
    return this.#from.subarray(0, this.#count);
  }

  get to(): Uint32Array {
    return this.#to.subarray(0, this.#count);
  }

  kindOf(group: number): number {
    return this.#kinds[group]!;
  }

  linksOf(group: number): Uint32Array {
    return this.#links.subarray(this.#starts[group], this.#starts[group + 1]);
  }

  /** Bytes of the columns. */
  get bytes(): number {
    return 13 * this.#from.length + 4 * this.#links.length;
  }

  clear(): void {
    this.#count = 0;
  }

  /** Adds a block of `blockOf`. */
  add(bytes: Uint8Array, start: number, end: number): void {
    const group = this.#count++;
    if (group === this.#from.length) {
      this.#from = widened(this.#from);
      this.#to = widened(this.#to);
      this.#starts = widened(this.#starts, 2 * group + 1);
      const kinds = new Uint8Array(2 * group);
      kinds.set(this.#kinds);
      this.#kinds = kinds;
    }
    this.#from[group] = readU32(bytes, start);
    this.#to[group] = readU32(bytes, start + 4);
    this.#kinds[group] = readU32(bytes, start + 8);
    const first = this.#starts[group]!;
    const last = first + (end - start) / 4 - HEAD_WORDS;
    if (last > this.#links.length) this.#links = widened(this.#links, Math.max(2 * this.#links.length, last));
    new Uint8Array(this.#links.buffer, 4 * first).set(bytes.subarray(start + 4 * HEAD_WORDS, end));
    this.#starts[group + 1] = last;
  }
}

interface LinkSummary {
  readonly counts: SummaryCounts;
  /** By page: the number of other hosts that link to it. */
  readonly foreign: Column;
  /** By cluster: its pages, and those of them that are linked with pages of other clusters. */
  readonly sizes: Column;
  readonly linked: Column;
  /** By host: the pages set aside from a cluster of which several others are linked. */
  readonly setAside: ReadonlyMap<number, SetAside>;
  /** The groups of each component of at least two clusters. They are valid until the next one. */
  readonly components: () => Generator<LinkGroups>;
}

export interface SetAside {
  readonly pages: number;
  /** The first of the pages. */
  readonly first: number;
}

export interface SummaryCounts {
  /** The number of pages that are set aside, as in `setAside`. */
  setAside: number;
  /** The number of distinct links between pages. */
  links: number;
  /** The number of linked pairs of clusters, and of those that fulfil the merge condition. */
  pairs: number;
  edges: number;
  /** The number of pairs that fulfil the condition without a perfect matching. */
  unmatched: number;
}

export function summarizeLinks(pages: Pages, similar: SimilarPages, options: SummaryOptions): LinkSummary {
  const { room } = options;
  const counts: SummaryCounts = { setAside: 0, links: 0, pairs: 0, edges: 0, unmatched: 0 };
  const [column, sorts] = [roomFor('mirrors/column', room), roomFor('mirrors/sorts', room)];
  const sizes = new Column(similar.clusters, column);
  for (const cluster of similar.clusterOf.each()) sizes.add(cluster, 1);
  const foreign = new Column(pages.count, column);
  const third = { ...sorts, memoryBytes: sorts.memoryBytes / 3 };
  const isLinked = new Bits(pages.count);
  const between = betweenClusters(pages, similar, { sizes, foreign, isLinked, counts, options, room: third });
  const rows = between.finish();
  const { clusterOf, clusters } = similar;
  const aside = pagesOfPartCopies(groupsOf(fromStart(rows)), {
    clusterOf,
    clusters,
    hosts: pages.hosts,
    isLinked,
    room,
  });
  const isKept = new Bits(pages.count);
  for (const row of without(aside, fromStart(rows))) for (const page of endsOf(row)) isKept.set(page);
  const linked = new Column(clusters, column);
  for (let page = 0; page < pages.count; page++) if (isKept.has(page)) linked.add(clusterOf.get(page), 1);
  const setAside = countSetAside(pages, similar, { isLinked: isKept, linked, counts });
  options.kept?.freeze();
  rows.rewind();
  const kept = without(aside, eachRow(rows));
  const joined = joinGroups(kept, { sizes: linked, extended: options.extended, counts, room });
  return { counts, foreign, sizes, linked, setAside, components: joined };
}

interface Linking {
  readonly isLinked: Bits;
  readonly linked: Numbers;
  readonly counts: Pick<SummaryCounts, 'setAside'>;
}

function countSetAside(
  { count, hosts }: Pages,
  { clusterOf }: SimilarPages,
  { isLinked, linked, counts }: Linking,
): Map<number, SetAside> {
  const byHost = new Map<number, SetAside>();
  for (let page = 0; page < count; page++) {
    if (isLinked.has(page) || linked.get(clusterOf.get(page)) < 2) continue;
    const host = hosts.get(page);
    const { pages, first } = byHost.get(host) ?? { pages: 0, first: page };
    byHost.set(host, { pages: pages + 1, first });
    counts.setAside++;
  }
  return byHost;
}

interface GroupOptions {
  /** By cluster: its number of pages that are linked. */
  readonly sizes: Numbers;
  readonly extended: boolean;
  readonly counts: Omit<SummaryCounts, 'links' | 'setAside'>;
  /** The memory of all stages together. */
  readonly room: SpillRoom;
}

/** Figure 9, from sorted ⟨Ri, Rj, page, target⟩. */
export function joinGroups(
  between: Iterable<Row>,
  { sizes, extended, counts, room }: GroupOptions,
): LinkSummary['components'] {
  const joined = new Components(sizes.length, roomFor('mirrors/unions', room));
  const file = new ScratchFile(room.tmpdir);
  const writer = new BlockWriter(file);
  for (const group of groupsOf(between)) {
    counts.pairs++;
    const kind = kindOf(group, sizes, extended, counts);
    if (kind !== Kind.None) {
      counts.edges++;
      joined.join(group.from, group.to);
    }
    const isOfOneSize = sizes.get(group.from) === sizes.get(group.to);
    if (kind === Kind.None && !isOfOneSize && !extended) continue;
    const block = blockOf(group, kind);
    writer.write(block, 0, block.length);
  }
  writer.flush();
  return () => componentsOf(file, rootsOf(joined, sizes.length, room), room);
}

interface Gathering {
  readonly sizes: Column;
  readonly foreign: Column;
  /** To be filled, by page. */
  readonly isLinked: Bits;
  readonly counts: SummaryCounts;
  readonly options: SummaryOptions;
  readonly room: SpillRoom;
}

/** Counts links, and returns ⟨Ri, Rj, page, target⟩ of the links between clusters, to be sorted. */
function betweenClusters(pages: Pages, { clusterOf }: SimilarPages, gathering: Gathering): SpillSorter {
  const { sizes, foreign, isLinked, counts, options, room } = gathering;
  const between = new SpillSorter(room, room.stats);
  const row = new RowWriter();
  const { hosts } = pages;
  let others = new Set<number>();
  let [lastTarget, lastSource] = [-1, -1];
  pages.links.each((target, source) => {
    if (target === source || (target === lastTarget && source === lastSource)) return;
    if (target !== lastTarget && others.size > 0) others = new Set();
    lastTarget = target;
    lastSource = source;
    counts.links++;
    const host = hosts.get(source);
    const isForeign = host !== hosts.get(target);
    if (isForeign && !others.has(host)) {
      others.add(host);
      foreign.add(target, 1);
    }
    if (isForeign && options.singleSite) return;
    options.kept?.add(target, source);
    const [from, to] = [clusterOf.get(source), clusterOf.get(target)];
    if (from === to || sizes.get(from) < 2 || (sizes.get(to) < 2 && !options.extended)) return;
    row.clear().bigEndian(from).bigEndian(to).bigEndian(source).bigEndian(target);
    between.add(row.bytes, 0, 16, 16);
    isLinked.set(source);
    isLinked.set(target);
  });
  return between;
}

/** The merge condition of 3.1, or that of 4 with virtual links. */
function kindOf(
  { from, to, links }: LinkGroup,
  sizes: Numbers,
  extended: boolean,
  counts: Pick<SummaryCounts, 'unmatched'>,
): number {
  const [a, b] = [sizes.get(from), sizes.get(to)];
  if (a !== b && !(extended && a > b)) return Kind.None;
  if (a < 2 || links.length < 2 * a) return Kind.None;
  let s = 0;
  const targets = new Uint32Array(links.length / 2);
  for (let at = 0; at < links.length; at += 2) {
    if (at === 0 || links[at] !== links[at - 2]) s++;
    targets[at / 2] = links[at + 1]!;
  }
  targets.sort();
  let d = 0;
  for (let at = 0; at < targets.length; at++) if (at === 0 || targets[at] !== targets[at - 1]) d++;
  if (a !== s || b !== d) return Kind.None;
  if (a !== b) return Kind.Virtual;
  if (isUnique(links, a)) return Kind.Unique;
  if (perfectMatching(links, a) !== undefined) return Kind.Ambiguous;
  counts.unmatched++;
  return Kind.None;
}

const HEAD_WORDS = 4;

function blockOf({ from, to, links }: LinkGroup, kind: number): Uint8Array {
  const block = new Uint32Array(HEAD_WORDS + links.length);
  block.set([from, to, kind, links.length]);
  block.set(links, HEAD_WORDS);
  return new Uint8Array(block.buffer);
}

/** By cluster: the least cluster of its component. */
function rootsOf(joined: Components, count: number, room: SpillRoom): Column {
  const column = new Column(count, roomFor('mirrors/column', room));
  const roots = joined.finish();
  for (let cluster = 0; cluster < count; cluster++) column.set(cluster, roots.of(cluster));
  roots.close();
  return column;
}

function* componentsOf(file: ScratchFile, roots: Column, room: SpillRoom): Generator<LinkGroups> {
  const sorts = roomFor('mirrors/sorts', room);
  const sorter = new SpillSorter({ ...sorts, memoryBytes: sorts.memoryBytes / 3 }, room.stats);
  const row = new RowWriter();
  for (const block of blocks(file)) {
    const root = roots.get(readU32(block, 0));
    if (root !== roots.get(readU32(block, 4))) continue;
    row.clear().bigEndian(root).raw(block);
    sorter.add(row.bytes, 0, row.length, 4);
  }
  file.close();
  roots.close();
  let component = -1;
  const groups = new LinkGroups();
  for (const { bytes, keyStart, keyEnd, end } of eachRow(sorter.finish())) {
    const own = readBigEndian(bytes, keyStart);
    if (own !== component && groups.count > 0) {
      yield groups;
      groups.clear();
    }
    component = own;
    groups.add(bytes, keyEnd, end);
  }
  if (groups.count > 0) yield groups;
}

const READ_BYTES = 1 << 20;

/** Reads whole blocks. Each is valid until the next one. */
function* blocks(file: ScratchFile): Generator<Uint8Array> {
  let buffer = new Uint8Array(READ_BYTES);
  let [start, end] = [0, 0];
  for (let at = 0; at < file.length;) {
    const isHead = end - start >= 4 * HEAD_WORDS;
    const length = isHead ? 4 * (HEAD_WORDS + readU32(buffer, start + 12)) : 0;
    if (isHead && end - start >= length) {
      yield buffer.subarray(start, start + length);
      start += length;
      at += length;
      continue;
    }
    if (length > buffer.length) buffer = new Uint8Array(2 * length);
    end = file.read(buffer, at);
    start = 0;
  }
}
