// Sites that know their own rules. Every URL is a name of a document; names of one document are dust, and traps are
// URLs that look like each other and name different documents. Everything depends on the seed.
//
//   planted                              traps
//   story?id=N      story_N              lect1, lect2 …      a series, sizes of their own
//   …/index.html    …/                   /en/x, /de/x        sizes alike, not the same
//   /people/name    /~name               story_N/print       smaller
//   ;jsessionid=X   &sid=X               &page=2, &page=3
//   www.            (with hosts)
import type { TwinPair, TwinUrl } from './twin.js';

export interface Planted {
  readonly from: string;
  readonly to: string;
  readonly dust: boolean;
  readonly note: string;
}

export interface PlantedSite {
  /** A combined log, with the virtual host first on request; ASCII, shuffled. */
  readonly lines: readonly string[];
  /** The URL list that SPEC 2 makes of these lines. */
  readonly urls: readonly TwinUrl[];
  readonly truth: readonly Planted[];
  /** The document that each URL names. */
  readonly documents: ReadonlyMap<string, number>;
}

export interface PlantedOptions {
  /** About so many documents; twice as many URLs, eight times as many lines. */
  readonly pages?: number;
  /** Lines with virtual hosts, two of them with the same content. */
  readonly host?: boolean;
  /** The share of documents that the log shows under more than one name. */
  readonly twins?: number;
  /** Hits per URL, on average. */
  readonly hits?: number;
}

interface Document {
  readonly id: number;
  /** The sizes it had while the log was written. */
  readonly sizes: readonly number[];
}

type Random = () => number;
type Site = Required<PlantedOptions> & {
  readonly random: Random;
  readonly names: Map<string, Document>;
  readonly made: Document[];
};

/** Numbers in [0, 1), the same for the same seed (mulberry32). */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function plantedSite(seed: number, options: PlantedOptions = {}): PlantedSite {
  const random = seededRandom(seed);
  const site: Site = { pages: 300, host: false, twins: 0.6, hits: 4, ...options, random, names: new Map(), made: [] };
  for (const path of ['/', '/robots.txt']) publish(site, newDocument(site, 100, 5_000), path);
  const truth = [
    ...plantStories(site, site.pages * 0.2),
    ...plantFolders(site, site.pages * 0.15),
    ...plantPeople(site, site.pages * 0.1),
    ...plantShop(site, site.pages * 0.1),
    ...plantForum(site, site.pages * 0.15),
    ...plantCourses(site, site.pages * 0.15),
    ...plantLanguages(site, site.pages * 0.15),
    ...plantHosts(site),
  ];
  const hits = shuffled(random, [...hitsOfPages(site), ...hitsOfBots(site)]);
  const lines = hits.map((hit) => lineOf(hit, site));
  const urls = listOf(hits);
  const documents = new Map(urls.map(({ url }) => [url, site.names.get(url)!.id]));
  return { lines, urls, truth, documents };
}

function plantStories(site: Site, count: number): Planted[] {
  for (let k = 0; k < count; k++) {
    const section = pick(site.random, ['news', 'movies', 'sport/local']);
    const id = 1000 + 7 * k;
    const story = newDocument(site, 8_000, 60_000);
    publishSome(site, story, [`/${section}/story?id=${id}`, `/${section}/story_${id}`]);
    if (site.random() < 0.4) publish(site, newLike(site, story, 0.7), `/${section}/story_${id}/print`);
  }
  return [
    { from: 'story?id=', to: 'story_', dust: true, note: 'two ways to a story' },
    { from: '/print', to: '', dust: false, note: 'the printable view is shorter' },
  ];
}

/** Static: one size each. The name without the slash is a redirect in the log, so without a size. */
function plantFolders(site: Site, count: number): Planted[] {
  for (let k = 0; k < count; k++) {
    const folder = `/docs/${pick(site.random, ['api', 'guide', 'caf%C3%A9'])}/${word(site.random)}${k}`;
    const index = newDocument(site, 500, 20_000, 1);
    publishSome(site, index, [`${folder}/`, `${folder}/index.html`]);
    if (site.random() < 0.3) publish(site, index, folder);
  }
  return [
    { from: '/index.html', to: '/', dust: true, note: 'the index of a folder' },
    { from: '/', to: '', dust: true, note: 'a redirect to the folder' },
  ];
}

