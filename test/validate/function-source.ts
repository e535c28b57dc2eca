// A site that fits into a test: a function from URL to what the site says of it.
import { documentOf } from '../../src/sketch/page.js';
import type { PageResult, PageSource } from '../../src/validate/source.js';

export type Said =
  /** The name of a page, of 60 words that follow from it. */
  | string
  /** A status that is not a page. */
  | number
  | { readonly redirect: string }
  /** Nothing: an archive lacks it. */
  | null
  | { readonly page: string; readonly canonical?: string; readonly text?: string };

export type FunctionSite = (url: string) => Said;

/** Pages of 60 words that follow from a name: different names, nothing in common. */
export function wordsOf(name: string): string {
  return Array.from({ length: 60 }, (_, k) => `${name}${k}`).join(' ');
}

export class FunctionSource implements PageSource {
  readonly name: 'live' | 'warc';
  /** Every request, again ones too. */
  readonly asked: string[] = [];
  readonly #site: FunctionSite;
  readonly #budget: number;
  readonly #known = new Map<string, PageResult>();

  constructor(site: FunctionSite, budget = Infinity, name: 'live' | 'warc' = 'live') {
    this.#site = site;
    this.#budget = budget;
    this.name = name;
  }

  get requests(): number {
    return this.asked.length;
  }

  async fetch(url: string): Promise<PageResult> {
    const known = this.#known.get(url);
    if (known !== undefined) return known;
    const result = await this.fetchAgain(url);
    if (result.kind !== 'unavailable') this.#known.set(url, result);
    return result;
  }

  async fetchAgain(url: string): Promise<PageResult> {
    let at = url;
    for (let redirects = 0; redirects <= 5; redirects++) {
      if (this.requests >= this.#budget) return { kind: 'unavailable', reason: 'budget' };
      const said = this.#site(at);
      if (said === null) return { kind: 'unavailable', reason: 'not-archived', detail: at };
      this.asked.push(at);
      if (typeof said === 'number') return { kind: 'missing', reason: 'status', detail: String(said) };
      if (typeof said === 'object' && 'redirect' in said) {
        at = said.redirect;
        continue;
      }
      const { page, canonical, text } = typeof said === 'string' ? { page: said } : said;
      const document = documentOf(Buffer.from(text ?? wordsOf(page)), 'text/plain');
      return { kind: 'page', document, finalUrl: at, redirects, ...(canonical !== undefined && { canonical }) };
    }
    return { kind: 'missing', reason: 'redirect-loop' };
  }

  refusal(): undefined {
    return undefined;
  }

  async close(): Promise<void> {}
}
