// How good are collections that were found? Beside the truth of `trees`:
//
//   node judge.js HOME PAGES ROLL-UP          collections and pages, by kinds of copies
//   node judge.js HOME PAGES --hosts PAIRS    pairs of hosts, of `mirrors --by-urls`
import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { PlantedCopy } from './planted.js';

/** A page of a planted copy: which, and its path below it. */
interface Place {
  readonly copy: PlantedCopy;
  readonly path: string;
}

const [, , home = '', pages = '', rolled = '', pairs = ''] = process.argv;
const planted = JSON.parse(readFileSync(join(home, 'copies.json'), 'utf8')) as PlantedCopy[];
const byPrefix = new Map(planted.map((copy) => [copy.prefix, copy]));

function placeOf(url: string): Place | undefined {
  for (let slash = url.indexOf('/', 8); slash >= 0; slash = url.indexOf('/', slash + 1)) {
    const copy = byPrefix.get(url.slice(0, slash + 1));
    if (copy !== undefined) return { copy, path: url.slice(slash + 1).replace(/(^|\/)index\.html?$/, '$1') };
  }
  return undefined;
}

function count<K>(counts: Map<K, number>, key: K, by = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}

/** By URL of a page: its chunks. */
async function urlsOf(list: string): Promise<Map<string, string>> {
  const urls = new Map<string, string>();
  for await (const line of createInterface({ input: createReadStream(list) })) {
    const { url, status, chunks } = JSON.parse(line) as { url: string; status?: number; chunks?: string[] };
    if (status === undefined || status === 200) urls.set(url, digestOf(chunks ?? []));
  }
  return urls;
}

function digestOf(chunks: readonly string[]): string {
  return createHash('sha256').update(chunks.join()).digest('base64').slice(0, 16);
}

/** Targets and paths that the original has. */
function originalsOf(urls: Iterable<string>): Set<string> {
  const own = new Set<string>();
  for (const url of urls) {
    const place = placeOf(url);
    if (place?.copy.kind === 'original') own.add(`${place.copy.target} ${place.path}`);
  }
  return own;
}

interface Collection {
  readonly copy: PlantedCopy | undefined;
  readonly pages: number;
}

/** The planted copy that has nine tenths of the pages. */
function collectionOf(urls: readonly string[]): Collection {
  const counts = new Map<PlantedCopy, number>();
  for (const url of urls) {
    const place = placeOf(url);
    if (place !== undefined && place.copy.kind !== 'alone') count(counts, place.copy);
  }
  const [most] = [...counts].sort((a, b) => b[1] - a[1]);
  return { copy: most !== undefined && most[1] >= 0.9 * urls.length ? most[0] : undefined, pages: urls.length };
}

