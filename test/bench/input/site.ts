// One site of any number of distinct URLs of 20 to 28 tokens, with planted dust and noise. A document follows from its
// number alone, so that 100 million of them need no memory:
//
//   kind      share  first name                                  other name of 30 %       what it is
//   story     22 %   /news/2003/7/story?id=N&lang=en             …/story_N&lang=en        dust
//   folder    18 %   /cat-7/news/sub.3/pN/index.html             …/pN/                    dust
//   gallery   20 %   /gallery/news/set-S/large/pic-K.jpg                                  a numbered series, sizes of its own
//   archive   20 %   /archive/2003/7/item/N/view.php?page=3      …&print=1                a trap: shorter
//   topic     20 %   /forum/news/topic.php?t=N                   …&sid=SESSION            dust by parameter, 1,000 numbers a session
//
// One other name in ten is the first name without `www.` instead. Names come in a seeded order, twins far apart.
import { mix, permuted } from './random.js';

export const SEED = 1;

export interface SiteUrl {
  readonly host: string;
  readonly path: string;
  /** Bytes of the page: those of its document, or of the printable view of it. */
  readonly size: number;
}

const SECTIONS = ['news', 'blog', 'shop', 'sport', 'docs', 'people', 'music'];
const TWINS = 0.3;

/** Exactly `count` distinct URLs. */
export function* siteUrls(count: number, seed = SEED, domain = 'example.com'): Generator<SiteUrl> {
  let made = 0;
  for (const slot of permuted(2 * documentsFor(count, seed), seed)) {
    const document = slot >>> 1;
    const isTwin = (slot & 1) === 1;
    if (isTwin && !hasTwin(document, seed)) continue;
    yield isTwin ? twinOf(document, seed, domain) : nameOf(document, seed, domain);
    if (++made === count) return;
  }
}

/** The fewest documents that have `count` names. */
function documentsFor(count: number, seed: number): number {
  let documents = 0;
  for (let names = 0; names < count; documents++) names += hasTwin(documents, seed) ? 2 : 1;
  return documents;
}

type Kind = 'story' | 'folder' | 'gallery' | 'archive' | 'topic';

function kindOf(document: number, seed: number): Kind {
  const share = mix(document, seed) % 100;
  if (share < 22) return 'story';
  if (share < 40) return 'folder';
  if (share < 60) return 'gallery';
  return share < 80 ? 'archive' : 'topic';
}

function hasTwin(document: number, seed: number): boolean {
  return mix(document, seed + 1) < TWINS * 2 ** 32;
}

function nameOf(document: number, seed: number, domain: string): SiteUrl {
  const size = 500 + (mix(document, seed + 2) % 90_000);
  return { host: `www.${domain}`, path: pathOf(document, kindOf(document, seed), seed), size };
}

function pathOf(document: number, kind: Kind, seed: number): string {
  const choice = mix(document, seed + 3);
  const section = SECTIONS[choice % SECTIONS.length]!;
  const month = 1 + ((choice >>> 20) % 12);
  const year = 1996 + ((choice >>> 8) % 28);
  switch (kind) {
    case 'story':
      return `/${section}/${year}/${month}/story?id=${document}&lang=en`;
    case 'folder':
      return `/cat-${(choice >>> 8) % 40}/${section}/sub.${month}/p${document}/index.html`;
    case 'gallery':
      return `/gallery/${section}/set-${Math.floor(document / 40)}/large/pic-${document % 40}.jpg`;
    case 'archive':
      return `/archive/${year}/${month}/item/${document}/view.php?page=${1 + ((choice >>> 16) % 9)}`;
    case 'topic':
      return `/forum/${section}/topic.php?t=${document}`;
  }
}

function twinOf(document: number, seed: number, domain: string): SiteUrl {
  const first = nameOf(document, seed, domain);
  const kind = kindOf(document, seed);
  const { path, size } = first;
  if (kind === 'gallery' || mix(document, seed + 4) % 10 === 0) return { ...first, host: domain };
  switch (kind) {
    case 'story':
      return { ...first, path: path.replace('story?id=', 'story_') };
    case 'folder':
      return { ...first, path: path.slice(0, -'index.html'.length) };
    case 'archive':
      return { ...first, path: `${path}&print=1`, size: Math.floor(size * 0.7) };
    case 'topic':
      return { ...first, path: `${path}&sid=${mix(Math.floor(document / 1000), seed + 5).toString(16)}` };
  }
}
