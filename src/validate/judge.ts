// Does one sample speak for a rule (paper Figure 3, lines 7 to 12)? Fetches u and its image v and compares the two
// pages.
import { areOtherTypes } from '../pages/headers.js';
import { withoutAges } from '../sketch/age.js';
import { Boilerplate, type SetAside } from '../sketch/boilerplate.js';
import type { Document } from '../sketch/document.js';
import { differencesOf } from '../sketch/controls.js';
import { likenessOf, type Verdict } from '../sketch/page.js';
import { VolatileSlots } from '../sketch/volatile.js';
import { comparePages, textOf, wordCount, type PageOfUrl, type SiteKnowledge } from './same-page.js';
import { SoftErrors } from './soft.js';
import type { FoundPage, PageResult, PageSource } from './source.js';

type Unavailable = Extract<PageResult, { kind: 'unavailable' }>;

export type Judgement =
  /** `document` is their content: it may later prove to be a soft error. */
  | { readonly kind: 'positive'; readonly document: Document; readonly u: FoundPage; readonly v: FoundPage }
  /** `v`: what was found instead of the page of u. Both are absent if the answer was known without a request. */
  | {
      readonly kind: 'negative';
      readonly reason: string;
      readonly u?: FoundPage;
      readonly v?: Exclude<PageResult, Unavailable>;
    }
  /** `status`: of the answer, if that is the reason. */
  | { readonly kind: 'unjudged'; readonly reason: string; readonly status?: string }
  | { readonly kind: 'stop'; readonly reason: 'budget' | 'interrupted' };

/** Why two existing pages are a negative: little or nothing in common, or only a part. */
export const FOREIGN = 'different';
export const CHANGED = 'similar in part';
/** Why two pages are a negative whose text may be the same: one is a table in HTML, the other in CSV. */
export const OTHER_TYPE = 'another media type';

/** Pages below this resemblance are not two states of one page. */
const FOREIGN_RESEMBLANCE = 0.5;

/**
 * Pages fetched within this time of each other are compared without fetching again; some 3,000 requests take as long.
 */
const ONE_RUN_MS = 3_600_000;

/** Half of a page shorter than this can be a line with the time of day. */
const SHORT_WORDS = 100;

// Second requests to a site are limited: fewer while it has few pages, and none after so many of the first ones found
// every page unchanged.
const MAX_SECOND = 40;
const FIRST_SECOND = 2;
const PAGES_PER_SECOND = 25;
const STILL_AFTER = 8;

export interface JudgeOptions {
  readonly source: PageSource;
  /** The site that redirects may not leave. */
  readonly siteOf: (url: string) => string;
  /** Scheme and host to put before URLs that start with `/`, or ''. */
  readonly base: string;
  readonly signal: AbortSignal;
}

/** Judges the samples of one site, and learns its template from every page. */
export class Judge {
  readonly source: PageSource;
  readonly #options: JudgeOptions;
  readonly #samples = new Boilerplate();
  readonly #images = new Boilerplate();
  // Templates are learned separately for URLs and images: a page and its image have the same content, which would count
  // twice. And a printable view has no menu, while its image has one.
  readonly #boilerplate: SetAside = { has: (mark) => this.#samples.has(mark) || this.#images.has(mark) };
  readonly #soft = new SoftErrors(this.#boilerplate);
  readonly #slots = new VolatileSlots();
  /** Pages that an earlier run got before this time, in milliseconds since 1970, are fetched anew. */
  freshSince: number | undefined;
  /** Pages fetched a second time, and how many of them had changed. */
  #second = 0;
  #changed = 0;

  constructor(options: JudgeOptions) {
    this.source = options.source;
    this.#options = options;
  }

  /** True if a second request finds a different page: a random picture, the latest news. */
  async isUnsteady(url: string): Promise<boolean> {
    const absolute = this.absolute(url);
    const site = this.#options.siteOf(absolute);
    const once = await this.source.fetch(absolute, site);
    const again = await this.source.fetchAgain?.(absolute, site);
    if (once.kind !== 'page' || again?.kind !== 'page' || once.document.digest === again.document.digest) return false;
    return this.#isForeign(once.document, again.document);
  }