async function judgeCollections(): Promise<void> {
  const urls = await urlsOf(pages);
  const originals = originalsOf(urls.keys());
  const clusters = new Map<string, Map<string, string[]>>();
  const saved = new Set<string>();
  const wrong = new Map<string, number>();
  let partners = 0;
  for (const line of readFileSync(rolled, 'utf8').trimEnd().split('\n')) {
    const [url, image, cluster, copy, page] = line.split('\t') as [string, string, string, string, string];
    if (page !== '0') {
      const copies = clusters.get(cluster) ?? new Map<string, string[]>();
      clusters.set(cluster, copies);
      const own = copies.get(copy) ?? [];
      copies.set(copy, own);
      own.push(url);
    }
    if (url === image) continue;
    saved.add(url);
    partners++;
    const [a, b] = [placeOf(url), placeOf(image)];
    if (a === undefined || b === undefined || a.copy.target !== b.copy.target || a.path !== b.path) {
      const isUnrelated = a === undefined || b === undefined || a.copy.kind === 'alone';
      const isSame = urls.get(url) === urls.get(image);
      const kind = `${isUnrelated ? 'of unrelated pages' : 'within targets'}, with ${isSame ? 'the same' : 'another'} text`;
      count(wrong, kind);
    }
  }
  const main = new Map<string, { pages: number; collections: Collection[] }>();
  const fragments = { clusters: 0, collections: 0 };
  const others = { clusters: 0, collections: 0, pages: 0 };
  for (const copies of clusters.values()) {
    const collections = [...copies.values()].map(collectionOf);
    const targets = new Set(collections.map(({ copy }) => copy?.target));
    const isOfTarget =
      targets.size === 1 &&
      !targets.has(undefined) &&
      new Set(collections.map(({ copy }) => copy)).size === collections.length;
    const size = collections.reduce((sum, { pages: own }) => sum + own, 0);
    if (!isOfTarget) {
      others.clusters++;
      others.collections += collections.length;
      others.pages += size;
      continue;
    }
    const [target] = targets as Set<string>;
    const known = main.get(target!);
    const smaller = known === undefined || known.pages >= size ? collections : known.collections;
    if (known === undefined || known.pages < size) main.set(target!, { pages: size, collections });
    if (known === undefined) continue;
    fragments.clusters++;
    fragments.collections += smaller.length;
  }
  const all = [...clusters.values()].reduce((sum, copies) => sum + copies.size, 0);
  const inMain = [...main.values()].reduce((sum, { collections }) => sum + collections.length, 0);
  const real = planted.filter(({ kind }) => kind !== 'alone').length;
  console.log(
    `collections ${all} in ${clusters.size} clusters; of ${main.size} targets in one cluster each ${inMain} of ${real} copies`,
  );
  console.log(
    `further clusters of targets ${fragments.clusters} with ${fragments.collections}; others ${others.clusters} with ${others.collections} (${others.pages} pages)`,
  );
  console.log(`pages with a partner elsewhere ${partners}, at another path: ${JSON.stringify([...wrong])}`);
  const kinds = new Map<string, { pages: number; known: number; saved: number }>();
  for (const url of urls.keys()) {
    const place = placeOf(url);
    const kind = place?.copy.kind ?? 'unrelated';
    const row = kinds.get(kind) ?? { pages: 0, known: 0, saved: 0 };
    kinds.set(kind, row);
    row.pages++;
    if (place !== undefined && originals.has(`${place.copy.target} ${place.path}`)) row.known++;
    if (saved.has(url)) row.saved++;
  }
  console.table(Object.fromEntries(kinds));
}

/** Hosts are mirrors if half of the pages of the one that has fewer are planted copies at the same path of the other. */
async function judgeHosts(): Promise<void> {
  const keys = new Map<string, Set<string>>();
  for (const url of (await urlsOf(pages)).keys()) {
    const { host, pathname } = new URL(url);
    const place = placeOf(url);
    const own = keys.get(host) ?? new Set<string>();
    keys.set(host, own.add(`${place?.copy.target ?? url} ${pathname}`));
  }
  const truth = new Set<string>();
  const hosts = [...keys.keys()].sort();
  for (const [k, a] of hosts.entries()) {
    for (const b of hosts.slice(k + 1)) {
      const [few, many] = [keys.get(a)!, keys.get(b)!].sort((x, y) => x.size - y.size) as [Set<string>, Set<string>];
      if ([...few].filter((key) => many.has(key)).length >= few.size / 2) truth.add(`${a}\t${b}`);
    }
  }
  const found = readFileSync(pairs, 'utf8').trimEnd().split('\n');
  let right = 0;
  found.forEach((line, at) => {
    const [a, b, , , , share] = line.split('\t') as [string, string, string, string, string, string];
    if (truth.has([a, b].sort().join('\t'))) right++;
    const isLast = at === found.length - 1;
    if (right === truth.size || isLast || (at + 1) % 10 === 0) {
      const [precision, recall] = [right / (at + 1), right / truth.size];
      console.log(
        `${at + 1} pairs, share ${share}: precision ${precision.toFixed(2)}, recall ${recall.toFixed(2)} of ${truth.size}`,
      );
    }
  });
}

await (rolled === '--hosts' ? judgeHosts() : judgeCollections());
