// Does one sample speak for a rule (paper Figure 3, lines 7 to 12)? Fetch u and its image v and compare what they say.
import { Boilerplate, type SetAside } from '../sketch/boilerplate.js';
import { compareDocuments, likenessOf } from '../sketch/page.js';
import type { Document } from '../sketch/document.js';
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

export interface JudgeOptions {
  readonly source: PageSource;
  /** The site that pages have to stay in. */
  readonly siteOf: (url: string) => string;
  /** Scheme and host put before URLs that start with `/`, '' for none. */
  readonly base: string;
  readonly signal: AbortSignal;
}

/** Judges the samples of one site, and learns from every page what its template is. */
export class Judge {
  readonly source: PageSource;
  readonly #options: JudgeOptions;
  readonly #samples = new Boilerplate();
  readonly #images = new Boilerplate();
  // Counted apart: a page and its image say the same, and what is on both would be seen twice as often as it is. A printable
  // view has no menu, and its image has one.
  readonly #boilerplate: SetAside = { has: (mark) => this.#samples.has(mark) || this.#images.has(mark) };
  readonly #soft = new SoftErrors(this.#boilerplate);

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

  isSoft(document: Document): boolean {
    return this.#soft.isSoft(document);
  }

  async judge(url: string, image: string): Promise<Judgement> {
    const u = await this.#fetch(url, this.#samples);
    if (u.kind !== 'page') return this.#withoutPage('u', u);
    const v = await this.#fetch(image, this.#images);
    if (this.isSoft(u.document) && !this.#isAnother(u, v)) return { kind: 'unjudged', reason: 'soft-error' };
    if (v.kind === 'missing') return { kind: 'negative', reason: described(v), u, v };
    if (v.kind === 'unavailable') return this.#withoutPage('v', v);
    if (u.finalUrl === v.finalUrl) return { kind: 'positive', document: u.document, u, v };
    switch (compareDocuments(u.document, v.document, this.#boilerplate)) {
      case 'same':
      case 'alike':
        return { kind: 'positive', document: u.document, u, v };
      case 'different':
        return { kind: 'negative', reason: this.#isForeign(u.document, v.document) ? FOREIGN : CHANGED, u, v };
      default:
        return { kind: 'unjudged', reason: 'not-comparable' };
    }
  }

  /** A page that many unrelated URLs have proves nothing by being the same; another page behind the image is another page. */
  #isAnother(u: FoundPage, v: PageResult): boolean {
    return v.kind === 'page' && compareDocuments(u.document, v.document, this.#boilerplate) === 'different';
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
