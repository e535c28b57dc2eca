// What did the site say about a form and its image? Whether both are one page, and which of the two it uses itself.
import { withoutText, type Document } from '../../sketch/document.js';
import type { Judge } from '../judge.js';
import type { Heard } from './own-redirects.js';
import { partsOf } from './parts.js';
import { FOREIGN, OTHER_TYPE } from '../judge.js';
import { BOTH_REDIRECT, siteWordOf, UNSAID, type SiteWord } from '../site-word.js';
import type { PageResult } from '../source.js';

export type { SiteWord };

export type Answer =
  | {
      readonly kind: 'positive' | 'negative';
      readonly reason: string;
      readonly isForeign: boolean;
      /** The site prefers the image: the form redirects to it, or names it in its canonical link. */
      readonly forward: SiteWord | undefined;
      /** The site prefers the form: the image redirects to it, or names it. */
      readonly backward: SiteWord | undefined;
      /** Both pages exist and are the same, whatever else speaks against the image as a canonical form. */
      readonly isSame: boolean;
      /** The page of the form, which may later prove to be a soft error; undefined if there was none. */
      readonly document: Document | undefined;
    }
  | { readonly kind: 'unjudged'; readonly reason: string }
  | { readonly kind: 'stop'; readonly reason: 'budget' | 'interrupted' };

/** A URL that a page names as its own, by a redirect or by its canonical link. */
export interface Hint {
  readonly from: string;
  readonly to: string;
  readonly word: SiteWord;
}

export interface Anew {
  readonly since: number;
  /** True if equal pages are not enough: the site itself must prefer the image. */
  readonly needsWord: boolean;
}

/** An archive, or the log, lacks the page of the image. */
export const IMAGE_UNKNOWN = 'v: not-archived';

/** Form and image redirect to a third URL: inserting text gains nothing there, and does no harm. */
export const ELSEWHERE = 'leads elsewhere';

/** Requests that a tour leaves unspent: for the probes of the rule, without which it is not accepted. */
const KEPT_BY_TOUR = 16;

const MOVED = {
  kind: 'negative',
  reason: 'redirects',
  isForeign: false,
  forward: undefined,
  backward: undefined,
  isSame: false,
  document: undefined,
} as const satisfies Answer;
const UNNAMED = { kind: 'unjudged', reason: BOTH_REDIRECT } as const;
const LED_ELSEWHERE: Answer = { ...MOVED, reason: ELSEWHERE, isSame: true };

/** Fetches and compares pairs of one site, and collects the hints of its pages. */
export class Asker {
  readonly judge: Judge;
  /** The number of requests at which asking stops, answers of earlier runs included. */
  limit = Infinity;
  /** The number of new requests at which asking stops. */
  newLimit = Infinity;
  readonly #base: string;
  /** URLs that the log has only as redirects. */
  readonly #moved: ReadonlySet<string>;
  readonly #spent: () => number;
  readonly #answers = new Map<string, Answer>();
  readonly #fields = new Set<string>();
  readonly #boxes = new Set<string>();
  readonly #mattering = new Set<string>();
  readonly #hints = new Map<string, Hint>();
  /** Pages that were found, with where their URLs redirected to. */
  readonly #heard = new Map<string, Heard>();

  constructor(judge: Judge, base: string, moved: readonly string[] = [], spent = () => 0) {
    this.judge = judge;
    this.#base = base;
    this.#spent = spent;
    this.#moved = new Set(moved);
  }

  get requests(): number {
    return this.judge.source.requests;
  }

  get isSpent(): boolean {
    return this.requests >= this.limit || this.#spent() >= this.newLimit;
  }

  /** How many pairs can be asked within the limit for certain, with some requests left for what follows. */
  get pairsLeft(): number {
    return Math.max(0, Math.floor((this.limit - this.requests - KEPT_BY_TOUR) / 2));
  }

