// The naive verifier of Definitions 4 to 8 (Cho, Shivakumar, Garcia-Molina 2000): from a graph and an answer alone.
import type { CrawledPage } from '../../src/mirrors/intake.js';

/** By URL: a name of its trivial cluster, by comparing all pages with all. */
export function naiveClusters(crawl: readonly CrawledPage[], threshold: number): Map<string, string> {
  const nameOf = new Map(crawl.map(({ url }) => [url, url]));
  const rename = (from: string, to: string) => {
    for (const [url, name] of nameOf) if (name === from) nameOf.set(url, to);
  };
  crawl.forEach((a, k) => {
    for (const b of crawl.slice(k + 1)) if (areSimilar(a, b, threshold)) rename(nameOf.get(b.url)!, nameOf.get(a.url)!);
  });
  return nameOf;
}

function areSimilar(a: CrawledPage, b: CrawledPage, threshold: number): boolean {
  const [own, others] = [new Set(a.chunks), new Set(b.chunks)];
  if (own.size === 0 && others.size === 0) return a.digest !== undefined && a.digest === b.digest;
  if (own.size === 0 || others.size === 0) return false;
  const shared = [...own].filter((one) => others.has(one)).length;
  return shared >= Math.min(threshold, own.size) && shared >= Math.min(threshold, others.size);
}

/** What is wrong with an answer; empty if nothing is. */
export function faultsOf(
  crawl: readonly CrawledPage[],
  clusters: readonly (readonly (readonly string[])[])[],
  threshold: number,
): string[] {
  const faults: string[] = [];
  const nameOf = naiveClusters(crawl, threshold);
  const linksOf = new Map(crawl.map(({ url, links }) => [url, new Set(links.filter((link) => link !== url))]));
  const seen = new Set<string>();
  clusters.forEach((copies, number) => {
    const say = (what: string) => faults.push(`cluster ${number}: ${what}`);
    if (copies.length < 2) say('fewer than two collections');
    for (const copy of copies) {
      if (copy.length !== copies[0]!.length) say('Definition 6: sizes differ');
      for (const url of copy) {
        if (!linksOf.has(url)) say(`${url} is no page`);
        if (seen.has(url)) say(`${url} is in two collections`);
        seen.add(url);
      }
      if (!isConnected(copy, linksOf)) say('a collection is not connected');
    }
    const parents = copies.map((copy) =>
      copy.map((url) => new Set(copy.filter((other) => linksOf.get(other)!.has(url)).map((one) => nameOf.get(one)!))),
    );
    copies.forEach((a, i) => {
      for (let j = i + 1; j < copies.length; j++) {
        a.forEach((url, k) => {
          if (nameOf.get(url) !== nameOf.get(copies[j]![k]!)) say(`Definition 5: ${url} is not similar to its partner`);
          const [ours, theirs] = [parents[i]![k]!, parents[j]![k]!];
          const areBothEmpty = ours.size === 0 && theirs.size === 0;
          if (!areBothEmpty && ![...ours].some((one) => theirs.has(one))) say(`Definition 5: ${url} has other parents`);
        });
      }
    });
  });
  return faults;
}

function isConnected(copy: readonly string[], linksOf: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const reached = new Set([copy[0]!]);
  for (const url of reached) {
    for (const other of copy) {
      if (linksOf.get(url)!.has(other) || linksOf.get(other)!.has(url)) reached.add(other);
    }
  }
  return reached.size === copy.length;
}