const REDIRECTED = /\/docs\/[^/]+\/[^/.]+$/;

function plantPeople(site: Site, count: number): Planted[] {
  for (let k = 0; k < count; k += 2) {
    const name = `${word(site.random)}${k}`;
    for (const page of ['', '/pubs.html']) {
      publishSome(site, newDocument(site, 500, 9_000, 1), [`/~${name}${page}`, `/people/${name}${page}`]);
    }
  }
  return [{ from: 'people/', to: '~', dust: true, note: 'a home page and its short name' }];
}

/** Few sessions that see many pages, like crawlers: with one page each, a substring rule would have no support. */
function plantShop(site: Site, count: number): Planted[] {
  const sessions = [1, 2, 3].map(() => `;jsessionid=${hex(site.random, 16).toUpperCase()}`);
  for (let k = 0; k < count; k++) {
    const item = newDocument(site, 3_000, 30_000);
    publish(site, item, `/shop/item.jsp?item=${k}`);
    for (const session of sessions) {
      if (site.random() < site.twins) publish(site, item, `/shop/item.jsp${session}?item=${k}`);
    }
  }
  return sessions.map((from) => ({ from, to: '', dust: true, note: 'a session in the path' }));
}

function plantForum(site: Site, count: number): Planted[] {
  const sessions = [1, 2].map(() => `&sid=${hex(site.random, 12)}`);
  for (let k = 0; k < count;) {
    const topic = `/forum/topic.php?t=${100 + 3 * k}`;
    for (const page of ['', '&page=2', '&page=3'].slice(0, 1 + Math.floor(site.random() * 3))) {
      const document = newDocument(site, 6_000, 25_000);
      publish(site, document, topic + page);
      for (const session of sessions) if (site.random() < site.twins) publish(site, document, topic + page + session);
      k++;
    }
  }
  return [
    ...sessions.map((from) => ({ from, to: '', dust: true, note: 'a session in the query' })),
    { from: 'page=3', to: 'page=2', dust: false, note: 'the next page' },
    { from: '&page=2', to: '', dust: false, note: 'the next page' },
  ];
}

function plantCourses(site: Site, count: number): Planted[] {
  for (let k = 0; k < count; k += 4) {
    for (let lecture = 1; lecture <= 4; lecture++) {
      publish(site, newDocument(site, 2_000, 9_000, 2), `/courses/cs${101 + k}/lect${lecture}.html`);
    }
  }
  return [
    { from: 'lect2', to: 'lect1', dust: false, note: 'a numbered series' },
    { from: 'lect3', to: 'lect2', dust: false, note: 'a numbered series' },
  ];
}

function plantLanguages(site: Site, count: number): Planted[] {
  for (let k = 0; k < count; k += 2) {
    const page = `${word(site.random)}${k}.html`;
    const english = newDocument(site, 2_000, 30_000);
    publish(site, english, `/en/${page}`);
    // A translation is a little longer, and changes together with its original.
    publish(site, newLike(site, english, 1.06), `/de/${page}`);
  }
  return [{ from: '/en/', to: '/de/', dust: false, note: 'another language' }];
}

/** Turns the paths into URLs of two hosts with the same content. */
function plantHosts(site: Site): Planted[] {
  if (!site.host) return [];
  const paths = [...site.names];
  site.names.clear();
  for (const [path, document] of paths) {
    publishSome(site, document, [`http://www.example.com${path}`, `http://example.com${path}`]);
  }
  return [{ from: '://www.', to: '://', dust: true, note: 'two hosts, one content' }];
}

/** Sizes from [least, most) up, a little more with each edit; or those of another document, scaled. */
function newDocument({ random, made }: Site, least: number, most: number, maxSizes = 4): Document {
  const first = least + Math.floor(random() * (most - least));
  const growth = Math.floor(first * 0.03 * random());
  const edits = 1 + Math.floor(random() * maxSizes);
  made.push({ id: made.length, sizes: Array.from({ length: edits }, (_, k) => first + k * growth) });
  return made.at(-1)!;
}

