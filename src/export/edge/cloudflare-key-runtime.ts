// The code of the Cloudflare Worker of `cache/cloudflare-key.ts`: it looks a page up by its cache key.
import { canonize } from '../esm-runtime.js';

interface Context {
  waitUntil(promise: Promise<unknown>): void;
}

/** The cache of Workers, for which the DOM's types have no declaration. */
declare const caches: {
  readonly default: {
    match(key: string): Promise<Response | undefined>;
    put(key: string, response: Response): Promise<void>;
  };
};

export default {
  async fetch(request: Request, _env: unknown, context: Context): Promise<Response> {
    if (request.method !== 'GET' || request.headers.has('authorization')) return fetch(request);
    const key = canonize(request.url);
    const known = await caches.default.match(key);
    if (known !== undefined) return known;
    const response = await fetch(request);
    if (isForAll(response)) context.waitUntil(caches.default.put(key, response.clone()));
    return response;
  },
};

/** True if the site lets shared caches keep the page. */
function isForAll({ status, headers }: Response): boolean {
  const control = headers.get('cache-control') ?? '';
  const says = /\b(?:public|s-maxage|max-age)\b/i.test(control) && !/\b(?:private|no-store|no-cache)\b/i.test(control);
  return status === 200 && says && !headers.has('set-cookie') && !headers.has('vary');
}
