// What did the site say of a form and its image? Whether both are one page, and which of the two it goes by itself.
import { withoutText, type Document } from '../../sketch/document.js';
import type { Judge } from '../judge.js';
import { FOREIGN } from '../judge.js';
import type { PageResult } from '../source.js';

export type SiteWord = 'redirect' | 'canonical';

export type Answer =
  | {
      readonly kind: 'positive' | 'negative';
      readonly reason: string;
      readonly isForeign: boolean;
      /** The site goes by the image: the form redirects to it, or names it as its canonical link. */
      readonly forward: SiteWord | undefined;
      /** The site goes by the form: the image redirects to it, or names it. */
      readonly backward: SiteWord | undefined;
      /** Both pages were there and the same, whatever else speaks against the image as a name. */
      readonly isSame: boolean;
      /** The page of the form, which may turn out to be a soft error later; undefined if there was none. */
      readonly document: Document | undefined;
    }
  | { readonly kind: 'unjudged'; readonly reason: string }
  | { readonly kind: 'stop'; readonly reason: 'budget' | 'interrupted' };

/** What a page says of where it is: by redirects, or by its canonical link. */
export interface Hint {
  readonly from: string;
  readonly to: string;
  readonly word: SiteWord;
}

const UNNAMED = { kind: 'unjudged', reason: 'both redirect' } as const;

/** Asks for pairs of one site, and remembers what its pages say of their own names. */
export class Asker {
  readonly judge: Judge;
  /** Requests after which nothing more is asked. */
  limit = Infinity;
  readonly #base: string;
  readonly #answers = new Map<string, Answer>();
  readonly #hints = new Map<string, Hint>();

  constructor(judge: Judge, base: string) {
    this.judge = judge;
    this.#base = base;
  }

  get requests(): number {
    return this.judge.source.requests;
  }

  /** Everything that pages have said of their names so far. */
  hints(): readonly Hint[] {
    return [...this.#hints.values()];
  }

  async ask(form: string, image: string): Promise<Answer> {
    const key = `${form}\n${image}`;
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    if (this.requests >= this.limit) return { kind: 'stop', reason: 'budget' };
    const answer = await this.#judge(form, image);
    if (answer.kind !== 'stop') this.#answers.set(key, answer);
    return answer;
  }

  /** Notes where a URL redirects to, or which name its page has for itself. False where nothing more is asked. */
  async hear(url: string): Promise<boolean> {
    if (this.requests >= this.limit) return false;
    const page = await this.judge.fetchPage(url);
    this.#listen(url, page);
    return page.kind !== 'unavailable';
  }

  async #judge(form: string, image: string): Promise<Answer> {
    const judgement = await this.judge.judge(form, image);
    if (judgement.kind === 'stop' || judgement.kind === 'unjudged') return judgement;
    const { u, v } = judgement;
    if (u !== undefined) this.#listen(form, u);
    if (v !== undefined) this.#listen(image, v);
    const forward = this.#wordOf(u, image);
    const backward = this.#wordOf(v, form);
    const isSame = judgement.kind === 'positive';
    if (isSame && v?.kind === 'page' && v.redirects > 0) {
      // A form that redirects itself says nothing of its image as a name: neither is one.
      if (u?.kind === 'page' && u.redirects > 0 && backward === undefined) return UNNAMED;
      return {
        kind: 'negative',
        reason: 'redirects',
        isForeign: false,
        forward,
        backward,
        isSame,
        document: undefined,
      };
    }
    const reason = judgement.kind === 'positive' ? '' : judgement.reason;
    const document = judgement.kind === 'positive' ? withoutText(judgement.document) : undefined;
    return { kind: judgement.kind, reason, isForeign: reason === FOREIGN, forward, backward, isSame, document };
  }

  #wordOf(page: PageResult | undefined, other: string): SiteWord | undefined {
    if (page?.kind !== 'page') return undefined;
    const absolute = this.#absolute(other);
    if (page.redirects > 0 && page.finalUrl === absolute) return 'redirect';
    return page.canonical === absolute ? 'canonical' : undefined;
  }

  #listen(url: string, page: PageResult): void {
    if (page.kind !== 'page' || this.#hints.has(url)) return;
    if (page.redirects > 0) this.#hint(url, page.finalUrl, 'redirect');
    else if (page.canonical !== undefined) this.#hint(url, page.canonical, 'canonical');
  }

  #hint(from: string, to: string, word: SiteWord): void {
    const own =
      this.#base !== '' && to.startsWith(`${this.#base}/`) && from.startsWith('/') ? to.slice(this.#base.length) : to;
    if (own !== from) this.#hints.set(from, { from, to: own, word });
  }

  #absolute(url: string): string {
    return url.startsWith('/') ? this.#base + url : url;
  }
}
