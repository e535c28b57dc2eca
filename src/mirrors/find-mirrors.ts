// Finds replicated collections of pages (Cho, Shivakumar, Garcia-Molina 2000).
//
//   pages with chunks and links  →  pages by URL            (pages)
//                                →  trivial clusters        (similar-pages)
//                                →  LinkSummary, components (link-summary)
//                                →  collections             (grow)
//
// Values by page are in columns, which are in memory only as far as the memory plan allows. Everything else is sorted
// on disk. One component at a time is in memory, however large it is.
import type { Column } from '../base/column.js';
import type { SpillRoom } from '../base/spill.js';
import { joinOverBreaks, type BreakCounts } from './breaks.js';
import { growCollections, type GrowCounts, type Grown } from './grow.js';
import type { TakenIn } from './intake.js';
import { type SetAside, summarizeLinks, type SummaryCounts } from './link-summary.js';
import { LinkFile } from './link-file.js';
import { joinPages, type Pages } from './pages.js';
import { findSimilar, type SimilarCounts } from './similar-pages.js';

export interface MirrorOptions {
  /** T: the number of chunks that similar pages share. */
  readonly threshold: number;
  /** The least size of a collection; smaller ones are dropped. */
  readonly minPages: number;
  readonly singleSite: boolean;
  readonly extended: boolean;
  /** Whether to join clusters over break points. */
  readonly overBreaks?: boolean;
  /** The memory of all stages together. */
  readonly room: SpillRoom;
  /** The longest list whose pairs are all compared; tests set less. */
  readonly maxList?: number;
  /** The most steps to see whether a collection without some pages is connected; tests set 0. */
  readonly mostSteps?: number;
  /** Called when a stage begins; `clusters` calls it for the last stage. */
  readonly onStage?: (stage: MirrorStage) => void;
}

/** The stages in Table 1 of the paper, except for reading and writing. */
type MirrorStage = 'joining pages' | 'trivial clusters' | 'link summary' | 'growing collections';

export interface Mirrors {
  readonly pages: Pages;
  /** By page: the number of other hosts that link to it. */
  readonly foreign: Column;
  /** By page: its trivial cluster. */
  readonly clusterOf: Column;
  readonly counts: MirrorCounts;
  /** By host: its pages that are similar to linked pages, and have none or few of their links. */
  readonly setAside: ReadonlyMap<number, SetAside>;
  /** By number of similar pages: how many pages have so many (Figure 11). */
  readonly replicas: ReadonlyMap<number, number>;
  /** The clusters in the order of their least URLs; can be read once. Counts of collections are complete at the end. */
  readonly clusters: () => Generator<Grown>;
  /** Roughly the memory that the largest component took; complete after `clusters`. */
  readonly heldBytes: () => number;
}

/** Bytes per pair of clusters in a component that is walked, beside its links. */
const BYTES_OF_GROUP = 40;

export interface MirrorCounts extends SimilarCounts, SummaryCounts, GrowCounts, BreakCounts {
  pages: number;
  /** Rows of the paper's DocChunks: fingerprints of all records, without duplicates within a record. */
  fingerprints: number;
  /** Records whose URL had an earlier record. */
  again: number;
  /** Links to URLs that are no page. */
  outside: number;
  /** Trivial clusters of at least two pages, and the pages in them. */
  trivial: number;
  similar: number;
  /** Collections in clusters with fewer than `minPages` pages, and their pages. */
  small: number;
  smallPages: number;
  /** The number of linked pairs of clusters in the largest component. */
  largest: number;
}

export function findMirrors(taken: TakenIn, options: MirrorOptions): Mirrors {
  const { room, extended, minPages, mostSteps, onStage } = options;
  onStage?.('joining pages');
  const pages = joinPages(taken, room);
  onStage?.('trivial clusters');
  const similar = findSimilar(taken, pages, options);
  onStage?.('link summary');
  const links = options.overBreaks === true ? new LinkFile(room.tmpdir) : undefined;
  const summary = summarizeLinks(pages, similar, { ...options, kept: links });
  pages.ofRecord.close();
  const replicas = new Map<number, number>();
  let [trivial, similarPages] = [0, 0];
  for (const size of summary.sizes.each()) {
    replicas.set(size, (replicas.get(size) ?? 0) + size);
    if (size > 1) trivial++;
    if (size > 1) similarPages += size;
  }
  const counts: MirrorCounts = {
    pages: pages.count,
    fingerprints: taken.fingerprints,
    again: pages.again,
    outside: pages.outside,
    ...similar.counts,
    ...summary.counts,
    trivial,
    similar: similarPages,
    contradictions: 0,
    unlike: 0,
    joined: 0,
    hubs: 0,
    small: 0,
    smallPages: 0,
    largest: 0,
  };
  const { clusterOf } = similar;
  const lengthOf = (page: number): number => pages.urls.firstOf(page).length;
  const growing = {
    sizes: summary.linked,
    hosts: pages.hosts,
    foreign: summary.foreign,
    lengthOf,
    extended,
    ...(mostSteps !== undefined && { mostSteps }),
  };
  const joining = { ...growing, clusterOf, room };
  let heldBytes = 0;
  function* grownClusters(): Generator<Grown> {
    onStage?.('growing collections');
    for (const groups of summary.components()) {
      counts.largest = Math.max(counts.largest, groups.count);
      heldBytes = Math.max(heldBytes, groups.bytes + BYTES_OF_GROUP * groups.count);
      yield* growCollections(groups, growing, counts);
    }
  }
  function* clusters(): Generator<Grown> {
    const all =
      links === undefined ? grownClusters() : joinOverBreaks([...grownClusters()], { ...joining, links }, counts);
    for (const grown of all) {
      if (grown.size >= minPages) yield grown;
      else {
        counts.small++;
        counts.smallPages += grown.pages.length;
      }
    }
    links?.close();
  }
  const { foreign, setAside } = summary;
  return { pages, foreign, clusterOf, counts, setAside, replicas, clusters, heldBytes: () => heldBytes };
}
