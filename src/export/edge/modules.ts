// Rules as modules that contain the canonizer of `canonize` itself (`esm.ts`), for Cloudflare and for Crawlee.
import { ELSEWHERE, leadsElsewhere } from '../elsewhere.js';
import { aboutKeysOf, moduleOf } from '../esm.js';
import { headingLines } from '../heading.js';
import type { ExportRequest, Exported, Target } from '../target.js';

// Rules as a Cloudflare Worker or Snippet: one ES module without imports, which contains the canonizer of `canonize`.

const cloudflareUsage = `A Cloudflare Worker: put it on the routes of the site (wrangler deploy worker.js). A GET or HEAD for a
URL that is not canonical is redirected to its canonical form (301), unless the browser's request for that form would be
redirected again. A Snippet takes the same file, up to 32 kB.`;

export const cloudflare: Target = {
  name: 'cloudflare',
  summary: 'a Cloudflare Worker that redirects to the canonical form',
  redirects: true,
  longLists: 'all',
  usage: cloudflareUsage,
  write(request: ExportRequest): Exported {
    const isElsewhere = (rule: ExportRequest['rules'][number]) => request.urlForm !== 'path' && leadsElsewhere(rule);
    const carried = request.rules.filter((rule) => !isElsewhere(rule));
    const left = request.rules.filter(isElsewhere).map((rule) => ({ rule, reason: ELSEWHERE }));
    const lines = headingLines(request, cloudflareUsage, left).slice(1);
    return { text: moduleOf({ ...request, rules: carried }, 'edge/cloudflare-runtime', lines), carried, left };
  },
};

// Rules as a module for Crawlee: the canonical form is the uniqueKey of a request, by which its queue knows what it has
// seen.

const crawleeUsage = `Put it where your crawler is, as canonical.js:

    import { requestsOf, withCanonicalKey } from './canonical.js';
    await enqueueLinks({ transformRequestFunction: withCanonicalKey });
    await crawler.run(requestsOf(['https://www.example.com/']));

All URLs of a page then have the same uniqueKey, so Crawlee crawls it once, by the URL that it found.`;

export const crawlee: Target = {
  name: 'crawlee',
  isKey: true,
  summary: 'an ES module for Crawlee: the canonical form is the uniqueKey of a request',
  longLists: 'all',
  usage: crawleeUsage,
  write(request: ExportRequest): Exported {
    const text = moduleOf(request, 'edge/crawlee-runtime', [...crawleeUsage.split('\n'), ...aboutKeysOf(request)]);
    return { text, carried: request.rules, left: [] };
  },
};
