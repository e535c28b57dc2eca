// Threads for mining: those of the tables. One of them can search the parameter rules of a large site while the others
// search its pairs: the two searches are independent, and only read the URL list. Small sites are each mined by one
// thread.
import { Crew } from '../base/crew.js';
import { leftBesideHeap } from '../base/heap.js';
import { packageFile } from '../base/package-file.js';
import { bytesFor } from '../memory-plan.js';
import type { Progress } from '../base/progress.js';
import { addScratchUse, takeScratchUse, type ScratchUse } from '../base/scratch.js';
import type { SpillStats } from '../base/spill.js';
import { MIN_SHARED_URLS, type TableResult, type TableTask } from '../table/crew.js';
import { withSite, type SharedSite, type SiteUrls } from '../table/site-urls.js';
import type { Room } from './engine.js';
import type { Listing } from './parameter-facts.js';
import type { SitesResult, SitesTask } from './sites-task.js';
import { eachParameterRule, type ParameterOptions, type UnrankedParameterRule } from './parameter.js';

export interface ParameterTask {
  readonly kind: 'parameters';
  readonly name: string;
  readonly site: SharedSite;
  readonly options: ParameterOptions;
  readonly memoryBytes: number;
  readonly tmpdir: string;
}

/** The rules of a site, in the order of `eachParameterRule`, and what a report lists. */
export interface FoundParameters {
  readonly rules: readonly UnrankedParameterRule[];
  readonly listing: Listing;
}

/** The same, and what was spilled on the way. */
export interface ParameterResult extends FoundParameters {
  readonly spilled: SpillStats;
  readonly scratch: ScratchUse;
}

export type MineCrew = Crew<TableTask | SitesTask, TableResult | SitesResult, ParameterTask, ParameterResult>;

/** Threads for mining, or undefined if `threads` is 1. */
export function createMineCrew(threads: number, progress?: Progress): MineCrew | undefined {
  return threads < 2 ? undefined : new Crew(threads, packageFile('dist/program/mine/thread.js'), progress);
}

/** A search that runs beside the caller, or once its result is requested. */
export interface ParameterSearch {
  /** The resources that the caller may use until then. */
  readonly room: Room;
  finish(): FoundParameters;
}

/** Starts the search for the parameter rules of a site. The rules are the same wherever it runs. */
export function searchParameters(
  urls: SiteUrls,
  options: ParameterOptions,
  room: Room,
  crew: MineCrew | undefined,
): ParameterSearch {
  const site = urls.count < MIN_SHARED_URLS ? undefined : urls.share();
  if (crew !== undefined && site !== undefined) return searchBeside(urls, site, options, room, crew);
  const finish = () => {
    room.progress?.begin({ name: 'finding parameters' });
    return foundIn(urls, options, besideHeap(room));
  };
  return { room, finish };
}

/** With less, a search of a large site makes more passes over its URLs. */
const ENOUGH_BYTES = 256 << 20;

/** A search after the pairs must fit beside what they leave of the heap. */
function besideHeap(room: Room): Room {
  const left = leftBesideHeap(room.allBytes ?? Infinity);
  return { ...room, memoryBytes: Math.min(room.memoryBytes, Math.max(ENOUGH_BYTES, left)) };
}

function searchBeside(
  urls: SiteUrls,
  site: SharedSite,
  options: ParameterOptions,
  room: Room,
  crew: MineCrew,
): ParameterSearch {
  // The two searches share one room, and what the list leaves of the site's share.
  const memoryBytes = Math.min(room.memoryBytes, bytesFor('step/beside', room.memoryBytes + urls.unusedBytes));
  const spareBytes = Math.max(0, urls.unusedBytes - (2 * memoryBytes - room.memoryBytes));
  const { tmpdir, stats } = room;
  const task = { kind: 'parameters' as const, name: urls.site, site, options, memoryBytes, tmpdir };
  const search = crew.begin(task);
  return {
    room: { ...room, memoryBytes, spareBytes },
    finish: () => {
      room.progress?.begin({ name: 'finding parameters' });
      const [found] = search.finish();
      const { rules, listing, spilled, scratch } = found!;
      stats.runs += spilled.runs;
      stats.bytes += spilled.bytes;
      addScratchUse(scratch);
      return { rules, listing };
    },
  };
}

/** Performs a {@link searchParameters} in a thread. */
export function performSearch({ name, site, options, memoryBytes, tmpdir }: ParameterTask): ParameterResult {
  const stats = { runs: 0, bytes: 0 };
  const found = withSite(site, (urls) => {
    urls.site = name;
    return foundIn(urls, options, { memoryBytes, tmpdir, stats });
  });
  return { ...found, spilled: stats, scratch: takeScratchUse() };
}

function foundIn(urls: SiteUrls, options: ParameterOptions, room: Room): FoundParameters {
  const rules: UnrankedParameterRule[] = [];
  const listing = eachParameterRule(urls, options, room, (rule) => rules.push(rule));
  return { rules, listing };
}