  /**
   * Compares the state of the controls (`sketch/controls`) of two pages. `unsteady`: it changes with every request.
   * Undefined if that is not known.
   */
  async compareControls(url: string, image: string): Promise<'same' | 'other' | 'unsteady' | undefined> {
    const [u, v] = [await this.fetchPage(url), await this.fetchPage(image)];
    if (u.kind !== 'page' || v.kind !== 'page' || u.finalUrl === v.finalUrl) return undefined;
    const [a, b] = [u.controls, v.controls];
    if (a === undefined || b === undefined) return undefined;
    const other = differencesOf(a, b, [url, image]);
    if (other.length === 0) return 'same';
    const absolute = this.absolute(url);
    const again = await this.source.fetchAgain?.(absolute, this.#options.siteOf(absolute));
    if (again?.kind !== 'page' || again.controls === undefined) return undefined;
    const unsteady = new Set(differencesOf(a, again.controls, []));
    return other.some((part) => !unsteady.has(part)) ? 'other' : 'unsteady';
  }

  /**
   * What became of a page that this run fetched: the same, another one, or none. Undefined if that is not known, as of
   * a page of an earlier run.
   */
  async nowOf(url: string): Promise<'same' | 'other' | 'gone' | undefined> {
    const absolute = this.absolute(url);
    const site = this.#options.siteOf(absolute);
    const once = await this.source.fetch(absolute, site);
    if (once.kind !== 'page' || this.source.keptAt?.(once.finalUrl) !== undefined) return undefined;
    const again = await this.source.fetchAgain?.(absolute, site);
    if (again?.kind === 'missing') return 'gone';
    if (again?.kind !== 'page') return undefined;
    const isOther =
      again.finalUrl !== once.finalUrl ||
      (once.document.digest !== again.document.digest && this.#isForeign(once.document, again.document));
    return isOther ? 'other' : 'same';
  }

  /** The URL with scheme and host, which a list may lack. */
  absolute(url: string): string {
    return url.startsWith('/') ? this.#options.base + url : url;
  }

  async #fetch(url: string, boilerplate: Boilerplate, madeOf?: string): Promise<PageResult> {
    const result = await this.fetchPage(url, madeOf);
    if (result.kind === 'page') boilerplate.add(result.document);
    return result;
  }

  /**
   * A page by itself, for audits and canonical links: it counts for soft errors, but is not a sample. `madeOf` is the
   * URL that a rule made this one from.
   */
  async fetchPage(url: string, madeOf?: string): Promise<PageResult> {
    const absolute = this.absolute(url);
    const made = madeOf === undefined ? undefined : { of: this.absolute(madeOf) };
    const site = this.#options.siteOf(absolute);
    const known = await this.source.fetch(absolute, site, made);
    const result = this.#isStale(absolute, known) ? await this.source.renew!(absolute, site) : known;
    if (result.kind === 'page') this.#soft.add(url, result.document);
    return result;
  }

  #isStale(absolute: string, result: PageResult): boolean {
    if (this.freshSince === undefined || this.source.renew === undefined) return false;
    const time = this.source.keptAt?.(result.kind === 'page' ? result.finalUrl : absolute);
    return time !== undefined && time < this.freshSince;
  }

