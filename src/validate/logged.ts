// Pages as the log itself describes them: by the sketch or digest that it has for a URL. No requests, and no missing
// pages: a URL without a sketch, or with a damaged one, is unknown.
import type { Document } from '../sketch/document.js';
import type { PageSource } from './source.js';

/**
 * A source over the log. `lookup` returns the last sketch of a URL of the log (text of `base/bytes`),
 * `documentOfSketch` converts it, and
 * returns undefined for a damaged one.
 */
export function createLogSource(
  lookup: (url: string) => string | undefined,
  documentOfSketch: (text: string) => Document | undefined,
): PageSource {
  return {
    name: 'log',
    requests: 0,
    fetch: async (url) => {
      const sketch = lookup(url);
      if (sketch === undefined) return { kind: 'unavailable', reason: 'not-archived' };
      const document = documentOfSketch(sketch);
      if (document === undefined) return { kind: 'unavailable', reason: 'damaged-sketch' };
      return { kind: 'page', document, finalUrl: url, redirects: 0 };
    },
    refusal: (url) => (lookup(url) === undefined ? 'not-archived' : undefined),
    close: async () => {},
  };
}
