// Describes a cluster of collections for users: the copies, the principal copy, and the pages of the others that a
// crawler need not fetch.
//
// The principal copy is the one with the most links from other hosts; then the one with the shortest root URL; then the
// first.
import { decodeText, encodeText } from '../base/bytes.js';
import { Column, type ColumnRoom } from '../base/column.js';
import type { Mirrors } from './find-mirrors.js';
import type { Grown } from './grow.js';
import { hostOf, type Pages } from './pages.js';

interface Copy {
  readonly root: string;
  readonly host: string;
  /** The longest folder that has all of its pages. */
  readonly folder: string;
  /** The number of links from other hosts to its pages. */
  readonly links: number;
  /** The substitution that turns it into the principal copy, and the number of pages for which that is wrong. */
  readonly alias?: Alias & { readonly against: number };
}

export interface Cluster {
  /** Numbered from 1, in the order of their least URLs. */
  readonly id: number;
  readonly cardinality: number;
  readonly size: number;
  /** The principal copy first. */
  readonly copies: readonly Copy[];
  /** The number of pages that need not be fetched: those of the other copies that are not in the principal one. */
  readonly saved: number;
}

/** The URLs of a page in all copies, principal copy first; `page` counts from 0. */
type OnPage = (urls: readonly string[], page: number) => void;

/** The page is in a collection, or is the image of a saved page: it must not be saved for being nearby. */
const SETTLED = 1;
const SAVED = 2;
/** The page is in the principal copy of the current cluster. */
const KEPT = 4;

/** Describes clusters one after another, and then what need not be fetched of all of them. */
export class Describer {
  readonly #mirrors: Mirrors;
  /** By page: the marks above. */
  readonly #marks: Column;
  readonly #room: ColumnRoom;
  readonly #folders = new Set<string>();
  /** By alias, as several clusters may have the same one. */
  readonly #against = new Map<string, number>();
  #id = 0;

  /** `room` is for a column. */
  constructor(mirrors: Mirrors, room: ColumnRoom) {
    this.#mirrors = mirrors;
    this.#room = room;
    this.#marks = new Column(mirrors.pages.count, room);
  }

