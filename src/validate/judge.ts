// Does one sample speak for a rule (paper Figure 3, lines 7 to 12)? Fetch u and its image v and compare what they say.
import { Boilerplate, type SetAside } from '../sketch/boilerplate.js';
import type { Document } from '../sketch/document.js';
import { likenessOf, type Verdict } from '../sketch/page.js';
import { VolatileSlots } from '../sketch/volatile.js';
import { comparePages, textOf, wordCount, type PageOfUrl } from './same-page.js';
import { SoftErrors } from './soft.js';
import type { FoundPage, PageResult, PageSource } from './source.js';

type Unavailable = Extract<PageResult, { kind: 'unavailable' }>;

export type Judgement =
  /** `document` is what both say: it may turn out to be a soft error later. */
  | { readonly kind: 'positive'; readonly document: Document; readonly u: FoundPage; readonly v: FoundPage }
  /** `v` is what was found instead of the page of u. Neither is there where the answer was known without asking. */
  | {
      readonly kind: 'negative';
      readonly reason: string;
      readonly u?: FoundPage;
      readonly v?: Exclude<PageResult, Unavailable>;
    }
  | { readonly kind: 'unjudged'; readonly reason: string }
  | { readonly kind: 'stop'; readonly reason: 'budget' | 'interrupted' };

/** The reasons of a negative whose pages are both there: little or nothing in common, or only part. */
export const FOREIGN = 'different';
export const CHANGED = 'similar in part';

/** Pages below this resemblance are no two states of one page. */
const FOREIGN_RESEMBLANCE = 0.5;

/** Pages shorter than this differ by half for a line with the time of day. */
const SHORT_WORDS = 100;

// Second requests cost: so few for a site, fewer while it has few pages, and none any more where the first so many
// found every page as it was.
const MAX_SECOND = 40;
const FIRST_SECOND = 2;
const PAGES_PER_SECOND = 25;
const STILL_AFTER = 8;

export interface JudgeOptions {
  readonly source: PageSource;
  /** The site that pages have to stay in. */
  readonly siteOf: (url: string) => string;
  /** Scheme and host put before URLs that start with `/`, '' for none. */
  readonly base: string;
  readonly signal: AbortSignal;
  /** False if every page is asked for once, as the paper does. */
  readonly asksAgain?: boolean;
}

/** Judges the samples of one site, and learns from every page what its template is. */
export class Judge {
  readonly source: PageSource;
  readonly #options: JudgeOptions;
  readonly #samples = new Boilerplate();
  readonly #images = new Boilerplate();
  // Counted apart: a page and its image say the same, and what is on both would be seen twice as often as it is. A
  // printable view has no menu, and its image has one.
  readonly #boilerplate: SetAside = { has: (mark) => this.#samples.has(mark) || this.#images.has(mark) };
  readonly #soft = new SoftErrors(this.#boilerplate);
  readonly #slots = new VolatileSlots();
  /** Pages asked for a second time, and those that had changed. */
  #second = 0;
  #changed = 0;

  constructor(options: JudgeOptions) {
    this.source = options.source;
    this.#options = options;
  }

  /** Fetches a pair without a verdict, so that the template of the site is known before the first one. */
  async visit(url: string, image: string): Promise<PageResult['kind'] | 'stop'> {
    const u = await this.#fetch(url, this.#samples);
    if (u.kind !== 'page') return this.#withoutPage('u', u).kind === 'stop' ? 'stop' : u.kind;
    const v = await this.#fetch(image, this.#images);
    return v.kind === 'unavailable' && this.#withoutPage('v', v).kind === 'stop' ? 'stop' : v.kind;
  }

  /** True if the page of a URL is another one when it is asked for again: a random picture, the news of the minute. */
  async isUnsteady(url: string): Promise<boolean> {
    const absolute = this.#absolute(url);
    const site = this.#options.siteOf(absolute);
    const once = await this.source.fetch(absolute, site);
    const again = await this.source.fetchAgain?.(absolute, site);
    if (once.kind !== 'page' || again?.kind !== 'page' || once.document.digest === again.document.digest) return false;
    return this.#isForeign(once.document, again.document);
  }

