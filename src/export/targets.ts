// Which software can rules be exported to? Each target is loaded on demand.
import type { ExportRequest, Target } from './target.js';

const PATTERN = 'is a pattern, which only dustbuster applies';

const loaders: ReadonlyMap<string, () => Promise<Target>> = new Map([
  ['nginx', async () => (await import('./server/nginx.js')).nginx],
  ['apache', async () => (await import('./server/apache.js')).apache],
  ['varnish', async () => (await import('./server/varnish.js')).varnish],
  ['nutch', async () => (await import('./java/classes.js')).nutch],
  ['stormcrawler', async () => (await import('./java/classes.js')).stormcrawler],
  ['heritrix', async () => (await import('./java/classes.js')).heritrix],
  ['nutch-expressions', async () => (await import('./java/configurations.js')).nutchExpressions],
  ['stormcrawler-expressions', async () => (await import('./java/configurations.js')).stormcrawlerExpressions],
  ['heritrix-expressions', async () => (await import('./java/configurations.js')).heritrixExpressions],
  ['java', async () => (await import('./java/classes.js')).java],
  ['python', async () => (await import('./python/modules.js')).python],
  ['scrapy', async () => (await import('./python/modules.js')).scrapy],
  ['duplicate-url-discarder', async () => (await import('./duplicate-url-discarder.js')).duplicateUrlDiscarder],
  ['clean-param', async () => (await import('./clean-param.js')).cleanParam],
  ['esm', async () => (await import('./esm.js')).esm],
  ['no-vary-search', async () => (await import('./cache/no-vary-search.js')).noVarySearch],
  ['varnish-key', async () => (await import('./cache/varnish-key.js')).varnishKey],
  ['cloudfront-key', async () => (await import('./cache/cloudfront-key.js')).cloudfrontKey],
  ['cloudflare-key', async () => (await import('./cache/cloudflare-key.js')).cloudflareKey],
  ['cloudflare', async () => (await import('./edge/modules.js')).cloudflare],
  ['cloudfront', async () => (await import('./edge/cloudfront.js')).cloudfront],
  ['crawlee', async () => (await import('./edge/modules.js')).crawlee],
  ['adguard', async () => (await import('./parameters/adguard.js')).adguard],
  ['clearurls', async () => (await import('./parameters/clearurls.js')).clearurls],
  ['pywb', async () => (await import('./parameters/pywb.js')).pywb],
  ['csv', async () => (await import('./csv.js')).csv],
]);

/** The words that `--to` accepts, in the order of the list. */
export const targetNames: readonly string[] = [...loaders.keys()];

/** Undefined for an unknown name. */
export function loadTarget(name: string): Promise<Target> | undefined {
  return loaders
    .get(name)?.()
    .then((target) => (target.hasPatterns === true ? target : withoutPatterns(target)));
}

/**
 * Leaves patterns out for most targets: they copy parts of a URL and find fields anywhere, and for no other software
 * was it tested that it does the same.
 */
function withoutPatterns(target: Target): Target {
  const isPattern = ({ kind }: ExportRequest['rules'][number]) => kind === 'pattern';
  const others = (request: ExportRequest) => ({ ...request, rules: request.rules.filter((rule) => !isPattern(rule)) });
  return {
    ...target,
    write(request) {
      const { left, ...exported } = target.write(others(request));
      const patterns = request.rules.filter(isPattern).map((rule) => ({ rule, reason: PATTERN }));
      return { ...exported, left: [...patterns, ...left] };
    },
    ...(target.check !== undefined && { check: (request, text) => target.check!(others(request), text) }),
  };
}
