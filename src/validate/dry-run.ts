// What would a validation fetch? Each page once, as if every comparison succeeded: the samples that settle every rule,
// or those of the first questions.
import type { SitePlan } from './plan.js';
import { imageText } from './sample.js';
import type { Made, PageResult, PageSource } from './source.js';
import type { PaperOptions } from './paper/figure-3.js';

export interface DryRun {
  readonly urls: readonly string[];
  /** Pages by host, most first. */
  readonly perHost: readonly (readonly [string, number])[];
  /** Pages by kind of URL (permission/template), most first. */
  readonly perKind: readonly (readonly [string, number])[];
  /** URLs that would not be fetched, by reason. */
  readonly refused: readonly (readonly [string, number])[];
}

export interface DryRunOptions extends Pick<PaperOptions, 'N' | 'epsilon' | 'pathOnly'> {
  /** The site that redirects of a URL may not leave, for rules of a site. */
  readonly kindOf: (url: string) => string;
  readonly siteAsked: (site: string) => (url: string) => string;
  readonly base: string;
  readonly maxFetches: number;
}

export function createDryRun(plans: readonly SitePlan[], source: PageSource, options: DryRunOptions): DryRun {
  const urls = new Set<string>();
  const refused = new Map<string, Set<string>>();
  const absoluteOf = (url: string) => (url.startsWith('/') ? options.base + url : url);
  const add = (url: string, siteOf: (url: string) => string, made?: Made) => {
    const absolute = absoluteOf(url);
    const reason = source.refusal(absolute, siteOf(absolute), made);
    if (reason !== undefined) refused.set(reason, (refused.get(reason) ?? new Set()).add(absolute));
    else if (urls.size < options.maxFetches) urls.add(absolute);
  };
  const needed = Math.ceil((1 - options.epsilon) * options.N);
  for (const { site, rules } of plans) {
    const siteOf = options.siteAsked(site);
    for (const { attempts } of rules) {
      const first = attempts[0];
      for (const url of first?.samples.urls.slice(0, Math.min(needed, options.N)) ?? []) {
        add(url, siteOf);
        add(imageText(first!.attempt.compiled, url, options.pathOnly), siteOf, { of: absoluteOf(url) });
      }
    }
  }
  return dryRunOf(urls, refused, options.kindOf);
}

/** A source that finds a page at every URL, without requests; `plan` lists what it was asked for. */
export function createPretended(
  source: PageSource,
  { maxFetches, kindOf }: Pick<DryRunOptions, 'maxFetches' | 'kindOf'>,
): PageSource & { plan(): DryRun } {
  const urls = new Set<string>();
  const refused = new Map<string, Set<string>>();
  return {
    name: source.name,
    get requests() {
      return urls.size;
    },
    fetch: async (url, site, made): Promise<PageResult> => {
      const reason = source.refusal(url, site, made);
      if (reason !== undefined) {
        refused.set(reason, (refused.get(reason) ?? new Set()).add(url));
        return { kind: 'unavailable', reason };
      }
      if (!urls.has(url) && urls.size >= maxFetches) return { kind: 'unavailable', reason: 'budget' };
      urls.add(url);
      // All URLs end at the same one: each has a page of its own, and is the same page as its image.
      return { kind: 'page', document: { kind: 'bytes', digest: `dry:${url}` }, finalUrl: '', redirects: 0 };
    },
    refusal: (url, site, made) => source.refusal(url, site, made),
    close: () => source.close(),
    plan: () => dryRunOf(urls, refused, kindOf),
  };
}

function dryRunOf(
  urls: ReadonlySet<string>,
  refused: ReadonlyMap<string, ReadonlySet<string>>,
  kindOf: (url: string) => string,
): DryRun {
  const perHost = new Map<string, number>();
  const perKind = new Map<string, number>();
  const count = (counts: Map<string, number>, key: string) => void counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const url of urls) {
    count(perHost, /^[a-z+.-]+:\/\/([^/?#]*)/i.exec(url)?.[1] ?? '');
    count(perKind, kindOf(url));
  }
  const mostFirst = (counts: Iterable<readonly [string, number]>) =>
    [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return {
    urls: [...urls],
    perHost: mostFirst(perHost),
    perKind: mostFirst(perKind),
    refused: mostFirst(Array.from(refused, ([reason, list]) => [reason, list.size] as const)),
  };
}
