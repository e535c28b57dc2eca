// The code of the module of `modules.ts` for Crawlee: it identifies requests by their canonical form.
import { canonize } from '../esm-runtime.js';

export { canonize };

interface CrawleeRequest {
  readonly url: string;
  readonly method?: string;
  readonly payload?: unknown;
  readonly uniqueKey?: string;
}

/**
 * For `transformRequestFunction` of enqueueLinks. Leaves requests with a body or with a uniqueKey of their own as they
 * are.
 */
export function withCanonicalKey<R extends CrawleeRequest>(request: R): R {
  const isPlain = (request.method ?? 'GET') === 'GET' && request.payload === undefined;
  return isPlain && request.uniqueKey === undefined ? { ...request, uniqueKey: canonize(request.url) } : request;
}

/** For addRequests, and for the list that a crawler starts with. */
export function requestsOf(urls: Iterable<string>): readonly CrawleeRequest[] {
  return Array.from(urls, (url) => withCanonicalKey({ url }));
}
