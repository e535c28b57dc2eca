// Which trivial clusters can be joined (Cho, Shivakumar, Garcia-Molina 2000, Figures 8 and 9)?
//
//   ⟨Ri, Rj, page, target⟩ sorted    the links from one cluster to another, with s and d
//   |Ri| = s = d = |Rj|              and a perfect matching of the links: an edge
//   union-find over the edges        components
//   ⟨component, Ri, Rj, links⟩       sorted: all that a component needs, one component after another
//
// Only clusters of two pages or more take part, unless virtual links count (`extended`): then |Ri| = s ≥ d = |Rj|.
import { widened } from '../base/numbers.js';
import { eachRow, readBigEndian, readU32 } from '../base/row.js';
import { BlockWriter } from '../base/merge.js';
import { RowWriter } from '../base/row-writer.js';
import { ScratchFile } from '../base/scratch.js';
import { SpillSorter, type SpillRoom } from '../base/spill.js';
import { Unions } from '../near/clusters.js';
import type { LinkFile } from './link-file.js';
import { isUnique, perfectMatching } from './matching.js';
import type { Pages } from './pages.js';
import type { SimilarPages } from './similar-pages.js';

export interface SummaryOptions {
  /** Whether only links within a host count. */
  readonly singleSite: boolean;
  readonly extended: boolean;
  readonly room: SpillRoom;
  /** Is to have all links that count, each once. */
  readonly kept?: LinkFile | undefined;
}

/** No edge, one whose matching is the only one, one with several, and one by virtual links (`extended`). */
export const Kind = { None: 0, Unique: 1, Ambiguous: 2, Virtual: 3 } as const;

/** The links from one cluster to another. */
interface LinkGroup {
  readonly from: number;
  readonly to: number;
  readonly links: Uint32Array;
}

/**
 * All groups of a component, as columns, as one component may have most of the links of a crawl: a host with a mirror.
 *
 *   from, to, kinds    by group: its clusters, and what kind of edge it is
 *   starts             group g has links[starts[g], starts[g + 1]): page and target in turns, sorted
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

  /** What the columns take. */
  get bytes(): number {
    return 13 * this.#from.length + 4 * this.#links.length;
  }

  clear(): void {
    this.#count = 0;
  }

  /** A block, as `blockOf` makes it. */
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

export interface LinkSummary {
  readonly counts: SummaryCounts;
  /** By page: hosts other than its own that link to it. */
  readonly foreign: Uint32Array;
  /** By cluster: its pages. */
  readonly sizes: Uint32Array;
  /** Whose least cluster is the root of the component. */
  readonly unions: Unions;
  /** The groups of each component of two clusters or more, which are valid until the next one. */
  readonly components: () => Generator<LinkGroups>;
}

export interface SummaryCounts {
  /** Links between pages, each once. */
  links: number;
  /** Pairs of clusters with links, and those that fulfil the merge condition. */
  pairs: number;
  edges: number;
  /** Pairs that fulfil it without a perfect matching. */
  unmatched: number;
}

export function summarizeLinks(pages: Pages, similar: SimilarPages, options: SummaryOptions): LinkSummary {
  const { room } = options;
  const counts: SummaryCounts = { links: 0, pairs: 0, edges: 0, unmatched: 0 };
  const sizes = new Uint32Array(similar.clusters);
  for (const cluster of similar.clusterOf) sizes[cluster]!++;
  const foreign = new Uint32Array(pages.count);
  const third = { ...room, memoryBytes: room.memoryBytes / 3 };
  const between = betweenClusters(pages, similar, { sizes, foreign, counts, options, room: third });
  options.kept?.freeze();
  const joined = joinGroups(between, { sizes, extended: options.extended, counts, room: third });
  return { counts, foreign, sizes, ...joined };
}

export interface GroupOptions {
  /** By cluster. */
  readonly sizes: Uint32Array;
  readonly extended: boolean;
  readonly counts: Omit<SummaryCounts, 'links'>;
  readonly room: SpillRoom;
}

