// Which folders does a crawler leave out from night to night? What it leaves out it does not see, so an earlier list is
// carried over, and now and then a folder is fetched again.
//
//   earlier list, tonight's crawl                        tonight's list
//   a copy of another folder again                       confirmed tonight
//   nothing of it crawled                                as it was, one more night unseen
//   crawled, and no copy (any more)                      gone: it is crawled from now on
//                                                        the longest unseen ones: to be fetched again
import { byText } from '../base/bytes.js';

export interface AvoidedFolder {
  readonly folder: string;
  /** Of the copy that stays. */
  readonly principal: string;
  readonly firstSeen: string;
  readonly lastConfirmed: string;
  /** Nights since then in which nothing of it was crawled. */
  readonly unseen: number;
}

export interface AvoidedNight {
  readonly night: string;
  /** In the order of folders. */
  readonly avoided: readonly AvoidedFolder[];
  /** Of the avoided ones, those to be fetched again: they are not in the list of the crawler. */
  readonly recheck: readonly string[];
  readonly gone: readonly string[];
}

/** Folders that are copies tonight, by folder: that of the principal copy. */
export type FoundFolders = ReadonlyMap<string, string>;

export function carryAvoided(
  earlier: readonly AvoidedFolder[],
  found: FoundFolders,
  isCrawled: (folder: string) => boolean,
  { night, budget }: { readonly night: string; readonly budget: number },
): AvoidedNight {
  const avoided = new Map<string, AvoidedFolder>();
  const gone: string[] = [];
  for (const one of earlier) {
    if (found.has(one.folder)) continue;
    if (isCrawled(one.folder)) gone.push(one.folder);
    else avoided.set(one.folder, { ...one, unseen: one.unseen + 1 });
  }
  const firstSeen = new Map(earlier.map((one) => [one.folder, one.firstSeen]));
  for (const [folder, principal] of found) {
    avoided.set(folder, {
      folder,
      principal,
      firstSeen: firstSeen.get(folder) ?? night,
      lastConfirmed: night,
      unseen: 0,
    });
  }
  const all = [...avoided.values()].sort((a, b) => byText(a.folder, b.folder));
  const recheck = all
    .filter(({ unseen }) => unseen > 0)
    .sort((a, b) => byText(a.lastConfirmed, b.lastConfirmed) || b.unseen - a.unseen || byText(a.folder, b.folder))
    .slice(0, budget)
    .map(({ folder }) => folder)
    .sort(byText);
  return { night, avoided: all, recheck, gone: gone.sort(byText) };
}
