// A made-up shop with a forum, news, a university and pictures, for what rules are worth without fetching: a URL names
// a document, and documents have sizes. A document has 2.4 URLs. After shared/lists/gen.py, in numbers that follow from
// a seed.
//
//   forum       25 %   /story_N, /story?id=N, /story.php3?id=N, with and without NewOnly, tvqz, LastView and Close
//   shop        30 %   www. or not, http or https, with and without utm_*, PHPSESSID, color and a slash at the end
//   categories  20 %   page, sort and view in any order, /x?, /x/? and /x/index.html?: all three matter
//   news        15 %   news.example.com/money/ or money.news.example.com/, with nothing, a slash, index.html or print=1 at the end
//   papers       6 %   /~who/ or /people/who/, four extensions
//   pictures     4 %   ?v= of nine versions
import { hashBytes } from '../../../src/base/hash.js';
import { seeded } from './random.js';

export interface NamedDocument {
  readonly url: string;
  readonly document: string;
}

const WORDS =
  'alpha bravo cedar delta ember forest garden harbor island jungle kettle lemon market needle orange pepper quartz river silver timber'.split(
    ' ',
  );

/** As many distinct URLs, each with its document. */
export function* shopUrls(count: number, seed = 7): Generator<NamedDocument> {
  const random = seeded(seed);
  const seen = new Set<string>();
  while (seen.size < count) {
    const named = oneOf(random, count);
    if (seen.has(named.url)) continue;
    seen.add(named.url);
    yield named;
  }
}

/** Bytes of a document: 2 to 62 kB. */
export function sizeOf(document: string): number {
  const bytes = Buffer.from(document);
  return 2000 + ((hashBytes(bytes, 0, bytes.length) >>> 0) % 60_000);
}

type Random = () => number;

const below = (random: Random, count: number) => Math.floor(random() * count);
const pick = <T>(random: Random, list: readonly T[]) => list[below(random, list.length)]!;

function oneOf(random: Random, count: number): NamedDocument {
  const kind = random();
  // About as many documents of each kind to a URL as in a list of a million.
  const number = (most: number) => 1 + below(random, Math.ceil((most * count) / 800_000));
  if (kind < 0.25) return story(random, number(60_000));
  if (kind < 0.55) return product(random, number(80_000));
  if (kind < 0.75) return category(random, number(400));
  if (kind < 0.9) return news(random, number(50_000));
  return kind < 0.96 ? paper(random, number(20_000)) : picture(random, number(5_000));
}

function story(random: Random, n: number): NamedDocument {
  const name = pick(random, [`story_${n}`, `story?id=${n}`, `story.php3?id=${n}`]);
  const rest = random() < 0.3 ? pick(random, ['NewOnly=1', 'NewOnly=1&tvqz=2', 'LastView=&Close=']) : '';
  return { url: withQuery(`http://forum.example.co.il/${name}`, rest), document: `story ${n}` };
}

function product(random: Random, n: number): NamedDocument {
  const host = pick(random, ['www.shop.example', 'shop.example']);
  const fields: string[] = [];
  if (random() < 0.35) {
    const [source, medium] = [pick(random, ['google', 'bing', 'mail']), pick(random, ['cpc', 'social', 'email'])];
    fields.push(`utm_source=${source}&utm_medium=${medium}&utm_campaign=${pick(random, ['spring', 'fall', 'x7'])}`);
  }
  if (random() < 0.15) fields.push(`PHPSESSID=${below(random, 2 ** 32).toString(16)}${below(random, 2 ** 32)}`);
  if (random() < 0.2) fields.push(`color=${pick(random, ['red', 'blue', 'green'])}`);
  const path = `/product/${n}/${slug(n)}${random() < 0.1 ? '/' : ''}`;
  return { url: withQuery(`${scheme(random)}://${host}${path}`, fields.join('&')), document: `product ${n}` };
}

function category(random: Random, n: number): NamedDocument {
  const word = pick(random, WORDS);
  const all = [`page=${n}`, `sort=${pick(random, ['price', 'name', 'new'])}`, `view=${pick(random, ['grid', 'list'])}`];
  const fields = shuffled(random, all).slice(0, 1 + below(random, 3));
  const path = `/category/${word}${pick(random, ['', '/', '/index.html'])}`;
  const document = `category ${word} ${fields.toSorted().join(' ')}`;
  return { url: `${scheme(random)}://www.shop.example${path}?${fields.join('&')}`, document };
}

function news(random: Random, n: number): NamedDocument {
  const section = pick(random, ['money', 'sports', 'travel']);
  const host = pick(random, [`news.example.com/${section}`, `${section}.news.example.com`]);
  const end = pick(random, ['', '/', '/index.html', '/index.html?print=1']);
  const url = `http://${host}/2026/${(n % 12) + 1}/${(n % 28) + 1}/${slug(n)}-${n}${end}`;
  return { url, document: `news ${section} ${n}` };
}

function paper(random: Random, n: number): NamedDocument {
  const home = `${pick(random, ['~', 'people/'])}${WORDS[n % WORDS.length]}${n % 300}`;
  const url = `http://www.ee.example.edu/${home}/papers/p${n}.${pick(random, ['html', 'pdf', 'ps', 'htm'])}`;
  return { url, document: `paper ${n}` };
}

function picture(random: Random, n: number): NamedDocument {
  const url = `https://www.shop.example/static/${WORDS[n % WORDS.length]}_${n}.png?v=${1 + below(random, 9)}`;
  return { url, document: `picture ${n}` };
}

const scheme = (random: Random) => (random() < 0.9 ? 'https' : 'http');

function withQuery(url: string, query: string): string {
  if (query === '') return url;
  return `${url}${url.includes('?') ? '&' : '?'}${query}`;
}

function slug(n: number): string {
  const random = seeded(n);
  return Array.from({ length: 2 + below(random, 5) }, () => pick(random, WORDS)).join('-');
}

function shuffled<T>(random: Random, list: readonly T[]): T[] {
  const left = [...list];
  return list.map(() => left.splice(below(random, left.length), 1)[0]!);
}
