// What do context trees learn? Hema Swetha Koppula, Krishna P. Leela, Amit Agarwal, Krishna Prasad Chitrapura, Sachin Garg,
// Amit Sasturkar: Learning URL Patterns for Webpage De-duplication, WSDM 2010 (and Agarwal et al., CIKM 2009).
//
// Three steps, as the abstract has them. Deep tokenization: values are split further (`story_12`). Pairwise rules, from
// sources to targets only: each URL of a cluster to the cluster's best one, the shortest, so that they are as many as URLs.
// Generalization by a decision tree for each transformation t: its rows are the URLs to which t applies, right if the
// result is a URL (or another row's result) of the same cluster, wrong if of another; its tests are `key = value`; a leaf
// with nearly none wrong is a rule, whose context are the tests on the way. For
//
//   /story_12 -> /story?id=12      p0 = "story" (first token of p0), q:id = the last token of p0
//
// all stories have the same t, and no test is needed. From the abstracts, memory for the ranks of sources and targets;
// their delimiters are learned for each host, those here are changes of the class of characters.
import { chooseRules, type Candidate } from './choose.js';
import { deepTokensOf, type KeyValues, keyValuesOf, urlOf } from './key-values.js';
import { clustersOf, kept, type Labelled, type Learned, type Learner } from './learner.js';
import { changesBetween, deepened, nameOf, transform, type Transformation } from './transformation.js';

const MOST_URLS = 12;
const LEAST_CLUSTERS = 2;
const MOST_TRANSFORMATIONS = 600;
const MOST_DEPTH = 4;
const LEAST_RIGHT = 3;
const LEAST_PRECISION = 0.99;

/** A key has this value, or has not. */
interface Test {
  readonly key: string;
  readonly value: string;
  readonly holds: boolean;
}

interface Row {
  readonly features: KeyValues;
  readonly isRight: boolean;
}

export const contextTrees: Learner = {
  name: "context trees, WSDM'10",
  needs: 'clusters, with two URLs that are the source and the target of a rule',
  misses: 'what is the same only after both sides lose a part, as no URL of a cluster is the target',
  learn: learnContextTrees,
};

export function learnContextTrees(pages: readonly Labelled[], seed: number): Learned {
  const [read, featured] = [kept(keyValuesOf), kept((url: string) => featuresOf(keyValuesOf(url)))];
  const labelsOf = new Map<string, Set<string>>();
  for (const { url, label } of pages) addTo(labelsOf, urlOf(read(url)), label);
  const candidates = transformationsOf(pages, seed).flatMap((changes): Candidate[] => {
    const rows = rowsOf(pages, { read, featured, changes, labelsOf });
    return grow(rows, []).map((tests) => ({
      name: `${tests.map(testName).join(' ')} -> ${nameOf(changes)}`,
      apply: (url) => {
        const result = transform(read(url), changes);
        return result !== null && tests.every((test) => passes(featured(url), test)) ? urlOf(result) : null;
      },
    }));
  });
  return chooseRules(pages, candidates, (url) => urlOf(read(url)));
}

/** Those of several clusters, the most frequent first. */
function transformationsOf(pages: readonly Labelled[], seed: number): Transformation[] {
  const found = new Map<string, { readonly changes: Transformation; readonly clusters: Set<number> }>();
  for (const [cluster, urls] of clustersOf(pages, { most: MOST_URLS, seed }).entries()) {
    const [target, ...sources] = urls.sort((a, b) => a.length - b.length || (a < b ? -1 : 1)).map(keyValuesOf);
    for (const source of sources) {
      const changes = deepened(changesBetween(source, target!), source);
      const name = nameOf(changes);
      const one = found.get(name) ?? { changes, clusters: new Set() };
      found.set(name, one);
      one.clusters.add(cluster);
    }
  }
  return [...found.values()]
    .filter(({ changes, clusters }) => changes.size > 0 && clusters.size >= LEAST_CLUSTERS)
    .sort((a, b) => b.clusters.size - a.clusters.size)
    .slice(0, MOST_TRANSFORMATIONS)
    .map(({ changes }) => changes);
}