  isSaved(page: number): boolean {
    return (this.#marks.get(page) & SAVED) !== 0;
  }

  describe(grown: Grown, onPage?: OnPage): Cluster {
    const { cardinality, size, pages } = grown;
    const order = this.#order(grown);
    const principal = order[0]!.copy;
    for (let k = 0; k < size; k++) this.#mark(pages[k * cardinality + principal]!, SETTLED | KEPT);
    const finders = order.map(() => new AliasFinder());
    const roots: string[] = [];
    let saved = 0;
    for (let k = 0; k < size; k++) {
      const own = order.map(({ copy }) => pages[k * cardinality + copy]!);
      const urls = own.map((page) => this.#urlOf(page));
      if (k === 0) for (const url of urls) roots.push(url);
      finders.forEach((finder, place) => finder.add(urls[place]!, urls[0]!));
      for (const page of own) if (this.#save(page)) saved++;
      onPage?.(urls, k);
    }
    for (let k = 0; k < size; k++) {
      const page = pages[k * cardinality + principal]!;
      this.#marks.set(page, this.#marks.get(page) & ~KEPT);
    }
    const copies = order.map(({ links }, place): Copy => {
      const root = roots[place]!;
      const { folder, alias } = finders[place]!;
      const copy = { root, host: hostOf(root), folder, links };
      if (place > 0) this.#folders.add(folder);
      if (alias === undefined) return copy;
      return { ...copy, alias: { ...alias, against: this.#countAgainst(alias) } };
    });
    return { id: ++this.#id, cardinality, size, copies, saved };
  }

  /** The copies, principal copy first, with the number of links from other hosts to their pages. */
  #order({ cardinality, size, pages }: Grown): { readonly copy: number; readonly links: number }[] {
    const { foreign } = this.#mirrors;
    const links = new Float64Array(cardinality);
    for (let k = 0; k < size; k++) {
      for (let copy = 0; copy < cardinality; copy++) links[copy]! += foreign.get(pages[k * cardinality + copy]!);
    }
    const lengths = Array.from(links, (_, copy) => this.#urlOf(pages[copy]!).length);
    return Array.from(links, (count, copy) => ({ copy, links: count })).sort(
      (a, b) => b.links - a.links || lengths[a.copy]! - lengths[b.copy]! || pages[a.copy]! - pages[b.copy]!,
    );
  }

  /** Marks a page as saved; true if it was not. */
  #save(page: number): boolean {
    const isNew = (this.#marks.get(page) & (KEPT | SAVED)) === 0;
    this.#mark(page, SETTLED | (isNew ? SAVED : 0));
    return isNew;
  }

  #mark(page: number, marks: number): void {
    this.#marks.set(page, this.#marks.get(page) | marks);
  }

  #urlOf(page: number): string {
    return decodeText(this.#mirrors.pages.urls.firstOf(page));
  }

  /** The number of pages in the folder whose image is missing or not similar. */
  #countAgainst(alias: Alias): number {
    const key = `${alias.from} ${alias.to}`;
    const known = this.#against.get(key);
    if (known !== undefined) return known;
    let against = 0;
    for (const { isSimilar } of this.#images(alias)) if (!isSimilar) against++;
    this.#against.set(key, against);
    return against;
  }

  /**
   * Saves pages near the collections, which are in no collection themselves: pages in the folder of a copy whose image
   * in the folder of the principal copy is similar. Yields each with its image, which is not saved. Call this after the
   * last cluster.
   */
  *nearby({ copies }: Cluster): Generator<{ readonly copy: number; readonly url: string; readonly image: string }> {
    for (const [copy, { alias }] of copies.entries()) {
      if (alias === undefined) continue;
      this.#folders.add(alias.from);
      for (const { page, url, other, image, isSimilar } of this.#images(alias)) {
        // Another cluster may have its principal copy here. Of two pages, one must stay.
        if (!isSimilar || this.#marks.get(page) !== 0 || this.isSaved(other)) continue;
        this.#mark(page, SAVED);
        this.#mark(other, SETTLED);
        yield { copy, url, image };
      }
    }
  }

  /** All pages in the folder of a copy, in their order, with their images. */
  *#images({
    from,
    to,
  }: Alias): Generator<{ page: number; url: string; other: number; image: string; isSimilar: boolean }> {
    const { pages, clusterOf } = this.#mirrors;
    let other = firstFrom(pages, to);
    let found = urlOf(pages, other);
    for (let page = firstFrom(pages, from); page < pages.count; page++) {
      const url = urlOf(pages, page)!;
      if (!url.startsWith(from)) return;
      const image = to + url.slice(from.length);
      while (found !== undefined && Buffer.compare(encodeText(found), encodeText(image)) < 0)
        found = urlOf(pages, ++other);
      yield { page, url, other, image, isSimilar: found === image && clusterOf.get(other) === clusterOf.get(page) };
    }
  }

  /** True if a page in this folder was crawled. */
  hasPageIn(folder: string): boolean {
    const { pages } = this.#mirrors;
    return urlOf(pages, firstFrom(pages, folder))?.startsWith(folder) === true;
  }

  /** What a crawler can leave out: folders whose pages are all saved, and other saved pages, in the order of URLs. */
  *avoidable(): Generator<string> {
    const { pages } = this.#mirrors;
    const savedBefore = new Column(pages.count + 1, this.#room);
    for (let page = 0; page < pages.count; page++) {
      savedBefore.set(page + 1, savedBefore.get(page) + Number(this.isSaved(page)));
    }
    const whole = new Map<number, { readonly folder: string; readonly end: number }>();
    for (const folder of this.#folders) {
      if (!isFolder(folder)) continue;
      const start = firstFrom(pages, folder);
      // The end of all URLs that begin with the folder: `0` comes after `/`.
      const end = firstFrom(pages, `${folder.slice(0, -1)}0`);
      if (end - start < 2 || savedBefore.get(end) - savedBefore.get(start) < end - start) continue;
      if (end > (whole.get(start)?.end ?? 0)) whole.set(start, { folder, end });
    }
    for (let page = 0; page < pages.count;) {
      const known = whole.get(page);
      if (known !== undefined) yield known.folder;
      else if (this.isSaved(page)) yield urlOf(pages, page)!;
      page = known?.end ?? page + 1;
    }
    savedBefore.close();
  }
}

function urlOf({ count, urls }: Pages, page: number): string | undefined {
  return page < count ? decodeText(urls.firstOf(page)) : undefined;
}

/** The first page whose URL is not less than `url`. */
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

// The substitution that turns one copy into another: all its URLs have one prefix in place of another. Both prefixes
// end with a slash. It is an alias of a host or of a folder.
//
//   http://a.example/docs/1.2/intro.html  →  http://b.example/manual/intro.html
//   http://a.example/docs/1.2/            →  http://b.example/manual/

export interface Alias {
  readonly from: string;
  readonly to: string;
}

/** Finds the alias that turns each URL into its partner. Build (`add`), then ask; it keeps nothing of each pair. */
export class AliasFinder {
  #pairs = 0;
  /** Of the pair with the longest `from`: its URL and partner are from + rest and to + rest. */
  #from = '';
  #to = '';
  #rest = '';
  /** The common beginning of all URLs, and that of all partners. */
  #same = '';
  #partnersSame = '';
  /** The length of a URL less that of its partner; NaN if pairs differ in it. */
  #longer = 0;

  add(url: string, partner: string): void {
    const suffix = commonSuffix(url, partner);
    const from = url.slice(0, url.length - suffix);
    if (from.length > this.#from.length) {
      this.#from = from;
      this.#to = partner.slice(0, partner.length - suffix);
      this.#rest = url.slice(from.length);
    }
    const isFirst = this.#pairs++ === 0;
    this.#same = isFirst ? url : commonPrefix(this.#same, url);
    this.#partnersSame = isFirst ? partner : commonPrefix(this.#partnersSame, partner);
    const longer = url.length - partner.length;
    this.#longer = isFirst || longer === this.#longer ? longer : NaN;
  }

  /** The longest folder that has all URLs, with a slash at its end. */
  get folder(): string {
    return folderOf(this.#same);
  }

  get alias(): Alias | undefined {
    // The rest is the same in both, so both are extended by the same characters.
    const isWhole = this.#from.endsWith('/') && this.#to.endsWith('/');
    const more = isWhole ? '' : this.#rest.slice(0, this.#rest.indexOf('/') + 1);
    const alias = { from: this.#from + more, to: this.#to + more };
    // Not inside of `http://`.
    if (!isFolder(alias.from) || !isFolder(alias.to) || alias.from === alias.to) return undefined;
    // No pair differs in a longer beginning than `from`. So equal lengths mean that what follows is equal.
    const holds =
      this.#same.startsWith(alias.from) &&
      this.#partnersSame.startsWith(alias.to) &&
      this.#longer === alias.from.length - alias.to.length;
    return holds ? alias : undefined;
  }
}

/** The longest folder that has a text. */
function folderOf(same: string): string {
  return same.slice(0, same.lastIndexOf('/') + 1);
}

/** True for `http://host/` and folders below it. */
function isFolder(prefix: string): boolean {
  return /^https?:\/\/[^/?#]+\/([^?#]*\/)?$/.test(prefix);
}

function commonSuffix(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[a.length - 1 - length] === b[b.length - 1 - length]) length++;
  return length;
}

function commonPrefix(a: string, b: string): string {
  if (b.startsWith(a)) return a;
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return a.slice(0, length);
}
