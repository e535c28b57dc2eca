// What does a pattern tree learn? Tao Lei, Rui Cai, Jiang-Ming Yang, Yan Ke, Xiaodong Fan, Lei Zhang: A Pattern Tree-based
// Approach to Learning URL Normalization Rules, WWW 2010.
//
// All URLs are divided by the key whose values have the least entropy: scheme and host first, identifiers last. Frequent
// values (salient) are a child each, the others (trivial) one child `*`; salient ends where sorted frequencies drop most.
// Each leaf is a pattern. Leaves that have URLs of the same pages in common give rules: from one leaf to another, key by
// key, over all of their pairs (equal, one value, a copy of another key, else the key is ignored); within one leaf, that
// the keys which differ inside of a cluster do not matter. For
//
//   /wiki?title=Dust  and  /wiki/Dust      the leaves are (p0 = wiki, q:title = *) and (p0 = wiki, p1 = *)
//
// a single rule follows, of all titles at once. From the patent's claims and the abstract, memory for the kinds of values.
// A key that is ignored is deleted, so that forms are not always URLs.
import { chooseRules, type Candidate } from './choose.js';
import { type KeyValues, keyValuesOf, urlOf } from './key-values.js';
import { clustersOf, kept, type Labelled, type Learned, type Learner } from './learner.js';
import { type Change, nameOf, transform, type Transformation } from './transformation.js';

const MOST_URLS = 8;
const LEAST_URLS = 10;
/** Pairs that two leaves need, and the share of them that has to agree on what happens to a key. */
const LEAST_PAIRS = 3;
const LEAST_AGREEING = 0.95;
const ABSENT = ' absent';
const TRIVIAL = ' trivial';

/** Divided by `key`; a leaf has none. */
interface Node {
  readonly name: string;
  readonly key: string | null;
  readonly children: ReadonlyMap<string, Node>;
}

type Pair = readonly [from: KeyValues, to: KeyValues];

export const patternTree: Learner = {
  name: "pattern tree, WWW'10",
  needs: 'clusters of one site, and enough URLs that patterns show',
  misses: 'parts of values; rare shapes, which fall into one leaf; conditions that the tree did not divide by',
  learn: learnPatternTree,
};

export function learnPatternTree(pages: readonly Labelled[], seed: number): Learned {
  const read = kept(keyValuesOf);
  const urls = pages.map(({ url }) => read(url));
  const tree = build(urls, new Set(urls.flatMap((url) => [...url.keys()])), '');
  const leafOf = kept((url: string) => leafIn(tree, read(url)));
  const candidates = proposals(pages, seed, leafOf).map(({ leaf, changes }): Candidate => ({
    name: `${leaf} -> ${nameOf(changes)}`,
    apply: (url) => {
      const result = leafOf(url) === leaf ? transform(read(url), changes) : null;
      return result === null ? null : urlOf(result);
    },
  }));
  return chooseRules(pages, candidates, (url) => urlOf(read(url)));
}

/** `keys` are those by which was not divided yet. */
function build(urls: readonly KeyValues[], keys: ReadonlySet<string>, name: string): Node {
  const leaf: Node = { name, key: null, children: new Map() };
  if (urls.length < LEAST_URLS) return leaf;
  const best = leastEntropy(urls, keys);
  if (best === null) return leaf;
  const { key, counts } = best;
  const salient = salientOf(counts);
  const parts = new Map<string, KeyValues[]>();
  for (const url of urls) {
    const value = url.get(key) ?? ABSENT;
    const child = salient.has(value) ? value : TRIVIAL;
    parts.set(child, [...(parts.get(child) ?? []), url]);
  }
  const rest = new Set(keys);
  rest.delete(key);
  const children = Array.from(parts, ([value, part]): [string, Node] => {
    const shown = value === ABSENT ? '' : ` ${key}=${value === TRIVIAL ? '*' : value}`;
    return [value, build(part, rest, name + shown)];
  });
  return { name, key, children: new Map(children) };
}

type Counts = ReadonlyMap<string, number>;

function leastEntropy(
  urls: readonly KeyValues[],
  keys: ReadonlySet<string>,
): { readonly key: string; readonly counts: Counts } | null {
  let best: { readonly key: string; readonly counts: Counts; readonly entropy: number } | null = null;
  for (const key of keys) {
    const counts = new Map<string, number>();
    for (const url of urls) counts.set(url.get(key) ?? ABSENT, (counts.get(url.get(key) ?? ABSENT) ?? 0) + 1);
    if (counts.size === 1 && counts.has(ABSENT)) continue;
    const entropy = entropyOf(counts, urls.length);
    if (best === null || entropy < best.entropy) best = { key, counts, entropy };
    if (entropy === 0) break;
  }
  return best;
}