interface Reading {
  readonly read: (url: string) => KeyValues;
  readonly featured: (url: string) => KeyValues;
  readonly changes: Transformation;
  readonly labelsOf: ReadonlyMap<string, ReadonlySet<string>>;
}

/** URLs to which the transformation applies and of whose result something is known. */
function rowsOf(pages: readonly Labelled[], { read, featured, changes, labelsOf }: Reading): Row[] {
  const results = new Map<string, Labelled[]>();
  for (const page of pages) {
    const result = transform(read(page.url), changes);
    if (result === null) continue;
    const form = urlOf(result);
    results.set(form, [...(results.get(form) ?? []), page]);
  }
  return Array.from(results).flatMap(([form, sources]) => {
    const labels = new Set([...(labelsOf.get(form) ?? []), ...sources.map(({ label }) => label)]);
    if (sources.length === 1 && !labelsOf.has(form)) return [];
    return sources.map(({ url }) => ({ features: featured(url), isRight: labels.size === 1 }));
  });
}

/** The leaves that are right, each as the tests that lead there. */
function grow(rows: readonly Row[], tests: readonly Test[]): (readonly Test[])[] {
  const right = rows.filter(({ isRight }) => isRight).length;
  if (right < LEAST_RIGHT) return [];
  if (right >= LEAST_PRECISION * rows.length) return [tests];
  const best = tests.length < MOST_DEPTH ? bestTest(rows) : null;
  if (best === null) return [];
  return [true, false].flatMap((holds) => {
    const test = { ...best, holds };
    return grow(
      rows.filter(({ features }) => passes(features, test)),
      [...tests, test],
    );
  });
}

/** By the gain of information, as in ID3. */
function bestTest(rows: readonly Row[]): Omit<Test, 'holds'> | null {
  const counts = new Map<string, { readonly key: string; readonly value: string; all: number; right: number }>();
  for (const { features, isRight } of rows) {
    for (const [key, value] of features) {
      const name = `${key}=${value}`;
      const count = counts.get(name) ?? { key, value, all: 0, right: 0 };
      count.all++;
      if (isRight) count.right++;
      counts.set(name, count);
    }
  }
  const right = rows.filter(({ isRight }) => isRight).length;
  let [least, best]: [number, Omit<Test, 'holds'> | null] = [bits(right, rows.length) - 1e-9, null];
  for (const { key, value, all, right: own } of counts.values()) {
    const left = bits(own, all) + bits(right - own, rows.length - all);
    if (left < least) [least, best] = [left, { key, value }];
  }
  return best;
}

/** The bits that say of `all` rows which of them are right. */
function bits(right: number, all: number): number {
  if (right === 0 || right === all) return 0;
  return -right * Math.log2(right / all) - (all - right) * Math.log2(1 - right / all);
}

/** Keys of paths from both ends, deep tokens from both ends, and that a key is there at all. */
function featuresOf(url: KeyValues): KeyValues {
  const features = new Map<string, string>();
  const depth = [...url.keys()].filter((key) => /^p\d+$/.test(key)).length;
  for (const [key, value] of url) {
    const names = /^p\d+$/.test(key) ? [key, `p${Number(key.slice(1)) - depth}`] : [key];
    const tokens = deepTokensOf(value);
    for (const name of names) {
      features.set(name, value).set(`has ${name}`, '');
      for (const [at, token] of tokens.entries())
        features.set(`${name}.${at}`, token).set(`${name}.${at - tokens.length}`, token);
    }
  }
  return features;
}

function passes(features: KeyValues, { key, value, holds }: Test): boolean {
  return (features.get(key) === value) === holds;
}

function testName({ key, value, holds }: Test): string {
  return `${key}${holds ? '=' : '≠'}${value}`;
}

function addTo(sets: Map<string, Set<string>>, key: string, value: string): void {
  const set = sets.get(key);
  if (set === undefined) sets.set(key, new Set([value]));
  else set.add(value);
}
