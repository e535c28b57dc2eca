// Crawls with replicated collections: page records as `sketch --links --chunks 4` writes them.
import { mix, seeded } from './random.js';

/** Pages of a host, on average. */
const PAGES_OF_HOST = 100;

export interface Planted {
  clusters: number;
  collections: number;
}

/**
 * `count` records; `planted` says at the end how many whole collections there are. A quarter of the pages is in
 * collections of 50 to 1,000 pages with two to ten copies; a fifth of these differs in one of its 20 to 59 chunks. The
 * others are alone, with ten links of which most lead nowhere, as in a crawl that was cut off.
 */
export function* pagesWithMirrors(count: number, planted: Planted): Generator<string> {
  const random = seeded(7);
  const hosts = Math.ceil(count / PAGES_OF_HOST);
  const host = () => `http://host${Math.floor(random() * hosts)}.example`;
  for (let [made, group] = [0, 0]; made < count; group++) {
    const size = 50 + Math.floor(random() ** 3 * 950);
    const copies = 2 + Math.floor(random() ** 2 * 9);
    const parents = Array.from({ length: size }, (_, page) => (page === 0 ? 0 : Math.floor(random() * page)));
    const children = parents.map((): number[] => []);
    parents.forEach((parent, page) => page > 0 && children[parent]!.push(page));
    let whole = 0;
    for (let copy = 0; copy < copies && made < count; copy++) {
      const folder = `${host()}/g${group}c${copy}/`;
      const url = (page: number) => (page === 0 ? folder : `${folder}page${page}.html`);
      for (let page = 0; page < size && made < count; page++, made++) {
        const chunks = chunksOf(1000 * group + page, 0, 20 + ((7 * page) % 40));
        if (random() < 0.2) chunks[Math.floor(random() * chunks.length)] = chunksOf(made, 2, 1)[0]!;
        const links = new Set([...children[page]!.map(url), url(0), url(Math.max(0, Math.floor((page - 1) / 2)))]);
        links.delete(url(page));
        yield line(url(page), [...links], chunks);
        if (page === size - 1) whole++;
      }
    }
    if (whole > 1) planted.clusters++;
    if (whole > 1) planted.collections += whole;
    for (let alone = 3 * size * copies; alone > 0 && made < count; alone--, made++) {
      const site = host();
      const links = Array.from({ length: 10 }, () => `${site}/s${Math.floor(random() * count)}`);
      yield line(`${site}/s${made}`, links, chunksOf(made, 1, 20 + (made % 40)));
    }
  }
}

function line(url: string, links: readonly string[], chunks: readonly string[]): string {
  return `${JSON.stringify({ url, status: 200, links, chunks })}\n`;
}

function chunksOf(text: number, kind: number, length: number): string[] {
  const half = (value: number) => value.toString(16).padStart(8, '0');
  return Array.from({ length }, (_, k) => half(mix(text, 4 * k + kind)) + half(mix(k, text)));
}