  /** All hints collected so far. */
  hints(): readonly Hint[] {
    return [...this.#hints.values()];
  }

  heard(): Iterable<Heard> {
    return this.#heard.values();
  }

  /** True if an HTML form on some page sends a field of this name. */
  isSent(name: string): boolean {
    return this.#fields.has(name);
  }

  /** True if visitors check a box of this name in a form on some page. */
  isBox(name: string): boolean {
    return this.#boxes.has(name);
  }

  /** True if removing a field of this name, alone or with others, led to another page. */
  matters(name: string): boolean {
    return this.#mattering.has(name);
  }

  /** True if this pair can be asked without a request. */
  knows(form: string, image: string): boolean {
    return this.#answers.has(keyOf(form, image));
  }

  /** The page of a form that was judged with this image. */
  documentOf(form: string, image: string): Document | undefined {
    const answer = this.#answers.get(keyOf(form, image));
    return answer?.kind === 'positive' ? answer.document : undefined;
  }

  /** True if the log has this URL only as a redirect. */
  isMoved(url: string): boolean {
    return this.#moved.has(url);
  }

  async ask(form: string, image: string): Promise<Answer> {
    const key = keyOf(form, image);
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    if (this.isSpent) return { kind: 'stop', reason: 'budget' };
    const answer = await this.#judge(form, image);
    if (answer.kind !== 'stop') this.#answers.set(key, answer);
    return answer;
  }

  /** Works like `ask` or `askForWord`, with pages that are not older than `since` (milliseconds since 1970). */
  async askAnew(form: string, image: string, { since, needsWord }: Anew): Promise<Answer> {
    this.#answers.delete(keyOf(form, image));
    this.judge.freshSince = since;
    const answer = await (needsWord ? this.askForWord(form, image) : this.ask(form, image));
    this.judge.freshSince = undefined;
    return answer;
  }

  /**
   * The same for a rule that inserts text: equal pages are not enough, the site must redirect to the image or name it.
   * A form that redirects or names something else counts against the rule, whatever the page of the image is.
   */
  async askForWord(form: string, image: string): Promise<Answer> {
    const answer = await this.ask(form, image);
    if (answer.kind === 'positive' && answer.forward === undefined)
      return { ...answer, kind: 'negative', reason: UNSAID };
    if (answer.kind !== 'unjudged') return answer;
    const page = await this.judge.fetchPage(form);
    if (page.kind !== 'page' || this.#wordOf(page, image) !== undefined) return answer;
    return answer === UNNAMED ? LED_ELSEWHERE : { ...MOVED, reason: UNSAID };
  }

  /** Records where a URL redirects to, or which URL its canonical link names. False if the limit is reached. */
  async hear(url: string): Promise<boolean> {
    if (this.isSpent) return false;
    const page = await this.judge.fetchPage(url);
    this.#listen(url, page);
    return page.kind !== 'unavailable';
  }

  async #judge(form: string, image: string): Promise<Answer> {
    const judgement = await this.judge.judge(form, image);
    // The archive lacks the image, but the log may have it as a redirect.
    if (judgement.kind === 'unjudged' && judgement.reason === IMAGE_UNKNOWN && this.#moved.has(image)) return MOVED;
    if (judgement.kind === 'stop' || judgement.kind === 'unjudged') return judgement;
    const { u, v } = judgement;
    if (u !== undefined) this.#listen(form, u);
    if (v !== undefined) this.#listen(image, v);
    const forward = this.#wordOf(u, image);
    const backward = this.#wordOf(v, form);
    const isSame = judgement.kind === 'positive';
    if (isSame && v?.kind === 'page' && v.redirects > 0) {
      // Both URLs redirect, so neither is canonical, and this says nothing about the rule.
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
    if (!isSame) for (const name of droppedNames(form, image)) this.#mattering.add(name);
    const reason = judgement.kind === 'positive' ? '' : judgement.reason;
    const document = judgement.kind === 'positive' ? withoutText(judgement.document) : undefined;
    return {
      kind: judgement.kind,
      reason,
      isForeign: reason === FOREIGN || reason === OTHER_TYPE,
      forward,
      backward,
      isSame,
      document,
    };
  }

  #wordOf(page: PageResult | undefined, other: string): SiteWord | undefined {
    return siteWordOf(page, this.#absolute(other));
  }

  #listen(url: string, page: PageResult): void {
    if (page.kind !== 'page') return;
    for (const name of page.controls?.fields ?? []) this.#fields.add(name);
    for (const name of page.controls?.boxes ?? []) this.#boxes.add(name);
    this.#heard.set(url, { from: url, redirect: page.redirects > 0 ? this.#asIn(url, page.finalUrl) : undefined });
    if (this.#hints.has(url)) return;
    if (page.redirects > 0) this.#hint(url, page.finalUrl, 'redirect');
    else if (page.canonical !== undefined) this.#hint(url, page.canonical, 'canonical');
  }

  #hint(from: string, to: string, word: SiteWord): void {
    const own = this.#asIn(from, to);
    if (own !== from) this.#hints.set(from, { from, to: own, word });
  }

  /** The absolute URL `to` as a list that has `from` would have it: without the base, if the list has paths. */
  #asIn(from: string, to: string): string {
    return this.#base !== '' && to.startsWith(`${this.#base}/`) && from.startsWith('/')
      ? to.slice(this.#base.length)
      : to;
  }

  #absolute(url: string): string {
    return url.startsWith('/') ? this.#base + url : url;
  }
}

/** Names that the form has and the image lacks; none if their paths differ. */
function droppedNames(form: string, image: string): string[] {
  if (form.split('?', 1)[0] !== image.split('?', 1)[0]) return [];
  const kept = new Set(partsOf(image).fields.map(({ name }) => name));
  return partsOf(form).fields.flatMap(({ name }) => (kept.has(name) ? [] : [name]));
}

function keyOf(form: string, image: string): string {
  return `${form}\n${image}`;
}
