// A Cloudflare Worker that caches pages under their URL without parameters that have no effect. Cloudflare offers its
// own custom cache keys in its largest plan only, the cache of a Worker in every plan.
import { moduleOf } from '../esm.js';
import { headingLines } from '../heading.js';
import type { ExportRequest, Exported, Target } from '../target.js';
import { changesSince, evidenceOf, exportedOf, type Proven, provenOf } from './proven.js';

const usage = `A Cloudflare Worker: put it on the routes of the site (wrangler deploy worker.js). It caches pages that
allow it (Cache-Control: public or max-age, no cookie, no Vary) under their URL without the parameters below. The site
still gets the URL as requested.`;

export const cloudflareKey: Target = {
  name: 'cloudflare-key',
  isKey: true,
  summary: 'a Cloudflare Worker that caches without parameters that were shown to have no effect',
  usage,
  write(request: ExportRequest): Exported {
    const proven = provenHere(request);
    const lines = [...headingLines(request, usage, proven.left).slice(1), '', ...evidenceOf(proven)];
    const rules = proven.removals.map(({ rule }) => rule);
    return exportedOf(moduleOf({ ...request, rules }, 'edge/cloudflare-key-runtime', lines), proven);
  },
  check: (request, text) => changesSince(text, provenHere(request)),
};

function provenHere(request: ExportRequest): Proven {
  return provenOf(request, { seesPaths: true });
}
