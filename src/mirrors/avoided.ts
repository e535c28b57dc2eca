// Keeps the list of folders that a crawler leaves out from night to night. The crawler does not see these folders, so
// the earlier list is carried over, and now and then a folder is fetched again.
//
//   earlier list, tonight's crawl                        tonight's list
//   again a copy of another folder                       confirmed tonight
//   not crawled                                          kept, one more night unseen
//   not crawled, and the principal copy is gone          to be fetched again, as no other folder has its pages
//   crawled, and no copy (any more)                      dropped: crawled from now on
//                                                        those unseen for longest: to be fetched again
import { byText } from '../base/bytes.js';

export interface AvoidedFolder {
  readonly folder: string;
  /** The folder of the copy that is still crawled. */
  readonly principal: string;
  readonly firstSeen: string;
  readonly lastConfirmed: string;
  /** The number of nights since then in which nothing of the folder was crawled. */
  readonly unseen: number;
  /** The number of consecutive nights in which nothing of the principal copy was crawled. */
  readonly principalUnseen: number;
}

/** After so many nights without the principal copy it counts as gone, unless the crawl tells earlier. */
const MOST_NIGHTS = 3;

export interface AvoidedNight {
  readonly night: string;
  /** Sorted by folder. */
  readonly avoided: readonly AvoidedFolder[];
  /** The avoided folders to fetch again. They are not in the crawler's list. */
  readonly recheck: readonly string[];
  readonly gone: readonly string[];
}

/** By folder that is a copy tonight: the folder of the principal copy. */
type FoundFolders = ReadonlyMap<string, string>;

/** What tonight's crawl has of a folder: a page; only other answers, such as 404; or nothing. */
type Seen = 'page' | 'answer' | undefined;

export function carryAvoided(
  earlier: readonly AvoidedFolder[],
  found: FoundFolders,
  seen: (folder: string) => Seen,
  { night, budget }: { readonly night: string; readonly budget: number },
): AvoidedNight {
  const avoided = new Map<string, AvoidedFolder>();
  const gone: string[] = [];
  for (const one of earlier) {
    if (found.has(one.folder)) continue;
    if (seen(one.folder) === 'page') gone.push(one.folder);
    else {
      const principalUnseen = seen(one.principal) === 'page' ? 0 : one.principalUnseen + 1;
      avoided.set(one.folder, { ...one, unseen: one.unseen + 1, principalUnseen });
    }
  }
  const firstSeen = new Map(earlier.map((one) => [one.folder, one.firstSeen]));
  for (const [folder, principal] of found) {
    avoided.set(folder, {
      folder,
      principal,
      firstSeen: firstSeen.get(folder) ?? night,
      lastConfirmed: night,
      unseen: 0,
      principalUnseen: 0,
    });
  }
  const all = [...avoided.values()].sort((a, b) => byText(a.folder, b.folder));
  const isOrphaned = ({ principal, principalUnseen }: AvoidedFolder): boolean =>
    principalUnseen >= MOST_NIGHTS || (principalUnseen > 0 && seen(principal) === 'answer');
  const unseen = all.filter((one) => one.unseen > 0);
  const oldest = unseen
    .filter((one) => !isOrphaned(one))
    .sort((a, b) => byText(a.lastConfirmed, b.lastConfirmed) || b.unseen - a.unseen || byText(a.folder, b.folder))
    .slice(0, budget);
  const recheck = [...unseen.filter(isOrphaned), ...oldest].map(({ folder }) => folder).sort(byText);
  return { night, avoided: all, recheck, gone: gone.sort(byText) };
}

/** Records which of some folders have answers in a crawl, pages or not. */
export class AnsweredFolders {
  readonly #waited: Set<string>;
  readonly #answered = new Set<string>();

  constructor(folders: Iterable<string>) {
    this.#waited = new Set(folders);
  }

  /** Adds the URL of an answer. */
  add(url: string): void {
    if (this.#waited.size === 0) return;
    // The first slash that may end a folder is the one after the host.
    for (let slash = url.indexOf('/', url.indexOf('://') + 3); slash >= 0; slash = url.indexOf('/', slash + 1)) {
      const folder = url.slice(0, slash + 1);
      if (this.#waited.delete(folder)) this.#answered.add(folder);
    }
  }

  has(folder: string): boolean {
    return this.#answered.has(folder);
  }
}
