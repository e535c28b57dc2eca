// Pages as the log itself describes them: by the sketch or digest that it has for a URL. No requests, and no missing
// pages: a URL without a sketch is unknown.
import type { Document } from '../sketch/document.js';
import type { PageSource } from './source.js';

/**
 * A source over the log. `lookup` returns the last sketch of a URL of the log (text of `base/bytes`),
 * `documentOfSketch` converts it.
 */
export function createLogSource(
  lookup: (url: string) => string | undefined,
  documentOfSketch: (text: string) => Document,
): PageSource {
  return {
    name: 'log',
    requests: 0,
    fetch: async (url) => {
      const sketch = lookup(url);
      if (sketch === undefined) return { kind: 'unavailable', reason: 'not-archived' };
      return { kind: 'page', document: documentOfSketch(sketch), finalUrl: url, redirects: 0 };
    },
    refusal: (url) => (lookup(url) === undefined ? 'not-archived' : undefined),
    close: async () => {},
  };
}
