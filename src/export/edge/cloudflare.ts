// Rules as a Cloudflare Worker or Snippet: one ES module without imports, which contains the canonizer of `canonize`.
import { ELSEWHERE, leadsElsewhere } from '../elsewhere.js';
import { moduleOf } from '../esm.js';
import { headingLines } from '../heading.js';
import type { ExportRequest, Exported, Target } from '../target.js';

const usage = `A Cloudflare Worker: put it on the routes of the site (wrangler deploy worker.js). A GET or HEAD for a
URL that is not canonical is redirected to its canonical form (301), unless the browser's request for that form would be
redirected again. A Snippet takes the same file, up to 32 kB.`;

export const cloudflare: Target = {
  name: 'cloudflare',
  summary: 'a Cloudflare Worker that redirects to the canonical form',
  usage,
  write(request: ExportRequest): Exported {
    const isElsewhere = (rule: ExportRequest['rules'][number]) => request.urlForm !== 'path' && leadsElsewhere(rule);
    const carried = request.rules.filter((rule) => !isElsewhere(rule));
    const left = request.rules.filter(isElsewhere).map((rule) => ({ rule, reason: ELSEWHERE }));
    const lines = headingLines(request, usage, left).slice(1);
    return { text: moduleOf({ ...request, rules: carried }, 'edge/cloudflare-runtime', lines), carried, left };
  },
};
