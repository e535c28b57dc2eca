// What do users need of a cluster of collections? The copies, the principal one, and what of the others a crawler need
// not fetch.
//
// The principal copy is that with the most links from other hosts; of equal ones that with the shortest URL of a root,
// then the first.
import { decodeText, encodeText } from '../base/bytes.js';
import { aliasOf, folderOf, isFolder, type Alias } from './alias.js';
import type { Mirrors } from './find-mirrors.js';
import type { Grown } from './grow.js';
import { hostOf, type Pages } from './pages.js';

export interface Copy {
  readonly root: string;
  readonly host: string;
  /** The longest folder with all of its pages. */
  readonly folder: string;
  /** Links from other hosts to its pages. */
  readonly links: number;
  /** By which it becomes the principal copy, and the pages that this is wrong for. */
  readonly alias?: Alias & { readonly against: number };
}

export interface Cluster {
  /** From 1, in the order of their least URLs. */
  readonly id: number;
  readonly cardinality: number;
  readonly size: number;
  /** The principal copy first. */
  readonly copies: readonly Copy[];
  /** Pages that need not be fetched: those of the others which the principal copy has not. */
  readonly saved: number;
}

export interface Roll {
  /** By copy, the principal one first: its pages, each in the place of its partners. */
  readonly urls: readonly (readonly string[])[];
  /** What a crawler can leave out: folders with pages of a copy alone, and single pages of others. */
  readonly avoid: readonly string[];
}

/** Describes clusters one after another; `isSaved` has a 1 for each page that need not be fetched. */
export class Describer {
  readonly #mirrors: Mirrors;
  readonly isSaved: Uint8Array;
  #id = 0;

  constructor(mirrors: Mirrors) {
    this.#mirrors = mirrors;
    this.isSaved = new Uint8Array(mirrors.pages.count);
  }

  describe({ cardinality, pages }: Grown): readonly [Cluster, Roll] {
    const { foreign } = this.#mirrors;
    const url = (page: number): string => decodeText(this.#mirrors.pages.urls.firstOf(page));
    const copies = Array.from({ length: cardinality }, (_, copy) => {
      const own = Uint32Array.from(pages, (page) => page[copy]!);
      const urls = Array.from(own, url);
      return { own, urls, links: own.reduce((sum, page) => sum + foreign[page]!, 0) };
    }).sort((a, b) => b.links - a.links || a.urls[0]!.length - b.urls[0]!.length || a.own[0]! - b.own[0]!);
    const [principal] = copies;
    const kept = new Set(principal!.own);
    const avoid: string[] = [];
    let saved = 0;
    const described = copies.map(({ own, urls, links }, place): Copy => {
      const [root] = urls;
      const copy = { root: root!, host: hostOf(root!), folder: folderOf(urls), links };
      if (place === 0) return copy;
      const left = own.filter((page) => !kept.has(page)).sort();
      for (const page of left) if (this.isSaved[page] === 0) saved++;
      for (const page of left) this.isSaved[page] = 1;
      avoid.push(...this.#avoidable(left, copy.folder, url));
      const alias = aliasOf(urls, principal!.urls);
      if (alias === undefined) return copy;
      return { ...copy, alias: { ...alias, against: this.#against(alias) } };
    });
    const cluster = { id: ++this.#id, cardinality, size: pages.length, copies: described, saved };
    return [cluster, { urls: copies.map(({ urls }) => urls), avoid }];
  }

  /** The folder, if there is nothing else in it, otherwise the pages. `left` ascends, as URLs do. */
  #avoidable(left: Uint32Array, folder: string, url: (page: number) => string): string[] {
    const [first, last] = [left[0], left.at(-1)];
    if (first === undefined || last === undefined) return [];
    const { count } = this.#mirrors.pages;
    const isAlone =
      last - first === left.length - 1 &&
      (first === 0 || !url(first - 1).startsWith(folder)) &&
      (last === count - 1 || !url(last + 1).startsWith(folder));
    return isAlone && isFolder(folder) ? [folder] : Array.from(left, url);
  }

  /** Pages in the folder whose image is not there, or not similar. Images are in the order of the URLs themselves. */
  #against({ from, to }: Alias): number {
    const { pages, clusterOf } = this.#mirrors;
    let against = 0;
    let other = firstFrom(pages, to);
    let image = urlOf(pages, other);
    for (let page = firstFrom(pages, from); page < pages.count; page++) {
      const url = urlOf(pages, page)!;
      if (!url.startsWith(from)) break;
      const wanted = to + url.slice(from.length);
      while (image !== undefined && Buffer.compare(encodeText(image), encodeText(wanted)) < 0)
        image = urlOf(pages, ++other);
      if (image !== wanted || clusterOf[other] !== clusterOf[page]) against++;
    }
    return against;
  }
}

function urlOf({ count, urls }: Pages, page: number): string | undefined {
  return page < count ? decodeText(urls.firstOf(page)) : undefined;
}

/** The first page whose URL is not before `url`. */
function firstFrom({ count, urls }: Pages, url: string): number {
  const wanted = encodeText(url);
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (Buffer.compare(urls.firstOf(middle), wanted) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
