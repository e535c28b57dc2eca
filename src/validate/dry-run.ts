// What would a validation fetch? The samples that settle every rule if all of them are true, each page once.
import type { SitePlan } from './plan.js';
import { imageText } from './sample.js';
import type { PageSource } from './source.js';
import { QUICKEST_ACCEPTANCE } from './trial.js';
import type { ValidateOptions } from './attempt.js';

export interface DryRun {
  readonly urls: readonly string[];
  /** Pages by host, most first. */
  readonly perHost: readonly (readonly [string, number])[];
  /** URLs that would not be fetched, by reason. */
  readonly refused: readonly (readonly [string, number])[];
}

export interface DryRunOptions extends ValidateOptions {
  /** The site that the pages of a URL have to stay in, for rules of a site. */
  readonly siteAsked: (site: string) => (url: string) => string;
  readonly base: string;
  readonly maxFetches: number;
}

export function createDryRun(plans: readonly SitePlan[], source: PageSource, options: DryRunOptions): DryRun {
  const urls = new Set<string>();
  const refused = new Map<string, Set<string>>();
  const add = (url: string, siteOf: (url: string) => string) => {
    const absolute = url.startsWith('/') ? options.base + url : url;
    const reason = source.refusal(absolute, siteOf(absolute));
    if (reason !== undefined) refused.set(reason, (refused.get(reason) ?? new Set()).add(absolute));
    else if (urls.size < options.maxFetches) urls.add(absolute);
  };
  const needed = options.stop === 'fixed' ? Math.ceil((1 - options.epsilon) * options.N) : QUICKEST_ACCEPTANCE;
  for (const { site, rules } of plans) {
    const siteOf = options.siteAsked(site);
    for (const { attempts } of rules) {
      const first = attempts[0];
      for (const url of first?.samples.urls.slice(0, Math.min(needed, options.N)) ?? []) {
        add(url, siteOf);
        add(imageText(first!.attempt.compiled, url, options.pathOnly), siteOf);
      }
    }
  }
  const perHost = new Map<string, number>();
  for (const url of urls) {
    const host = /^[a-z+.-]+:\/\/([^/?#]*)/i.exec(url)?.[1] ?? '';
    perHost.set(host, (perHost.get(host) ?? 0) + 1);
  }
  const mostFirst = (counts: Iterable<readonly [string, number]>) =>
    [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return {
    urls: [...urls],
    perHost: mostFirst(perHost),
    refused: mostFirst(Array.from(refused, ([reason, list]) => [reason, list.size] as const)),
  };
}
