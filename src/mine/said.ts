// What does the site itself say of the instances of a rule (table/site-word)? A redirect or a canonical link is its word
// that two URLs are one page, and which of them is the name. A page is one witness, however many URLs lead to it: the
// front page, to which all old addresses redirect, proves nothing of the rule that drops their names.
import { latin1 } from '../base/bytes.js';
import type { SiteWords } from '../table/site-word.js';

export interface Said {
  /** Pages whose name is the image, the URL itself, or a third URL. */
  readonly image: number;
  readonly url: number;
  readonly third: number;
  /** Pairs that the site keeps apart. */
  readonly apart: number;
  /** How many of `image` redirect; the others are canonical links. */
  readonly redirects: number;
}

export const NOTHING_SAID: Said = { image: 0, url: 0, third: 0, apart: 0, redirects: 0 };

/** With so many pages, the site has confirmed a rule. */
const ENOUGH_SAID = 5;
/** The largest share of pages of a confirmed rule that the site keeps apart, or names the other way. */
const MOST_AGAINST = 0.05;

/** True if the site says that the URLs that the rule makes one are one page. */
export function isConfirmed({ image, url, third, apart }: Said): boolean {
  const one = image + url + third;
  return one >= ENOUGH_SAID && apart <= MOST_AGAINST * (one + apart);
}

/** True if the site also says that the images are the names. */
export function namesImages(said: Said): boolean {
  const { image, url } = said;
  return isConfirmed(said) && image >= ENOUGH_SAID && url <= MOST_AGAINST * (image + url);
}

/** True if the site says that the rule leads away from the names. */
export function namesUrls(said: Said): boolean {
  return namesImages({ ...said, image: said.url, url: said.image });
}

/** How the site confirms most images. */
export function wordOf({ image, redirects }: Said): 'redirect' | 'canonical' {
  return 2 * redirects >= image ? 'redirect' : 'canonical';
}

/** The instances whose pages are compared, and what the site says of all instances. */
export interface Heard {
  readonly said: Said;
  readonly from: readonly number[];
  readonly to: readonly number[];
}

/** Asks about all instances. Of those that lead to one page, the first is kept. */
export function listen(words: SiteWords, from: readonly number[], to: readonly number[]): Heard {
  const counts = { image: 0, url: 0, third: 0, apart: 0, redirects: 0 };
  const pages = new Set<string>();
  const isKept = from.map((url, k) => {
    const image = to[k]!;
    const word = words.isAbout(url, image) ? words.about(url, image) : undefined;
    if (word === undefined) return true;
    if (word === 'apart') return ++counts.apart > 0;
    const end = words.endOf(url);
    const page = latin1(end.url);
    if (pages.has(page)) return false;
    pages.add(page);
    if (word === 'second') {
      counts.image++;
      if (end.isMoved) counts.redirects++;
    } else counts[word === 'first' ? 'url' : 'third']++;
    return true;
  });
  const kept = (rows: readonly number[]) => rows.filter((_, k) => isKept[k]);
  return { said: counts, from: kept(from), to: kept(to) };
}
