// Sites with parameters of known meaning: neutral ones, and traps. As in planted.ts every URL is a name of a document,
// and everything depends on the seed.
//
//   neutral                                     with a meaning
//   sid        500 values on one page           page=, id=    a series, sizes of their own
//   utm_*      several at once, often           lang=         the translation is a little longer
//   jsessionid in the path                      print=1       the printable view is shorter
//   ref        under /product                   ref           under /compare
//   v          on www., on one of two hosts     v             on the other
//   sort       equal sizes, other content: only fetching shows it (`looksNeutral`)
//   step       forms of one size: what chance alone can show
//   nonce      a random picture: sizes vary, so the log says it matters
import { seededRandom } from './planted.js';
import type { TwinUrl } from './twin.js';

export interface PlantedParameter {
  readonly name: string;
  readonly scope: 'site' | 'prefix' | 'path';
  readonly path: string;
  /** False for a parameter that has a meaning there. */
  readonly isNeutral: boolean;
  /** True if that cannot be seen from sizes. */
  readonly looksNeutral: boolean;
  /** Only right with this action. */
  readonly action?: 'remove' | 'set';
}

export interface ParameterSite {
  readonly urls: readonly TwinUrl[];
  readonly truth: readonly PlantedParameter[];
  /** The document that each URL names. */
  readonly documents: ReadonlyMap<string, number>;
}

export interface ParameterSiteOptions {
  readonly pages?: number;
  readonly hosts?: boolean;
  /** How often, at most, a page changed its size while the log was written. */
  readonly edits?: number;
}

export function plantedParameters(seed: number, options: ParameterSiteOptions = {}): ParameterSite {
  const { pages = 60, hosts = false, edits = 1 } = options;
  const random = seededRandom(seed);
  const site = new Site(random, edits, hosts ? 'http://www.example.com' : '');
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)]!;
  const token = () => Math.floor(random() * 2 ** 32).toString(36);

  // Articles, with and without campaign parameters.
  const sources = ['news', 'mail', 'social'];
  for (let k = 0; k < pages; k++) {
    const article = site.document(3_000, 60_000);
    const path = `/articles/${token()}.html`;
    site.name(article, path);
    for (const source of sources) {
      if (random() < 0.3) site.name(article, `${path}?utm_source=${source}&utm_medium=${pick(['cpc', 'web'])}`);
      if (random() < 0.2) site.name(article, `${path}?utm_source=${source}`);
      if (random() < 0.1) site.name(article, `${path}?&utm_medium=${source}`);
    }
    if (k % 20 === 0) site.name(article, `${path}?=`);
    if (k % 20 === 0) site.name(article, `${path}?a&a=`);
  }
  // A forum: sessions, and pages of topics. One page has 500 sessions.
  for (let k = 0; k < pages; k++) {
    const topic = `/forum/topic.php?t=${100 + 3 * k}`;
    for (let page = 1; page <= 1 + Math.floor(random() * 3); page++) {
      const document = site.document(6_000, 25_000);
      const url = page === 1 ? topic : `${topic}&page=${page}`;
      if (random() < 0.5) site.name(document, url);
      for (let session = 0; session < Math.floor(random() * 4); session++) site.name(document, `${url}&sid=${token()}`);
    }
  }
  const index = site.document(9_000, 9_500);
  for (let session = 0; session < 500; session++) site.name(index, `/forum/index.php?sid=${token()}`);
  // A shop: sessions in the path, sort orders of a list, printable views, a number that is the content.
  for (let k = 0; k < pages; k++) {
    const item = site.document(3_000, 30_000);
    const url = `/shop/item${pick(['.jsp', ''])};jsessionid=${token().toUpperCase()}?id=${k}`;
    site.name(item, url);
    site.name(item, url.replace(/;jsessionid=\w+/, pick(['', `;jsessionid=${token().toUpperCase()}`])));
    const list = site.document(3_000, 30_000);
    for (const sort of ['', '&sort=asc', '&sort=desc']) {
      // The same rows in another order: the same length, but not the same page.
      if (random() < 0.8) site.nameLike(list, sort, `/shop/list?cat=c${token()}x${k}`.replace(/c\w+x/, 'c') + sort);
    }
    const page = site.document(5_000, 30_000);
    site.name(page, `/shop/info?item=${k}`);
    if (random() < 0.6) site.name(site.like(page, 0.7), `/shop/info?item=${k}&print=1`);
    const english = site.document(4_000, 30_000);
    const about = `/help/${token()}`;
    site.name(english, `${about}?lang=en`);
    for (const [lang, longer] of [
      ['de', 1.12],
      ['fr', 1.15],
    ] as const) {
      if (random() < 0.7) site.name(site.like(english, longer), `${about}?lang=${lang}`);
    }
  }
  // `ref` is the page that a reader came from, but on comparisons the product to compare with.
  for (let k = 0; k < pages; k++) {
    const product = site.document(3_000, 30_000);
    for (const ref of ['home', 'search', 'mail', 'ad']) {
      if (random() < 0.5) site.name(product, `/product/view?id=${k}&ref=${ref}`);
      if (random() < 0.5) site.name(site.document(3_000, 30_000), `/compare/view?id=${k}&ref=${ref}`);
    }
  }
  for (let k = 0; k < pages; k++) {
    const picture = `/img/chart?c=${k}`;
    for (let n = 0; n < 3; n++)
      if (random() < 0.7) site.name(site.document(10_000, 40_000), `${picture}&nonce=${token()}`);
  }
  // Forms nearly all have one size, whatever the step: they look the same, but no more than other forms do.
  for (let k = 0; k < pages; k++) {
    for (const step of [1, 2]) {
      const form = random() < 0.85 ? site.document(4_321, 4_322) : site.document(3_000, 6_000);
      site.name(form, `/wizard/form?user=${k}&step=${step}`);
    }
  }
  if (hosts) {
    for (let k = 0; k < pages; k++) {
      const page = site.document(3_000, 30_000);
      for (const v of [1, 2, 3]) {
        if (random() < 0.7) site.name(page, `/page/${k}.html?v=${v}`);
        if (random() < 0.7) site.name(site.document(3_000, 30_000), `http://archive.example.com/page/${k}.html?v=${v}`);
      }
    }
  }
  const host = hosts ? '//www.example.com' : '';
  const planted = (name: string, isNeutral: boolean, more: Partial<PlantedParameter> = {}): PlantedParameter => ({
    name,
    scope: 'site',
    path: '',
    isNeutral,
    looksNeutral: isNeutral,
    ...more,
  });
  const truth = [
    planted('utm_source', true),
    planted('utm_medium', true),
    planted('sid', true),
    planted('jsessionid', true),
    planted('ref', true, { scope: 'prefix', path: `${host}/product/` }),
    planted('ref', false, { scope: 'prefix', path: `${host}/compare/` }),
    ...['page', 'id', 'print', 'lang', 'nonce', 't', 'cat', 'item', 'c', 'step'].map((name) => planted(name, false)),
    planted('sort', false, { looksNeutral: true }),
    ...(hosts ? [planted('v', true, { scope: 'prefix', path: `${host}/` })] : []),
  ];
  return site.finish(truth);
}