  #absolute(url: string): string {
    return url.startsWith('/') ? this.#options.base + url : url;
  }

  async #fetch(url: string, boilerplate: Boilerplate): Promise<PageResult> {
    const result = await this.fetchPage(url);
    if (result.kind === 'page') boilerplate.add(result.document);
    return result;
  }

  /** The page of a URL by itself, for audits and canonical links: it counts for soft errors, and is no sample. */
  async fetchPage(url: string): Promise<PageResult> {
    const absolute = this.#absolute(url);
    const result = await this.source.fetch(absolute, this.#options.siteOf(absolute));
    if (result.kind === 'page') this.#soft.add(url, result.document);
    return result;
  }

  /** Asks for a URL that can have no page: a site that has one all the same says so to everything. */
  async learnNonsense(url: string): Promise<void> {
    const absolute = this.#absolute(url);
    const result = await this.source.fetch(absolute, this.#options.siteOf(absolute));
    // The page that a site sends everybody to, such as its homepage, is a page.
    if (result.kind === 'page' && result.redirects === 0) this.#soft.addNonsense(result.document);
  }

  isSoft(document: Document): boolean {
    return this.#soft.isSoft(document);
  }

  async judge(url: string, image: string): Promise<Judgement> {
    const u = await this.#fetch(url, this.#samples);
    if (u.kind !== 'page') return this.#withoutPage('u', u);
    const v = await this.#fetch(image, this.#images);
    if (v.kind === 'unavailable') return this.#withoutPage('v', v);
    // A page that many unrelated URLs have proves nothing by being the same; but another page behind the image is
    // another page.
    const soft = this.isSoft(u.document) ? ({ kind: 'unjudged', reason: 'soft-error' } as const) : undefined;
    if (v.kind === 'missing') return soft ?? { kind: 'negative', reason: described(v), u, v };
    if (u.finalUrl === v.finalUrl) return soft ?? { kind: 'positive', document: u.document, u, v };
    const [ofU, ofV] = [
      { url: this.#absolute(url), page: u },
      { url: this.#absolute(image), page: v },
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
    const site = { boilerplate: this.#boilerplate, slots: this.#slots };
    const verdict = comparePages(u, v, site);
    if (verdict !== 'different' || !this.#mayBeVolatile(u.page.document, v.page.document)) return verdict;
    const again = await this.#askAgain(u);
    if (again === undefined) return verdict;
    // What was asked for at the same time is the best there is to compare: so the other page is asked for again as
    // well.
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
    // A page that is not like itself tells nothing of others.
    return last === 'different' && comparePages(u, nowU, site) === 'different' ? 'unknown' : last;
  }

  /** Pages of which something may be left in common, once more is known of what changes. */
  #mayBeVolatile(a: Document, b: Document): boolean {
    if (a.kind !== 'text' || b.kind !== 'text' || a.packedText === undefined || b.packedText === undefined)
      return false;
    const isShort = wordCount(textOf(a) ?? '') < SHORT_WORDS && wordCount(textOf(b) ?? '') < SHORT_WORDS;
    return isShort || likenessOf(a, b) >= FOREIGN_RESEMBLANCE;
  }

  /** The page as it is now, if that is another one than before; teaches what is volatile. */
  async #askAgain({ url, page }: PageOfUrl): Promise<FoundPage | undefined> {
    const isStill = this.#changed === 0 && this.#second >= STILL_AFTER;
    const allowed = Math.min(MAX_SECOND, FIRST_SECOND + Math.floor(this.#soft.pages / PAGES_PER_SECOND));
    if (this.#options.asksAgain === false || this.source.fetchAgain === undefined || isStill || this.#second >= allowed)
      return undefined;
    this.#second++;
    const again = await this.source.fetchAgain(url, this.#options.siteOf(url));
    if (again.kind !== 'page' || again.document.digest === page.document.digest) return undefined;
    if (again.document.kind !== 'text' || page.document.kind !== 'text') return undefined;
    const [before, now] = [textOf(page.document), textOf(again.document)];
    if (before === undefined || now === undefined) return undefined;
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
    return { kind: 'unjudged', reason: `${which}: ${result.reason}` };
  }
}

function described({ reason, detail }: { readonly reason: string; readonly detail?: string }): string {
  return detail === undefined ? reason : `${reason} ${detail}`;
}
