// The naive verifier of Definitions 4 to 8 (Cho, Shivakumar, Garcia-Molina 2000): from a graph and an answer alone.
import type { CrawledPage } from '../../src/mirrors/intake.js';

/**
 * The chunks that are the frame of a host: on a tenth of its texts, of at least 20, and on few others. Of the texts that
 * have it, at least half have a least chunk that no other of them has before them.
 */
export function naiveFrames(crawl: readonly CrawledPage[]): Set<string> {
  const texts = new Map<string, { chunks: Set<string>; hosts: Set<string>; least: number }>();
  for (const { url, chunks = [] } of crawl) {
    const own = new Set(chunks);
    if (own.size === 0) continue;
    const known = texts.get([...own].join()) ?? { chunks: own, hosts: new Set(), least: leastOf(own) };
    texts.set([...own].join(), known);
    known.hosts.add(new URL(url).host);
  }
  const alone = (host: string) => [...texts.values()].filter(({ hosts }) => hosts.size === 1 && hosts.has(host));
  const frames = new Set<string>();
  for (const host of new Set(crawl.map(({ url }) => new URL(url).host))) {
    const own = alone(host);
    for (const chunk of new Set(own.flatMap(({ chunks }) => [...chunks]))) {
      const having = [...texts.values()].filter(({ chunks }) => chunks.has(chunk));
      const here = having.filter((text) => own.includes(text));
      const leasts = new Set(here.map(({ least }) => least));
      const isCommon = own.length >= 20 && here.length >= 5 && here.length >= own.length / 10;
      const isRare = having.length - here.length <= having.length / 20;
      if (isCommon && isRare && leasts.size >= here.length / 2) frames.add(chunk);
    }
  }
  return frames;
}

function leastOf(chunks: ReadonlySet<string>): number {
  const bytes = [...chunks].map((chunk) => Buffer.from(chunk, 'hex'));
  return Math.min(...bytes.map((one) => Math.imul(one.readUInt32LE(0) ^ one.readUInt32LE(4), 0x9e3779b1) >>> 0));
}

/** By URL: a name of its trivial cluster, by comparing all pages with all. */
export function naiveClusters(crawl: readonly CrawledPage[], threshold: number): Map<string, string> {
  const frames = naiveFrames(crawl);
  const nameOf = new Map(crawl.map(({ url }) => [url, url]));
  const rename = (from: string, to: string) => {
    for (const [url, name] of nameOf) if (name === from) nameOf.set(url, to);
  };
  const pages = crawl.map((page) => comparable(page, frames));
  pages.forEach((a, k) => {
    for (const b of pages.slice(k + 1))
      if (areSimilar(a, b, threshold)) rename(nameOf.get(b.page.url)!, nameOf.get(a.page.url)!);
  });
  return nameOf;
}

/** A page as it is compared with all others. */
interface Comparable {
  readonly page: CrawledPage;
  readonly text: string | undefined;
  readonly compared: ReadonlySet<string>;
  readonly isFrame: boolean;
}

function comparable(page: CrawledPage, frames: ReadonlySet<string>): Comparable {
  const { chunks = [] } = page;
  return {
    page,
    text: page.chunks?.join(),
    compared: new Set(chunks.filter((one) => !frames.has(one))),
    isFrame: chunks.length > 0 && chunks.every((one) => frames.has(one)),
  };
}

function areSimilar(a: Comparable, b: Comparable, threshold: number): boolean {
  if (a.page.chunks !== undefined && a.page.chunks.length > 0 && a.text === b.text) return true;
  if (a.isFrame || b.isFrame) return false;
  const [own, others] = [a.compared, b.compared];
  if (own.size === 0 && others.size === 0) return a.page.digest !== undefined && a.page.digest === b.page.digest;
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
