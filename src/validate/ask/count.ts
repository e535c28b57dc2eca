// Counts the requests to one site, even while requests to other sites are made at the same time.
import type { PageResult, PageSource } from '../source.js';

/**
 * Wraps a source so that `requests` counts the pages asked for through it: each once, with its redirects. A page from a
 * cache counts too, so that the run does not depend on what earlier runs fetched. `onCount` gets what each page adds.
 */
export function countRequests(source: PageSource, onCount?: (requests: number) => void): PageSource {
  const asked = new Set<string>();
  let requests = 0;
  const count = (result: PageResult): PageResult => {
    const taken = takenBy(result);
    requests += taken;
    if (taken > 0) onCount?.(taken);
    return result;
  };
  return {
    name: source.name,
    get requests() {
      return source.name === 'live' ? requests : 0;
    },
    fetch: async (url, site, made) => {
      const isNew = !asked.has(url);
      asked.add(url);
      const result = await source.fetch(url, site, made);
      return isNew ? count(result) : result;
    },
    ...(source.fetchAgain !== undefined && {
      fetchAgain: async (url: string, site: string) => count(await source.fetchAgain!(url, site)),
    }),
    isAsked: (url) => asked.has(url),
    ...(source.isKept !== undefined && { isKept: (url: string) => source.isKept!(url) }),
    ...(source.keptAt !== undefined && { keptAt: (finalUrl: string) => source.keptAt!(finalUrl) }),
    // The page was counted when it came from the cache.
    ...(source.renew !== undefined && { renew: (url: string, site: string) => source.renew!(url, site) }),
    refusal: (url, site, made) => source.refusal(url, site, made),
    close: () => source.close(),
  };
}

function takenBy(result: PageResult): number {
  if (result.kind === 'page') return 1 + result.redirects;
  return result.kind === 'missing' || COSTLY.has(result.reason) ? 1 : 0;
}

/** Reasons that make a page unavailable, but only after a request. */
const COSTLY: ReadonlySet<string> = new Set(['status', 'network', 'time-out', 'too-large', 'decoding']);
