// What Crawlee does with a request: it is known by its canonical form (`crawlee.ts`).
import { canonize } from '../esm-runtime.js';

export { canonize };

interface CrawleeRequest {
  readonly url: string;
  readonly method?: string;
  readonly payload?: unknown;
  readonly uniqueKey?: string;
}

/** For `transformRequestFunction` of enqueueLinks. Requests with a body, or with a key of their own, stay. */
export function withCanonicalKey<R extends CrawleeRequest>(request: R): R {
  const isPlain = (request.method ?? 'GET') === 'GET' && request.payload === undefined;
  return isPlain && request.uniqueKey === undefined ? { ...request, uniqueKey: canonize(request.url) } : request;
}

/** For addRequests, and the list that a crawler starts with. */
export function requestsOf(urls: Iterable<string>): readonly CrawleeRequest[] {
  return Array.from(urls, (url) => withCanonicalKey({ url }));
}