  /** Fetches a URL that cannot exist: if it has a page, the site answers everything with a page. */
  async learnNonsense(url: string): Promise<void> {
    const absolute = this.absolute(url);
    const result = await this.source.fetch(absolute, this.#options.siteOf(absolute), 'nobody');
    // A page to which a site redirects unknown URLs, such as its homepage, is a page.
    if (result.kind === 'page' && result.redirects === 0) this.#soft.addNonsense(url, result.document);
  }

  /** True if a URL that cannot exist has the same page as this one: then neither is a real page. */
  async isLike(url: string, nonsense: string): Promise<boolean> {
    const [a, b] = [this.absolute(url), this.absolute(nonsense)];
    const u = await this.source.fetch(a, this.#options.siteOf(a));
    const v = await this.source.fetch(b, this.#options.siteOf(b), 'nobody');
    if (u.kind !== 'page' || v.kind !== 'page') return false;
    const verdict = comparePages({ url: a, page: u }, { url: b, page: v }, this.#site);
    return verdict === 'same' || verdict === 'alike';
  }

  get #site(): SiteKnowledge {
    return { boilerplate: this.#boilerplate, slots: this.#slots };
  }

  isSoft(document: Document): boolean {
    return this.#soft.isSoft(document);
  }

  async judge(url: string, image: string): Promise<Judgement> {
    const u = await this.#fetch(url, this.#samples);
    if (u.kind !== 'page') return this.#withoutPage('u', u);
    const v = await this.#fetch(image, this.#images, url);
    if (v.kind === 'unavailable') return this.#withoutPage('v', v);
    // A page found under many unrelated URLs is no evidence if the image has the same page; but a different page at the
    // image is a difference.
    const soft = this.isSoft(u.document) ? ({ kind: 'unjudged', reason: 'soft-error' } as const) : undefined;
    if (v.kind === 'missing') return soft ?? { kind: 'negative', reason: described(v), u, v };
    if (u.finalUrl === v.finalUrl) return soft ?? { kind: 'positive', document: u.document, u, v };
    if (areOtherTypes(u.type, v.type)) return { kind: 'negative', reason: OTHER_TYPE, u, v };
    const [ofU, ofV] = [
      { url: this.absolute(url), page: u },
      { url: this.absolute(image), page: v },
    ];
    switch (await this.#compare(ofU, ofV)) {
      case 'same':
      case 'alike':
        return soft ?? { kind: 'positive', document: u.document, u, v };
      case 'different':
        return { kind: 'negative', reason: this.#isForeign(u.document, v.document) ? FOREIGN : CHANGED, u, v };
      default:
        return { kind: 'unjudged', reason: 'not-comparable' };
    }
  }

  async #compare(u: PageOfUrl, v: PageOfUrl): Promise<Verdict> {
    const site = this.#site;
    let verdict = comparePages(u, v, site);
    if (verdict !== 'different' || !this.#mayBeVolatile(u.page.document, v.page.document)) return verdict;
    if (this.#isOutdated(u, v) || this.#isOutdated(v, u)) {
      [u, v] = await this.#ofOneTime(u, v);
      verdict = comparePages(u, v, site);
      if (verdict !== 'different') return verdict;
    }
    const again = await this.#askAgain(u);
    if (again === undefined) return verdict;
    // Pages fetched at the same time compare best, so the other page is fetched again too.
    const nowU = { ...u, page: again };
    for (const [one, other] of [
      [nowU, v],
      [u, v],
    ] as const) {
      const verdict = comparePages(one, other, site);
      if (verdict !== 'different') return verdict;
    }
    if (this.#second >= MAX_SECOND) return 'different';
    this.#second++;
    const page = await this.source.fetchAgain?.(v.url, this.#options.siteOf(v.url));
    if (page?.kind !== 'page') return 'different';
    const last = comparePages(nowU, { ...v, page }, site);
    // A page that differs from itself says nothing about others.
    return last === 'different' && comparePages(u, nowU, site) === 'different' ? 'unknown' : last;
  }

  /** Both pages fetched anew, if one of them is much older, as from an earlier run. */
  async #ofOneTime(u: PageOfUrl, v: PageOfUrl): Promise<[PageOfUrl, PageOfUrl]> {
    if (this.#isOutdated(u, v)) u = await this.#renewed(u);
    if (this.#isOutdated(v, u)) v = await this.#renewed(v);
    if (this.#isOutdated(u, v)) u = await this.#renewed(u);
    return [u, v];
  }

  /** A kept page beside one of this run, or of a run long after its own. */
  #isOutdated({ page }: PageOfUrl, { page: other }: PageOfUrl): boolean {
    const time = this.source.keptAt?.(page.finalUrl);
    return time !== undefined && (this.source.keptAt?.(other.finalUrl) ?? Infinity) - time > ONE_RUN_MS;
  }

  async #renewed({ url, page }: PageOfUrl): Promise<PageOfUrl> {
    const now = await this.source.renew?.(url, this.#options.siteOf(url));
    return { url, page: now?.kind === 'page' ? now : page };
  }

  /** True if the pages may prove to be alike once more is known about what is volatile. */
  #mayBeVolatile(a: Document, b: Document): boolean {
    if (a.kind !== 'text' || b.kind !== 'text' || a.packedText === undefined || b.packedText === undefined)
      return false;
    const isShort = wordCount(textOf(a) ?? '') < SHORT_WORDS && wordCount(textOf(b) ?? '') < SHORT_WORDS;
    return isShort || likenessOf(a, b) >= FOREIGN_RESEMBLANCE;
  }

  /** The page as it is now, if it has changed; also learns from it what is volatile. */
  async #askAgain({ url, page }: PageOfUrl): Promise<FoundPage | undefined> {
    const isStill = this.#changed === 0 && this.#second >= STILL_AFTER;
    const allowed = Math.min(MAX_SECOND, FIRST_SECOND + Math.floor(this.#soft.pages / PAGES_PER_SECOND));
    if (this.source.fetchAgain === undefined || isStill || this.#second >= allowed) return undefined;
    this.#second++;
    const again = await this.source.fetchAgain(url, this.#options.siteOf(url));
    if (again.kind !== 'page' || again.document.digest === page.document.digest) return undefined;
    if (again.document.kind !== 'text' || page.document.kind !== 'text') return undefined;
    const texts = [textOf(page.document), textOf(again.document)] as const;
    if (texts[0] === undefined || texts[1] === undefined) return undefined;
    const [before, now] = [withoutAges(texts[0]), withoutAges(texts[1])];
    if (before !== now) this.#changed++;
    this.#slots.learn(url, before, now);
    return again;
  }

  #isForeign(a: Document, b: Document): boolean {
    if (a.kind !== 'text' || b.kind !== 'text') return true;
    return likenessOf(a, b, this.#boilerplate) < FOREIGN_RESEMBLANCE;
  }

  #withoutPage(which: 'u' | 'v', result: Exclude<PageResult, { kind: 'page' }>): Judgement {
    if (this.#options.signal.aborted) return { kind: 'stop', reason: 'interrupted' };
    if (result.reason === 'budget') return { kind: 'stop', reason: 'budget' };
    const status = result.reason === 'status' ? result.detail : undefined;
    return { kind: 'unjudged', reason: `${which}: ${result.reason}`, ...(status !== undefined && { status }) };
  }
}

function described({ reason, detail }: { readonly reason: string; readonly detail?: string }): string {
  return detail === undefined ? reason : `${reason} ${detail}`;
}