function newLike({ made }: Site, { sizes }: Document, factor: number): Document {
  made.push({ id: made.length, sizes: sizes.map((size) => Math.round(size * factor)) });
  return made.at(-1)!;
}

function publish(site: Site, document: Document, name: string): void {
  site.names.set(name, document);
}

/** All names, or one of them. */
function publishSome(site: Site, document: Document, names: readonly string[]): void {
  for (const name of site.random() < site.twins ? names : [pick(site.random, names)]) publish(site, document, name);
}

interface Hit {
  readonly url: string;
  readonly method: string;
  readonly status: number;
  readonly bytes: number | '-';
}

function* hitsOfPages({ names, hits, random }: Site): Generator<Hit> {
  for (const [url, { sizes }] of names) {
    const count = 1 + Math.floor(-Math.log(1 - random()) * (hits - 0.5));
    for (let k = 0; k < count; k++) {
      const bytes = pick(random, sizes);
      const get = { url, method: 'GET', bytes };
      const chance = random();
      if (REDIRECTED.test(url)) yield { ...get, status: 301, bytes: 240 };
      else if (chance < 0.82) yield { ...get, status: 200 };
      else if (chance < 0.9) yield { ...get, status: 304, bytes: '-' };
      else if (chance < 0.93) yield { ...get, status: 206, bytes: bytes >> 1 };
      else if (chance < 0.96) yield { ...get, method: 'HEAD', status: 200, bytes: 290 };
      else if (chance < 0.98) yield { ...get, method: 'POST', status: 200, bytes: 17 };
      else yield { ...get, status: pick(random, [302, 404, 500, 503]), bytes: 199 };
    }
  }
}

/** Vulnerability scanners find nothing; none of their URLs is in the list. */
function* hitsOfBots({ pages, host, random }: Site): Generator<Hit> {
  const base = host ? 'http://www.example.com' : '';
  for (let k = 0; k < pages / 3; k++) {
    const url = base + pick(random, ['/wp-login.php', `/.env.${k % 20}`, `/admin/story?id=${k}`, '/xmlrpc.php']);
    yield { url, method: pick(random, ['GET', 'HEAD', 'POST']), status: pick(random, [403, 404]), bytes: 196 };
  }
}

function lineOf({ url, method, status, bytes }: Hit, { host, random }: Site): string {
  const [, name, target] = /^(?:http:\/\/([^/]+))?(.*)$/.exec(url)!;
  const [day, hour, minute, second] = [28, 24, 60, 60].map((n) => String(Math.floor(random() * n)).padStart(2, '0'));
  const time = `${day === '00' ? '28' : day}/Feb/2023:${hour}:${minute}:${second} +0100`;
  const client = `192.0.2.${Math.floor(random() * 256)}`;
  const agent = pick(random, ['Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101', 'examplebot/1.0', 'say \\"hi\\"', '-']);
  const line = `${client} - - [${time}] "${method} ${target} HTTP/1.1" ${status} ${bytes} "-" "${agent}"`;
  return host ? `${name}:80 ${line}` : line;
}

/** SPEC 2: what is kept, and whose bytes are a size. */
function listOf(hits: readonly Hit[]): TwinUrl[] {
  const list = new Map<string, number[]>();
  for (const { url, method, status, bytes } of hits) {
    const isKept = method !== 'POST' && ((status >= 200 && status < 300) || [301, 304, 308].includes(status));
    if (!isKept) continue;
    const sizes = list.get(url) ?? [];
    list.set(url, sizes);
    if (method === 'GET' && status === 200 && bytes !== '-') sizes.push(bytes);
  }
  return Array.from(list, ([url, sizes]) =>
    sizes.length === 0 ? { url } : { url, min: Math.min(...sizes), max: Math.max(...sizes) },
  );
}

/**
 * How many URL pairs of the list a pair of substrings joins, on whole tokens, and how many of them name one document.
 */