/** Figure 9, from ⟨Ri, Rj, page, target⟩ that are not yet sorted. */
export function joinGroups(
  between: SpillSorter,
  { sizes, extended, counts, room }: GroupOptions,
): Pick<LinkSummary, 'unions' | 'components'> {
  const unions = new Unions(sizes.length);
  const file = new ScratchFile(room.tmpdir);
  const writer = new BlockWriter(file);
  for (const group of groupsOf(between)) {
    counts.pairs++;
    const kind = kindOf(group, sizes, extended, counts);
    if (kind !== Kind.None) {
      counts.edges++;
      unions.join(group.from, group.to);
    }
    const isOfOneSize = sizes[group.from] === sizes[group.to];
    if (kind === Kind.None && !isOfOneSize && !extended) continue;
    const block = blockOf(group, kind);
    writer.write(block, 0, block.length);
  }
  writer.flush();
  return { unions, components: () => componentsOf(file, unions, room) };
}

interface Gathering {
  readonly sizes: Uint32Array;
  readonly foreign: Uint32Array;
  readonly counts: SummaryCounts;
  readonly options: SummaryOptions;
  readonly room: SpillRoom;
}

/** Counts links, and returns ⟨Ri, Rj, page, target⟩ of those between clusters, to be sorted. */
function betweenClusters(pages: Pages, { clusterOf }: SimilarPages, gathering: Gathering): SpillSorter {
  const { sizes, foreign, counts, options, room } = gathering;
  const between = new SpillSorter(room, room.stats);
  const row = new RowWriter();
  const { hosts } = pages;
  let others = new Set<number>();
  let [lastTarget, lastSource] = [-1, -1];
  for (const { bytes, keyStart } of eachRow(pages.links.finish())) {
    const [target, source] = [readBigEndian(bytes, keyStart), readBigEndian(bytes, keyStart + 4)];
    if (target === source || (target === lastTarget && source === lastSource)) continue;
    if (target !== lastTarget && others.size > 0) others = new Set();
    [lastTarget, lastSource] = [target, source];
    counts.links++;
    const isForeign = hosts[source] !== hosts[target];
    if (isForeign && !others.has(hosts[source]!)) {
      others.add(hosts[source]!);
      foreign[target]!++;
    }
    if (isForeign && options.singleSite) continue;
    options.kept?.add(target, source);
    const [from, to] = [clusterOf[source]!, clusterOf[target]!];
    if (from === to || sizes[from]! < 2 || (sizes[to]! < 2 && !options.extended)) continue;
    row.clear().bigEndian(from).bigEndian(to).bigEndian(source).bigEndian(target);
    between.add(row.bytes, 0, 16, 16);
  }
  return between;
}

function* groupsOf(between: SpillSorter): Generator<LinkGroup> {
  let links = new Uint32Array(1024);
  let [from, to, length] = [0, 0, 0];
  for (const { bytes, keyStart } of eachRow(between.finish())) {
    const [ownFrom, ownTo] = [readBigEndian(bytes, keyStart), readBigEndian(bytes, keyStart + 4)];
    if (length > 0 && (ownFrom !== from || ownTo !== to)) {
      yield { from, to, links: links.subarray(0, length) };
      length = 0;
    }
    [from, to] = [ownFrom, ownTo];
    if (length === links.length) links = widened(links);
    const [page, target] = [readBigEndian(bytes, keyStart + 8), readBigEndian(bytes, keyStart + 12)];
    if (length > 0 && links[length - 2] === page && links[length - 1] === target) continue;
    links[length++] = page;
    links[length++] = target;
  }
  if (length > 0) yield { from, to, links: links.subarray(0, length) };
}

/** The merge condition of 3.1, or with virtual links that of 4. */
function kindOf(
  { from, to, links }: LinkGroup,
  sizes: Uint32Array,
  extended: boolean,
  counts: Pick<SummaryCounts, 'unmatched'>,
): number {
  const [a, b] = [sizes[from]!, sizes[to]!];
  if (a !== b && !(extended && a > b)) return Kind.None;
  if (links.length < 2 * a) return Kind.None;
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

function* componentsOf(file: ScratchFile, unions: Unions, room: SpillRoom): Generator<LinkGroups> {
  const sorter = new SpillSorter(room, room.stats);
  const row = new RowWriter();
  for (const block of blocks(file)) {
    const [from, to] = [readU32(block, 0), readU32(block, 4)];
    if (!unions.areOne(from, to)) continue;
    row.clear().bigEndian(unions.rootOf(from)).raw(block);
    sorter.add(row.bytes, 0, row.length, 4);
  }
  file.close();
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

/** Whole blocks, each valid until the next one. */
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
