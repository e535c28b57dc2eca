// The parts of the planted live site: sections, each a kind of dust or a trap, which can be selected by name. A section
// lists the URLs of its k-th document, and defines what the server answers; the truth of a URL is that answer.
import type { PageView } from './live-site-text.js';

export type Answer =
  | { readonly kind: 'page'; readonly view: PageView; readonly delay?: 'slow' | 'busy' }
  | { readonly kind: 'picture'; readonly id: string }
  /** Different bytes each time. */
  | { readonly kind: 'random picture'; readonly id: string }
  /** `to` begins with `/`, or is absolute and leaves the site. */
  | { readonly kind: 'redirect'; readonly status: 301 | 302; readonly to: string }
  /** Status 200, and the same page for very many URLs: not a document. */
  | { readonly kind: 'soft'; readonly view: PageView }
  | { readonly kind: 'missing' };

/** A parsed request. `www` stands also for the twin host without `www.`. */
export interface Asked {
  readonly host: 'www' | 'forum' | 'soft';
  /** Without path parameters. */
  readonly path: string;
  readonly query: string | undefined;
  /** First value of a field of the query; '' for a bare name. */
  get(name: string): string | undefined;
}

export interface Section {
  /** Its share of the documents, relative to the others. */
  readonly weight: number;
  /**
   * Targets of the k-th document, `/…` on www, or with `bare`, `forum` or `soft` before it. The first is always listed.
   */
  forms(k: number, random: () => number): readonly string[];
  answer(asked: Asked, count: number): Answer | undefined;
}

const FIRST = 100;

/** The number of a document from `text`, or undefined if there is no such document. */
function known(text: string | undefined, count: number): number | undefined {
  if (text === undefined || !/^[1-9]\d{0,8}$/.test(text)) return undefined;
  const k = Number(text) - FIRST;
  return k >= 0 && k < count ? k : undefined;
}

function page(view: PageView): Answer {
  return { kind: 'page', view };
}

function hex(random: () => number, digits: number): string {
  return Array.from({ length: digits }, () => Math.floor(random() * 16).toString(16)).join('');
}

interface Names {
  /** One expression for a path, with the number in its first group. */
  readonly path?: RegExp;
  /** A path that has the number in a field of the query. */
  readonly field?: readonly [path: string, name: string];
}

function numberOf(asked: Asked, { path, field }: Names, count: number): number | undefined {
  const inPath = path?.exec(asked.path)?.[1];
  if (inPath !== undefined) return known(inPath, count);
  return field !== undefined && asked.path === field[0] ? known(asked.get(field[1]), count) : undefined;
}

type Forms = (n: number, random: () => number, k: number) => readonly string[];

function onWww(forms: Forms, answer: Section['answer'], weight = 1): Section {
  return {
    weight,
    forms: (k, random) => forms(FIRST + k, random, k),
    answer: (asked, count) => (asked.host === 'www' ? answer(asked, count) : undefined),
  };
}

/** A section on www whose names all have the number of the document, which is passed to `answer`. */
function section(
  forms: Forms,
  names: Names,
  answer: (k: number, asked: Asked) => Answer | undefined,
  weight = 1,
): Section {
  const answerOf = (asked: Asked, count: number) => {
    const k = numberOf(asked, names, count);
    return k === undefined ? undefined : answer(k, asked);
  };
  return onWww(forms, answerOf, weight);
}

const sorts = ['C=N;O=A', 'C=N;O=D', 'C=M;O=A', 'C=M;O=D', 'C=S;O=A', 'C=S;O=D'];

