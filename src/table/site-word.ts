// What does the site itself say about two URLs of its list? Redirects and canonical links of a crawl (./facts) lead from
// a URL to the name of its page, in one step or in several:
//
//   http://x/a → https://x/a → https://www.x/a     the name of all three is the last
//   /a?s=1 → /a    /a?s=2 → /a                     two names of a third
//
// A target of many URLs, such as the front page or /login, says nothing about what was at a URL that redirects there.
import { latin1, sameBytes } from '../base/bytes.js';
import { uncollate } from '../url/token.js';
import { drawRows } from './draw-rows.js';
import type { Facts } from './facts.js';
import { findRow } from './find-row.js';
import type { SiteUrls } from './site-urls.js';

/** `second`: the second URL is the name of the page; `first`: the first is; `third`: another one is. */
export type Word = 'first' | 'second' | 'third' | 'apart' | undefined;

/** Where a URL leads. */
interface End {
  /** Of the list; -1 if the list lacks the URL. */
  readonly row: number;
  readonly url: Uint8Array;
  readonly facts: Facts | undefined;
  /** True if a redirect or a link led here, or the page names itself. */
  readonly isSaid: boolean;
  /** True if a redirect led here. */
  readonly isMoved: boolean;
}

const MOST_STEPS = 5;
/** The number of rows to look at for targets of many URLs, and how many URLs are many. */
const LOOKED_AT = 4096;
const MANY = 8;
const MOST_KEPT = 4096;

export class SiteWords {
  readonly #urls: SiteUrls;
  #common: ReadonlySet<string> | undefined;
  #hasNames: boolean | undefined;
  /** Ends by row: a page is compared with several others in a row. */
  readonly #ends = new Map<number, End>();

  constructor(urls: SiteUrls) {
    this.#urls = urls;
  }

  /** True if a crawl said of some URL where its page is. Looks at a sample. */
  get hasNames(): boolean {
    return (this.#hasNames ??= this.#findName());
  }

  #findName(): boolean {
    return drawRows(this.#urls.count, LOOKED_AT).some((row) => (this.#factsOf(row)?.name.length ?? 0) > 0);
  }

  /** True if a crawl said something about one of the two. */
  isAbout(rowA: number, rowB: number): boolean {
    const urls = this.#urls;
    return urls.hasWordAt(urls.at(rowA)) || urls.hasWordAt(urls.at(rowB));
  }

  /**
   * What is said about two URLs. `apart`: they have canonical links to different URLs, or no common language. Undefined
   * if nothing is said that concerns both.
   */
  about(rowA: number, rowB: number): Word {
    const [a, b] = [this.endOf(rowA), this.endOf(rowB)];
    if (sameBytes(a.url, b.url)) return a.row === rowB ? 'second' : b.row === rowA ? 'first' : 'third';
    if (this.isCommon(a) || this.isCommon(b)) return undefined;
    return speakOthers(a.facts, b.facts) || (a.isSaid && b.isSaid) ? 'apart' : undefined;
  }

  /** Where redirects and canonical links lead from a row. */
  endOf(row: number): End {
    const known = this.#ends.get(row);
    if (known !== undefined) return known;
    if (this.#ends.size >= MOST_KEPT) this.#ends.clear();
    const end = this.#follow(row);
    this.#ends.set(row, end);
    return end;
  }

  #follow(row: number): End {
    const start: End = { row, url: this.#urlOf(row), facts: this.#factsOf(row), isSaid: false, isMoved: false };
    let end = start;
    for (let step = 0; step < MOST_STEPS; step++) {
      const name = end.facts?.name;
      if (name === undefined || name.length === 0) return end;
      if (sameBytes(name, end.url)) return { ...end, isSaid: true };
      const next = findRow(this.#urls, name);
      const isMoved = end.isMoved || !end.facts!.isPage;
      end = { row: next, url: name, facts: next < 0 ? undefined : this.#factsOf(next), isSaid: true, isMoved };
    }
    // A circle, or a chain that no crawler follows to its end.
    return { ...start, row: -1, facts: undefined, isMoved: true };
  }

  /** True if redirects of many URLs lead there. */
  isCommon({ url, isMoved }: End): boolean {
    if (!isMoved) return false;
    this.#common ??= this.#commonTargets();
    return this.#common.has(latin1(url));
  }

  #commonTargets(): ReadonlySet<string> {
    const counts = new Map<string, number>();
    for (const row of drawRows(this.#urls.count, LOOKED_AT)) {
      const facts = this.#factsOf(row);
      if (facts === undefined || facts.isPage || facts.name.length === 0) continue;
      const target = latin1(facts.name);
      counts.set(target, 1 + (counts.get(target) ?? 0));
    }
    return new Set([...counts].filter(([, count]) => count >= MANY).map(([target]) => target));
  }

  #factsOf(row: number): Facts | undefined {
    return this.#urls.factsAt(this.#urls.at(row));
  }

  #urlOf(row: number): Uint8Array {
    const at = this.#urls.at(row);
    return uncollate(this.#urls.bytes, at, at + this.#urls.lengthOf(row));
  }
}

function speakOthers(a: Facts | undefined, b: Facts | undefined): boolean {
  if (a === undefined || b === undefined || a.languages === 0 || b.languages === 0) return false;
  return (a.languages & b.languages) === 0;
}