function entropyOf(counts: Counts, all: number): number {
  let sum = 0;
  for (const count of counts.values()) sum -= (count / all) * Math.log2(count / all);
  return sum;
}

/** The values before the largest drop of the sorted frequencies. If they drop nowhere, none is, and a single one is. */
function salientOf(counts: Counts): Set<string> {
  const sorted = [...counts].sort(([, a], [, b]) => b - a);
  if (sorted.length === 1) return new Set([sorted[0]![0]]);
  let [cut, most] = [0, 1];
  for (let at = 1; at < sorted.length; at++) {
    const drop = sorted[at - 1]![1] / sorted[at]![1];
    if (drop > most) [cut, most] = [at, drop];
  }
  // What is absent, or is as frequent as the rest of few values, is a pattern of its own.
  if (cut === 0 && sorted.length <= 3) cut = sorted.length;
  return new Set([...sorted.slice(0, cut).map(([value]) => value), ABSENT]);
}

function leafIn(tree: Node, url: KeyValues): string {
  let node = tree;
  while (node.key !== null) {
    const child = node.children.get(url.get(node.key) ?? ABSENT) ?? node.children.get(TRIVIAL);
    if (child === undefined) return `${node.name} unknown`;
    node = child;
  }
  return node.name;
}

interface Proposal {
  readonly leaf: string;
  readonly changes: Transformation;
}

function proposals(pages: readonly Labelled[], seed: number, leafOf: (url: string) => string): Proposal[] {
  const between = new Map<string, { readonly leaf: string; readonly pairs: Pair[] }>();
  const within = new Map<string, Proposal & { count: number }>();
  for (const urls of clustersOf(pages, { most: MOST_URLS, seed })) {
    for (const from of urls) {
      for (const to of urls) {
        if (from === to) continue;
        const leaf = leafOf(from);
        const pair: Pair = [keyValuesOf(from), keyValuesOf(to)];
        if (leaf === leafOf(to)) {
          const changes = deletionOf(pair);
          const name = `${leaf} -> ${nameOf(changes)}`;
          const known = within.get(name) ?? { leaf, changes, count: 0 };
          known.count++;
          within.set(name, known);
        } else {
          const name = `${leaf} -> ${leafOf(to)}`;
          const known = between.get(name) ?? { leaf, pairs: [] };
          known.pairs.push(pair);
          between.set(name, known);
        }
      }
    }
  }
  const columns = [...between.values()]
    .filter(({ pairs }) => pairs.length >= LEAST_PAIRS)
    .map(({ leaf, pairs }) => ({ leaf, changes: changesOf(pairs) }));
  return [...[...within.values()].filter(({ count }) => count >= LEAST_PAIRS), ...columns];
}

/** Within a leaf: keys that differ do not matter. */
function deletionOf([from, to]: Pair): Transformation {
  const differing = [...from.keys()].filter((key) => from.get(key) !== to.get(key));
  return new Map(differing.map((key): [string, Change] => [key, { kind: 'delete' }]));
}

/** Between leaves, key by key. */
function changesOf(pairs: readonly Pair[]): Transformation {
  const keys = new Set(pairs.flatMap(([from, to]) => [...from.keys(), ...to.keys()]));
  const changes = new Map<string, Change>();
  for (const key of keys) {
    const change = changeOf(key, pairs);
    if (change !== null) changes.set(key, change);
  }
  return changes;
}

/** Null where the key stays. */
function changeOf(key: string, pairs: readonly Pair[]): Change | null {
  const holds = (test: (pair: Pair) => boolean): boolean => pairs.filter(test).length >= LEAST_AGREEING * pairs.length;
  if (holds(([from, to]) => from.get(key) === to.get(key))) return null;
  if (holds(([, to]) => !to.has(key))) return { kind: 'delete' };
  const value = pairs[0]![1].get(key);
  if (value !== undefined && holds(([, to]) => to.get(key) === value)) return { kind: 'set', value };
  const from = [...pairs[0]![0].keys()].find((other) => holds((pair) => pair[0].get(other) === pair[1].get(key)));
  return from === undefined ? { kind: 'delete' } : { kind: 'copy', from };
}
