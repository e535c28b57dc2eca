// Crawls to look for collections in: of random pages, and with collections planted in them.
import { createHash } from 'node:crypto';
import { Intake, type CrawledPage } from '../../src/mirrors/intake.js';
import type { Grown } from '../../src/mirrors/grow.js';
import { findMirrors, type MirrorOptions, type Mirrors } from '../../src/mirrors/find-mirrors.js';
import { decodeText } from '../../src/base/bytes.js';
import { seeded } from '../sketch/sample.js';

export type Random = () => number;

export const chunk = (n: number): string => n.toString(16).padStart(16, '0');

/** Clusters of few texts, and links anywhere: most edges have several matchings or none. */
export function randomCrawl(seed: number, { pages = 40, texts = 8, links = 3, hosts = 3 } = {}): CrawledPage[] {
  const random = seeded(seed);
  const urls = Array.from({ length: pages }, (_, k) => `http://h${k % hosts}.example/${k}`);
  return urls.map((url) => ({
    url,
    chunks: [chunk(Math.floor(random() * texts))],
    links: [
      ...new Set(Array.from({ length: Math.floor(random() * 2 * links) }, () => urls[Math.floor(random() * pages)]!)),
    ],
  }));
}

/** The same tree of pages on several hosts, every page with a link to the root, and some without one another. */
export function plantedCrawl(seed: number, copies: number, size: number): CrawledPage[] {
  const random = seeded(seed);
  const parents = Array.from({ length: size }, (_, k) => (k === 0 ? 0 : Math.floor(random() * k)));
  const pages: CrawledPage[] = [];
  for (let copy = 0; copy < copies; copy++) {
    const url = (page: number) => `http://mirror${copy}.example/docs${copy}/${page === 0 ? '' : `p${page}.html`}`;
    for (let page = 0; page < size; page++) {
      const links = parents.flatMap((parent, child) => (child > 0 && parent === page ? [url(child)] : []));
      const own = Array.from({ length: 20 }, (_, k) => chunk(page * 100 + k + 1));
      // An edited line changes one chunk.
      if (random() < 0.3) own[Math.floor(random() * 20)] = chunk(1e6 + copy * 1000 + page);
      pages.push({ url: url(page), chunks: own, links: page === 0 ? links : [...links, url(0)] });
    }
    pages.push({ url: `http://mirror${copy}.example/`, chunks: [chunk(1e9 + copy)], links: [url(0)] });
  }
  return pages;
}

export function shuffled<T>(list: readonly T[], random: Random): T[] {
  const all = [...list];
  for (let k = all.length - 1; k > 0; k--) {
    const other = Math.floor(random() * (k + 1));
    [all[k], all[other]] = [all[other]!, all[k]!];
  }
  return all;
}

export interface Answer {
  readonly mirrors: Mirrors;
  readonly grown: readonly Grown[];
  /** URLs: clusters, of copies, of pages; page k of each copy is similar to page k of the others. */
  readonly clusters: readonly (readonly (readonly string[])[])[];
}

export function mirrorsOf(
  crawl: readonly CrawledPage[],
  options: Partial<MirrorOptions>,
  memoryBytes = 1 << 20,
): Answer {
  const room = { memoryBytes, tmpdir: '/tmp', stats: { runs: 0, bytes: 0 } };
  const intake = new Intake(room);
  for (const page of crawl) intake.add(page);
  const standard = { threshold: 15, minPages: 2, singleSite: false, extended: false, room };
  const mirrors = findMirrors(intake.finish(), { ...standard, ...options });
  const url = (page: number) => decodeText(mirrors.pages.urls.firstOf(page));
  const grown = [...mirrors.clusters()];
  const clusters = grown.map(({ cardinality, size, pages }) =>
    Array.from({ length: cardinality }, (_, copy) =>
      Array.from({ length: size }, (__, k) => url(pages[k * cardinality + copy]!)),
    ),
  );
  return { mirrors, grown, clusters };
}

/** Lines of a mirrored manual: `above` and `below` are what the mirror adds to each page. */
interface Framed {
  readonly size: number;
  /** The most lines of a page, without those that the mirror adds. */
  readonly most: number;
  /** Lines of a chunk. */
  readonly lines: number;
  readonly above?: number;
  readonly below?: number;
}

/** A manual of two hosts, of which the second adds lines to each page. Pages are cut into chunks as `sketch` does. */
export function framedCrawl(seed: number, { size, most, lines, above = 0, below = 0 }: Framed): CrawledPage[] {
  const random = seeded(seed);
  const lengths = Array.from({ length: size }, () => 1 + Math.floor(random() * most));
  const added = (host: string, name: string, count: number) =>
    host === 'b' ? Array.from({ length: count }, (_, k) => `${name} ${k}`) : [];
  return ['a', 'b'].flatMap((host) =>
    lengths.map((length, page): CrawledPage => {
      const own = Array.from({ length }, (_, k) => `page ${page} line ${k}`);
      const text = [...added(host, 'above', above), ...own, ...added(host, 'below', below)];
      const url = (k: number) => `http://${host}.example/${k}`;
      const links = page === 0 ? Array.from({ length: size - 1 }, (_, k) => url(k + 1)) : [url(0)];
      return { url: url(page), chunks: chunked(text, lines), links };
    }),
  );
}

function chunked(text: readonly string[], lines: number): string[] {
  const count = Math.ceil(text.length / lines);
  return Array.from({ length: count }, (_, k) => {
    const own = text.slice(k * lines, (k + 1) * lines).join('\n');
    return createHash('sha256').update(own).digest('hex').slice(0, 16);
  });
}

/**
 * Two copies of a chain of pages, of which the first has links to all of them in one copy only. So the second page has
 * other parents in the other copy; if it is taken out, so has the third, and so on to the end. `isLinkedBack`: every
 * page has a link to the first, which keeps the rest connected.
 */
export function cascadingCrawl(size: number, isLinkedBack: boolean): CrawledPage[] {
  return [0, 1].flatMap((copy) => {
    const url = (k: number) => `http://h${copy}.example/${String(k).padStart(6, '0')}`;
    return Array.from({ length: size }, (_, k): CrawledPage => {
      const all = k === 0 && copy === 0 ? Array.from({ length: size - 2 }, (__, other) => other + 1) : [];
      const next = k + 1 < size ? [k + 1] : [];
      const links = k === 0 ? [...all, size - 1] : [...next, ...(isLinkedBack ? [0] : [])];
      return { url: url(k), chunks: [chunk(k + 1)], links: links.map(url) };
    });
  });
}