export const sections = {
  story: section(
    (n) => [`/news/story?id=${n}`, `/news/story_${n}`],
    { path: /^\/news\/story_(\d+)$/, field: ['/news/story', 'id'] },
    (k) => page({ id: `story-${k}` }),
    3,
  ),
  index: section(
    (n) => [`/docs/f${n}/`, `/docs/f${n}/index.html`],
    { path: /^\/docs\/f(\d+)\/(?:index\.html)?$/ },
    (k) => page({ id: `folder-${k}` }),
    3,
  ),
  slash: section(
    (n) => [`/pub/${n}`, `/pub/${n}/`],
    { path: /^\/pub\/(\d+)\/?$/ },
    (k) => page({ id: `pub-${k}` }),
  ),
  /** Two hosts with the same pages: this section, and some URLs of every other section. */
  twin: section(
    (n) => [`/plain/${n}.html`, `bare/plain/${n}.html`],
    { path: /^\/plain\/(\d+)\.html$/ },
    (k) => page({ id: `plain-${k}` }),
  ),
  question: onWww(
    (n) => [`/archive/title.php3?${n}`, `/archive/title?${n}`],
    ({ path, query }, count) => {
      const k = /^\/archive\/title(?:\.php3)?$/.test(path) ? known(query, count) : undefined;
      return k === undefined ? undefined : page({ id: `title-${k}` });
    },
  ),
  /** Neutral everywhere: this section, and some URLs of every other section. */
  tracking: section(
    (n, random) => [`/note/${n}`, ...['a', 'b'].map((letter) => `/note/${n}?utm_source=${letter}${hex(random, 3)}`)],
    { path: /^\/note\/(\d+)$/ },
    (k) => page({ id: `note-${k}` }),
  ),
  session: section(
    (n, random) => [
      `/board/topic.php?t=${n}`,
      ...[1, 2, 3].map(() => `/board/topic.php?t=${n}&sid=${hex(random, 16)}`),
    ],
    { field: ['/board/topic.php', 't'] },
    (k) => page({ id: `topic-${k}` }),
    2,
  ),
  jsessionid: section(
    (n, random) => [
      `/shop/item.jsp?item=${n}`,
      ...[1, 2].map(() => `/shop/item.jsp;jsessionid=${hex(random, 16).toUpperCase()}?item=${n}`),
    ],
    { field: ['/shop/item.jsp', 'item'] },
    (k) => page({ id: `item-${k}` }),
  ),
  /** `ref` is the page a visitor came from under /product, and a product to compare with under /compare. */
  ref: onWww(
    (n, random) => {
      const refs = ['', '&ref=home', '&ref=mail', `&ref=${hex(random, 4)}`];
      const others = [FIRST, FIRST + 1, FIRST + 2];
      return [
        ...refs.map((ref) => `/product/view?id=${n}${ref}`),
        ...others.map((other) => `/compare/view?id=${n}&ref=${other}`),
      ];
    },
    (asked, count) => {
      const k = known(asked.get('id'), count);
      if (k === undefined) return undefined;
      if (asked.path === '/product/view') return page({ id: `product-${k}` });
      if (asked.path !== '/compare/view') return undefined;
      return page({ id: `compare-${k}-${asked.get('ref') ?? 'nothing'}`, ownBytes: 1500 });
    },
    2,
  ),
  autoindex: section(
    (n) => [`/files/${n}/`, ...sorts.map((sort) => `/files/${n}/?${sort}`)],
    { path: /^\/files\/(\d+)\/$/ },
    (k, { query }) => {
      const at = Math.max(0, sorts.indexOf(query ?? ''));
      return page({ id: `files-${k}`, order: { lines: 12 + (k % 9), shift: (at >> 1) * 5, backwards: at % 2 === 1 } });
    },
  ),
  page: section(
    (n) => [`/list/${n}`, ...[1, 2, 3].map((number) => `/list/${n}?page=${number}`)],
    { path: /^\/list\/(\d+)$/ },
    (k, asked) => page({ id: `list-${k}-${asked.get('page') ?? '1'}`, ownBytes: 1400 }),
  ),
  sort: section(
    (n) => [`/catalog/${n}`, ...['asc', 'desc', 'price'].map((by) => `/catalog/${n}?sort=${by}`)],
    { path: /^\/catalog\/(\d+)$/ },
    (k, asked) => {
      const by = asked.get('sort');
      const order = { lines: 10 + (k % 7), shift: by === 'price' ? 4 : 0, backwards: by === 'desc' };
      return page({ id: `catalog-${k}`, order });
    },
  ),
  print: section(
    (n) => [`/article/${n}`, `/article/${n}?print=1`],
    { path: /^\/article\/(\d+)$/ },
    (k, asked) => page({ id: `article-${k}`, isPrint: asked.get('print') === '1' }),
  ),
  lang: section(
    (n) => [`/guide/${n}`, `/guide/${n}?lang=en`, `/guide/${n}?lang=da`],
    { path: /^\/guide\/(\d+)$/ },
    (k, asked) => page({ id: `guide-${k}-${asked.get('lang') === 'da' ? 'da' : 'en'}`, ownBytes: 1000 + k }),
  ),
  /** `/a?id=` → `/a_` holds on www; on the forum it leads to another story of the same length. */
  'host-rule': {
    weight: 2,
    forms: (k) => {
      const n = FIRST + k;
      return [`/a_${n}`, `/a?id=${n}`, ...(k % 4 === 0 ? [`forum/a_${n}`, `forum/a?id=${n}`] : [])];
    },
    answer(asked, count) {
      const k = numberOf(asked, { path: /^\/a_(\d+)$/, field: ['/a', 'id'] }, count);
      if (k === undefined || asked.host === 'soft') return undefined;
      if (asked.host === 'www') return page({ id: `a-${k}`, ownBytes: 1200 });
      return page({ id: asked.path === '/a' ? `forum-thread-${k}` : `forum-story-${k}`, ownBytes: 1200 });
    },
  },
  /**
   * Every eighth document has a short alias, and the log has those: `people/` → `~` is likely, and mostly 404. `~` →
   * `people/` holds.
   */
  'shrinking-404': section(
    (n, _, k) => [`/people/p${n}.html`, ...(k % 8 === 0 ? [`/~p${n}.html`] : [])],
    { path: /^\/(?:people\/|~)p(\d+)\.html$/ },
    (k, { path }) => (path.startsWith('/~') && k % 8 > 0 ? undefined : page({ id: `people-${k}` })),
    2,
  ),
  /** Right except for every tenth document. */
  ninety: section(
    (n) => [`/old/${n}.html`, `/new/${n}.html`],
    { path: /^\/(?:old|new)\/(\d+)\.html$/ },
    (k, { path }) => page({ id: k % 10 === 9 && path.startsWith('/old') ? `old-${k}` : `new-${k}`, ownBytes: 1600 }),
    2,
  ),
  /** The same size, and different content. */
  series: section(
    (n, _, k) => [k % 2 === 0 ? `/course/lect${n}` : `/pics/pic-${n}`],
    { path: /^\/(?:course\/lect|pics\/pic-)(\d+)$/ },
    (k, { path }) => {
      if (path.startsWith('/pics') !== (k % 2 === 1)) return undefined;
      return k % 2 === 0 ? page({ id: `lect-${k}`, ownBytes: 1800 }) : { kind: 'picture', id: `pic-${k}` };
    },
  ),
  /** A host that has a page for everything: under it every rule looks right. */
  'soft-404': {
    weight: 2,
    forms: (k) => [`soft/item/${FIRST + k}`, `soft/item/${FIRST + k}.html`, `soft/view?item=${FIRST + k}`],
    answer(asked, count) {
      if (asked.host !== 'soft') return undefined;
      const k = asked.path === '/' ? -1 : numberOf(asked, { path: /^\/item\/(\d+)$/ }, count);
      if (k === undefined) return { kind: 'soft', view: { id: 'no such page, but 200' } };
      return page({ id: k < 0 ? 'home-soft' : `soft-item-${k}` });
    },
  },
  /** Without `ad` there is a random picture. All have the same size. */
  picture: section(
    (n) => [`/banner/${n}?ad=1`, `/banner/${n}?ad=2`, `/banner/${n}`],
    { path: /^\/banner\/(\d+)$/ },
    (k, asked) => {
      const ad = asked.get('ad');
      return ad === undefined
        ? { kind: 'random picture', id: `banner-${k}-any` }
        : { kind: 'picture', id: `banner-${k}-${ad}` };
    },
  ),
  /** `a`, with or without a value, shows the answers to a form; other empty fields are irrelevant. */
  'empty-fields': section(
    (n) => ['', '?=', '?&utm=x', '?a&a=', '?a='].map((query) => `/form/${n}${query}`),
    { path: /^\/form\/(\d+)$/ },
    (k, asked) => page({ id: asked.get('a') === undefined ? `form-${k}` : `form-${k}-answers`, ownBytes: 900 }),
  ),
  'canonical-redirect': section(
    (n) => [`/moved/${n}/`, `/moved/${n}.php`],
    { path: /^\/moved\/(\d+)(?:\/|\.php)$/ },
    (k, { path }) => {
      if (path.endsWith('/')) return page({ id: `moved-${k}` });
      return { kind: 'redirect', status: k % 2 === 0 ? 301 : 302, to: `/moved/${FIRST + k}/` };
    },
  ),
  login: onWww(
    (n) => [`/member/${n}`, `/member.php?id=${n}`],
    (asked, count) => {
      if (asked.path === '/login') return { kind: 'soft', view: { id: 'log in first' } };
      const k = numberOf(asked, { path: /^\/member\/(\d+)$/, field: ['/member.php', 'id'] }, count);
      if (k === undefined) return undefined;
      return { kind: 'redirect', status: 302, to: `/login?back=/member/${FIRST + k}` };
    },
  ),
  offsite: section(
    (n) => [`/out?to=${n}`, `/out/${n}`],
    { path: /^\/out\/(\d+)$/, field: ['/out', 'to'] },
    (k) => ({ kind: 'redirect', status: 302, to: `http://elsewhere.invalid/${k}` }),
  ),
  dynamic: section(
    (n) => [`/live/${n}`, `/live.php?n=${n}`],
    { path: /^\/live\/(\d+)$/, field: ['/live.php', 'n'] },
    (k) => page({ id: `live-${k}`, isDynamic: true }),
    2,
  ),
  /** The first request for every third of these URLs gets 503 with Retry-After. */
  busy: section(
    (n) => [`/busy/${n}`, `/busy.php?n=${n}`],
    { path: /^\/busy\/(\d+)$/, field: ['/busy.php', 'n'] },
    (k) => ({ kind: 'page', view: { id: `busy-${k}` }, ...(k % 3 === 0 && { delay: 'busy' }) }),
    0.5,
  ),
  /** Every fourth page is slow. */
  slow: section(
    (n) => [`/slow/${n}`, `/slow.php?n=${n}`],
    { path: /^\/slow\/(\d+)$/, field: ['/slow.php', 'n'] },
    (k) => ({ kind: 'page', view: { id: `slow-${k}` }, ...(k % 4 === 0 && { delay: 'slow' }) }),
    0.5,
  ),
  /** Pages disallowed by robots.txt. Without this section there is no robots.txt. */
  robots: section(
    (n) => [`/private/${n}`, `/private/${n}.html`],
    { path: /^\/private\/(\d+)(?:\.html)?$/ },
    (k) => page({ id: `private-${k}` }),
  ),
} satisfies Record<string, Section>;

export type Trap = keyof typeof sections;