export function judge(documents: PlantedSite['documents'], pair: TwinPair): { instances: number; same: number } {
  const [start, end] = [/start|both/.test(pair.anchor), /end|both/.test(pair.anchor)];
  let [instances, same] = [0, 0];
  for (const [url, document] of documents) {
    const images = new Set<string>();
    for (let at = url.indexOf(pair.from); at >= 0 && at < url.length; at = url.indexOf(pair.from, at + 1)) {
      const rest = at + pair.from.length;
      if ((start && at > 0) || (end && rest < url.length)) continue;
      const image = url.slice(0, at) + pair.to + url.slice(rest);
      if (!documents.has(image)) continue;
      if (areBoundaries(url, at, rest) && areBoundaries(image, at, at + pair.to.length)) images.add(image);
    }
    instances += images.size;
    for (const image of images) if (documents.get(image) === document) same++;
  }
  return { instances, same };
}

/** True if a token may start or end at every offset. */
function areBoundaries(url: string, ...offsets: readonly number[]): boolean {
  const isRun = (at: number) => /[A-Za-z0-9\x80-\xff]/.test(url[at] ?? '');
  return offsets.every((at) => !isRun(at - 1) || !isRun(at));
}

/** The share of the first k pairs that are dust: most of their instances join names of one document. */
export function precisionAt(k: number, pairs: readonly TwinPair[], documents: PlantedSite['documents']): number {
  const dust = pairs.slice(0, k).filter((pair) => {
    const { instances, same } = judge(documents, pair);
    return 2 * same > instances;
  });
  return dust.length / Math.min(k, pairs.length);
}

export interface RandomUrlOptions {
  readonly count?: number;
  /** The tokens of URLs. Short and few, so that borders, overlaps and full buckets are common. */
  readonly alphabet?: readonly string[];
  /** A URL has 0 … depth of them. */
  readonly depth?: number;
  /** How many additional URLs are longer than S, in families that differ in one place. */
  readonly long?: number;
  readonly evidence?: 'none' | 'sizes' | 'sketches' | 'mixed';
}

/** Distinct URLs, unsorted; fewer than requested if the alphabet is exhausted. */
export function randomUrls(seed: number, options: RandomUrlOptions = {}): TwinUrl[] {
  const random = seededRandom(seed);
  const { count = 60, alphabet = ['a', 'b', '/', '.', '?', '=', '1', '2'], depth = 8, long = 6 } = options;
  const urls = new Set<string>();
  const several = (length: number) => Array.from({ length }, () => pick(random, alphabet));
  for (let tries = 0; urls.size < count && tries < 20 * count; tries++) {
    urls.add(several(Math.floor(random() * (depth + 1))).join(''));
  }
  for (let k = 0, family = several(60); k < long; k++) {
    if (k % 3 === 2) family = several(60);
    const at = Math.floor(random() * 60);
    urls.add([...family.slice(0, at), ...several(Math.floor(random() * 3)), ...family.slice(at + 1)].join('/'));
  }
  const { evidence = 'mixed' } = options;
  return shuffled(random, [...urls]).map((url) => {
    const [first, second] = [Math.floor(random() * 6), Math.floor(random() * 6)];
    const hasSize = evidence === 'sizes' || (evidence === 'mixed' && random() < 0.6);
    const hasSketch = evidence === 'sketches' || (evidence === 'mixed' && random() < 0.4);
    return {
      url,
      ...(hasSize && { min: Math.min(first, second), max: Math.max(first, second) }),
      ...(hasSketch && { sketch: pick(random, ['s', 't', 'u']) }),
    };
  });
}

function pick<T>(random: Random, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)]!;
}

function word(random: Random): string {
  return Array.from({ length: 3 }, () => pick(random, ['ba', 'ko', 'li', 'mu', 'ne', 'tor', 'ris', 'vel'])).join('');
}

function hex(random: Random, length: number): string {
  return Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join('');
}

function shuffled<T>(random: Random, list: T[]): T[] {
  for (let k = list.length - 1; k > 0; k--) {
    const other = Math.floor(random() * (k + 1));
    [list[k], list[other]] = [list[other]!, list[k]!];
  }
  return list;
}