interface Document {
  readonly id: number;
  readonly sizes: readonly number[];
}

class Site {
  readonly #random: () => number;
  readonly #edits: number;
  readonly #origin: string;
  readonly #names = new Map<string, { readonly document: number; readonly min: number; readonly max: number }>();
  #documents = 0;
  readonly #like = new Map<string, number>();

  constructor(random: () => number, edits: number, origin: string) {
    this.#random = random;
    this.#edits = edits;
    this.#origin = origin;
  }

  document(least: number, most: number): Document {
    const first = least + Math.floor(this.#random() * (most - least));
    const growth = Math.floor(first * 0.01 * this.#random());
    const edits = Math.floor(this.#random() * this.#edits);
    return { id: this.#documents++, sizes: Array.from({ length: 1 + edits }, (_, k) => first + k * growth) };
  }

  like({ sizes }: Document, factor: number): Document {
    return { id: this.#documents++, sizes: sizes.map((size) => Math.round(size * factor)) };
  }

  /** Seen once or twice: with one or two of the sizes that the document had. */
  name({ id, sizes }: Document, name: string): void {
    const url = name.startsWith('/') ? this.#origin + name : name;
    if (this.#names.has(url)) return;
    const seen = [0, 1].map(() => sizes[Math.floor(this.#random() * sizes.length)]!);
    this.#names.set(url, { document: id, min: Math.min(...seen), max: Math.max(...seen) });
  }

  /** A document of its own for each `variant` of one, of the same length. */
  nameLike(document: Document, variant: string, name: string): void {
    const key = `${document.id} ${variant}`;
    if (!this.#like.has(key)) this.#like.set(key, this.#documents++);
    this.name({ ...document, id: this.#like.get(key)! }, name);
  }

  finish(truth: readonly PlantedParameter[]): ParameterSite {
    const urls = [...this.#names].map(([url, { min, max }]) => (this.#random() < 0.05 ? { url } : { url, min, max }));
    return { urls, truth, documents: new Map([...this.#names].map(([url, { document }]) => [url, document])) };
  }
}
