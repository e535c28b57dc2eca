// Rules as a module for Crawlee: the canonical form is the uniqueKey of a request, by which its queue knows what it has
// seen.
import { moduleOf } from '../esm.js';
import type { ExportRequest, Exported, Target } from '../target.js';

const usage = `Put it where your crawler is, as canonical.js:

    import { requestsOf, withCanonicalKey } from './canonical.js';
    await enqueueLinks({ transformRequestFunction: withCanonicalKey });
    await crawler.run(requestsOf(['https://www.example.com/']));

All URLs of a page then have the same uniqueKey, so Crawlee crawls it once, by the URL that it found.`;

export const crawlee: Target = {
  name: 'crawlee',
  isKey: true,
  summary: 'an ES module for Crawlee: the canonical form is the uniqueKey of a request',
  usage,
  write(request: ExportRequest): Exported {
    const text = moduleOf(request, 'edge/crawlee-runtime', usage.split('\n'));
    return { text, carried: request.rules, left: [] };
  },
};
